internal import Encodings
internal import Pinning

/// What a format can say of an entry, with the sentences for what it cannot.
///
/// Where the format's word does not fit exactly, the entry is written so that it protects more and not less: more hosts,
/// a later end, a mismatch that fails. Each such step is a warning.
struct FormatCapabilities {
    /// The words that it has for names below the host.
    var subdomains: Set<PinSet.Subdomains> = [.none]
    var expiry = Expiry.none
    var saysReportOnly = false
    var roles: Set<PinSet.AllowedRole> = [.any]
    var notes = Notes.none
    /// Whether a host may be an IP address.
    var takesAddresses = true
    /// How many pins the platform demands of a host.
    var minimumPins = 1
    /// Whether it demands them where a mismatch is only reported, too.
    var countsPinsOfReportOnly = true

    /// Where labels and their like go.
    enum Notes {
        case none
        /// A comment beside the pin.
        case comments
        /// The same by the rules of XML (`XMLText.comment`).
        case markupComments
        /// The format has its own way, and tells itself what is lost on it.
        case elsewhere
    }

    enum Expiry {
        case none
        /// A day, from whose start in UTC the pins hold no more.
        case day
        case instant
    }

    /// The entry as far as the format can say it; nil where its host cannot be said.
    private func writable(
        _ entry: PinSet.Entry, as format: PinSetFormat, _ warnings: inout ConversionWarnings
    ) throws(PinSetFormatError) -> WritableEntry? {
        let host = entry.host
        guard takesAddresses || IPAddress(entry.name) == nil else {
            warnings.add(.addressNotSupported, of: host)
            return nil
        }
        let pins = pins(of: entry, &warnings)
        guard !pins.isEmpty else {
            throw PinSetFormatError(
                format: format, line: entry.position?.line, column: entry.position?.column,
                message:
                    "every pin of \(host.quotedExcerpt) is retired, so that no certificate matches, which no format can say",
                hint: "remove the host, or add a pin in use")
        }
        if Set(pins.map(\.pin)).count < minimumPins, entry.enforce || countsPinsOfReportOnly {
            warnings.add(.tooFewPins(minimum: minimumPins, count: pins.count), of: host)
        }
        if !entry.enforce, !saysReportOnly {
            warnings.add(.reportOnlyNotSupported, of: host)
        }
        if !entry.anchors.isEmpty {
            warnings.add(.anchorsNotSupported, of: host)
        }
        for member in entry.unknown { warnings.add(.unknownKey(member.key), of: host) }
        return WritableEntry(
            entry: entry, pins: pins, subdomains: subdomains(of: entry, &warnings),
            expires: expiry(of: entry, &warnings))
    }

    /// The writable entries of a set; what the file holds beside its hosts is lost.
    func writable(
        _ set: PinSet, as format: PinSetFormat, _ warnings: inout ConversionWarnings
    ) throws(PinSetFormatError) -> [WritableEntry] {
        for member in set.unknown { warnings.add(.unknownKey(member.key)) }
        var entries: [WritableEntry] = []
        for entry in set.entries {
            if let writable = try writable(entry, as: format, &warnings) { entries.append(writable) }
        }
        guard !entries.isEmpty || set.entries.isEmpty else {
            throw Self.nothing(to: format, warnings)
        }
        return entries
    }

    /// The error where every host of a set was lost.
    static func nothing(to format: PinSetFormat, _ warnings: ConversionWarnings) -> PinSetFormatError {
        let reason = warnings.list.last.map(\.sentence)
        return PinSetFormatError(
            format: format, message: "nothing of the set can be written as \"\(format.rawValue)\"", hint: reason)
    }

    private func pins(of entry: PinSet.Entry, _ warnings: inout ConversionWarnings) -> [PinSet.PinnedKey] {
        var pins: [PinSet.PinnedKey] = []
        var known: Set<PinSet.PinnedKey> = []
        for key in entry.pins {
            for member in key.unknown {
                warnings.add(.unknownKeyOfPin(member.key, key), of: entry.host)
            }
            guard key.state != .retired else {
                warnings.add(.retiredPin(key), of: entry.host)
                continue
            }
            let known = !known.insert(PinSet.PinnedKey(pin: key.pin, role: roles == [.any] ? .any : key.role)).inserted
            if !roles.contains(key.role) {
                warnings.add(.roleNotSupported(key, .anyCertificate), of: entry.host)
            }
            if key.hasNotes, !carries(PinComment(key)) {
                warnings.add(.labelsNotSupported(key), of: entry.host)
            }
            if !known { pins.append(key) }
        }
        return pins
    }

    private func carries(_ note: PinComment) -> Bool {
        switch notes {
        case .none: false
        case .comments: note.isCarried
        case .markupComments: note.isCarriedInMarkup
        case .elsewhere: true
        }
    }

    private func subdomains(of entry: PinSet.Entry, _ warnings: inout ConversionWarnings) -> PinSet.Subdomains {
        guard !subdomains.contains(entry.subdomains) else { return entry.subdomains }
        let wider = PinSet.Subdomains.allCases.reversed().first { subdomains.contains($0) } ?? .none
        warnings.add(.subdomainsNotSupported(entry.subdomains, written: wider), of: entry.host)
        return wider
    }

    private func expiry(of entry: PinSet.Entry, _ warnings: inout ConversionWarnings) -> Timestamp? {
        guard let expires = entry.expires else { return nil }
        switch expiry {
        case .none:
            warnings.add(.expiryNotSupported(expires), of: entry.host)
            return nil
        case .instant: return expires
        case .day:
            let isDay = expires.date == expires.spelled && (1...9999).contains(expires.components.year)
            guard !isDay else { return expires }
            // A day has four digits for its year.
            guard let next = expires.startOfNextDay, (1...9999).contains(next.components.year) else {
                warnings.add(.expiryNotSupported(expires), of: entry.host)
                return nil
            }
            warnings.add(.expiryRounded(expires, to: next), of: entry.host)
            return next
        }
    }
}

/// An entry as a format can say it.
struct WritableEntry {
    let entry: PinSet.Entry
    /// Each pin once, none of them retired.
    let pins: [PinSet.PinnedKey]
    let subdomains: PinSet.Subdomains
    let expires: Timestamp?

    var host: String { entry.name }
}

extension PinSet.PinnedKey {
    /// Whether it holds words for people alone. That it is a backup is none of them: it matches as an active one does, and
    /// every format says that much.
    var hasNotes: Bool { label != nil || notAfter != nil }
}

extension Timestamp {
    /// As pins.json spells it: a day where it is the start of one in UTC.
    package var spelled: String { secondsSince1970 % CalendarTime.secondsPerDay == 0 ? date : description }

    fileprivate var startOfNextDay: Timestamp? {
        let (next, overflows) = secondsSince1970.addingReportingOverflow(CalendarTime.secondsPerDay)
        guard !overflows else { return nil }
        let remainder = next % CalendarTime.secondsPerDay
        return Timestamp(secondsSince1970: next - (remainder < 0 ? remainder + CalendarTime.secondsPerDay : remainder))
    }
}
