internal import Encodings
package import Pinning

/// Settings that a format supports.
///
/// If the format cannot express a setting exactly, the writer chooses the value that protects more: more hosts, a later expiry, a mismatch
/// that blocks the connection. Each change is a warning.
package struct FormatCapabilities {
    /// Supported values of `subdomains`.
    package let subdomains: Set<PinSet.Subdomains>
    package let expiry: Expiry
    package let supportsReportOnly: Bool
    package let roles: Set<PinSet.AllowedRole>
    package let notes: Notes
    /// Whether a host may be an IP address.
    package let takesAddresses: Bool
    /// Number of different pins that the platform requires for each host.
    package let minimumPins: Int
    /// Whether it also requires them for hosts with report-only pins.
    package let countsPinsOfReportOnly: Bool
    /// Whether the format names the ports of hosts.
    package let saysPorts: Bool

    /// How the format represents labels and other notes.
    package enum Notes {
        case none
        /// As a comment next to the pin.
        case comments
        /// As a comment that follows the rules of XML (`XMLText.comment`).
        case markupComments
        /// In another way. The codec writes the notes itself and reports the warnings.
        case elsewhere
    }

    package enum Expiry {
        case none
        /// A day. The pins expire at 00:00 UTC on this day.
        case day
        case instant
    }

    package init(
        subdomains: Set<PinSet.Subdomains> = [.none], expiry: Expiry = .none, supportsReportOnly: Bool = false,
        roles: Set<PinSet.AllowedRole> = [.any], notes: Notes = .none, takesAddresses: Bool = true,
        minimumPins: Int = 1, countsPinsOfReportOnly: Bool = true, saysPorts: Bool = false
    ) {
        (self.subdomains, self.expiry, self.supportsReportOnly) = (subdomains, expiry, supportsReportOnly)
        (self.roles, self.notes, self.takesAddresses) = (roles, notes, takesAddresses)
        (self.minimumPins, self.countsPinsOfReportOnly) = (minimumPins, countsPinsOfReportOnly)
        self.saysPorts = saysPorts
    }

    /// Returns the entry with the settings that the format supports; nil if the format does not support the host.
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
            throw PinSetFormatError(.allPinsRetired(host: host), format: format, at: entry.position)
        }
        if Set(pins.map(\.pin)).count < minimumPins, entry.enforce || countsPinsOfReportOnly {
            warnings.add(.tooFewPins(minimum: minimumPins, count: pins.count), of: host)
        }
        if !entry.enforce, !supportsReportOnly {
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

    /// The entries of a set that the format can express. Keys outside the hosts are left out.
    package func writable(
        _ set: PinSet, as format: PinSetFormat, _ warnings: inout ConversionWarnings
    ) throws(PinSetFormatError) -> [WritableEntry] {
        for member in set.unknown { warnings.add(.unknownKey(member.key)) }
        if !saysPorts, set.entries.contains(where: { !$0.endpoints.isEmpty }) { warnings.add(.endpointsNotSupported) }
        var entries: [WritableEntry] = []
        for entry in set.entries {
            if let writable = try writable(entry, as: format, &warnings) { entries.append(writable) }
        }
        guard !entries.isEmpty || set.entries.isEmpty else {
            throw Self.nothing(to: format, warnings)
        }
        return entries
    }

    /// The error if the format can express no host of the set.
    package static func nothing(to format: PinSetFormat, _ warnings: ConversionWarnings) -> PinSetFormatError {
        PinSetFormatError(.nothingWritable(warnings.list.last), format: format)
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
            if key.hasNotes, let loss = lossOfNotes(of: key) { warnings.add(loss, of: entry.host) }
            if !known { pins.append(key) }
        }
        return pins
    }

    /// Nil if the format has all notes of a pin.
    private func lossOfNotes(of key: PinSet.PinnedKey) -> ConversionWarning.Reason? {
        let note = PinComment(key)
        guard notes != .elsewhere else { return nil }
        guard notes != .none, let written = note.written(isMarkup: notes == .markupComments) else {
            return .labelsNotSupported(key)
        }
        guard written.label != note.label else { return nil }
        return written.label.map { .labelRewritten(key, label: $0) } ?? .labelsNotSupported(key)
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
            // The format writes the year of a day with four digits.
            guard let next = expires.startOfNextDay, (1...9999).contains(next.components.year) else {
                warnings.add(.expiryNotSupported(expires), of: entry.host)
                return nil
            }
            warnings.add(.expiryRounded(expires, to: next), of: entry.host)
            return next
        }
    }
}

/// An entry reduced to the settings that a format supports.
package struct WritableEntry {
    package let entry: PinSet.Entry
    /// The pins without repetitions and without retired pins.
    package let pins: [PinSet.PinnedKey]
    package let subdomains: PinSet.Subdomains
    package let expires: Timestamp?

    package var host: String { entry.name }
}

extension PinSet.PinnedKey {
    /// Whether the pin has fields that only people read. The state `backup` is not such a field: in every format a backup pin
    /// matches like an active pin.
    package var hasNotes: Bool { label != nil || notAfter != nil }
}

extension Timestamp {
    /// The time as pins.json writes it: a day if the time is 00:00 UTC.
    package var spelled: String { secondsSince1970 % CalendarTime.secondsPerDay == 0 ? date : description }

    fileprivate var startOfNextDay: Timestamp? {
        let (next, overflows) = secondsSince1970.addingReportingOverflow(CalendarTime.secondsPerDay)
        guard !overflows else { return nil }
        let remainder = next % CalendarTime.secondsPerDay
        return Timestamp(secondsSince1970: next - (remainder < 0 ? remainder + CalendarTime.secondsPerDay : remainder))
    }
}
