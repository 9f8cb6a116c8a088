internal import Encodings
public import PinSetCodec
internal import Pinning

/// The pins that are built into Chromium: `transport_security_state_static.json`, in which `//` begins a comment, and a
/// file of names beside it.
enum ChromiumFormat: PinSetCodec {
    static let traits = FormatTraits(
        name: "chromium", summary: "Chromium's static JSON and its .pins file",
        fileName: "transport_security_state_static.json",
        readingInputs: [.names], sidecar: FormatTraits.Sidecar(of: ".json", extension: ".pins"), platforms: [.chromium],
        capabilities: FormatCapabilities(subdomains: [.none, .all], notes: .elsewhere, takesAddresses: false))

    static func recognizes(_ file: FileContents) -> Bool { file.json?.hasOuter("pinsets") ?? false }

    static let namesFile = "transport_security_state_static.pins"

    // MARK: Reading

    private struct Pinset {
        var good = PinnedKeyList()
        var bad: [String] = []
        var reports: String?
    }

    static func read(_ bytes: [UInt8]) throws(PinSetFormatError) -> PinSetReading {
        try read(bytes, with: ConversionInputs())
    }

    static func read(
        _ bytes: [UInt8], with inputs: ConversionInputs
    ) throws(PinSetFormatError) -> PinSetReading {
        guard let file = inputs.names else {
            throw PinSetFormatError(
                format: format, message: "Chromium's JSON has names of pins, and the pins are in a file beside it",
                need: .names)
        }
        var warnings = ConversionWarnings()
        let names = try ChromiumNames(file)
        if let timestamp = names.timestamp {
            warnings.add(.listDate(timestamp))
        }
        let root = try document(bytes, allowsComments: true)
        var pinsets: [String: Pinset] = [:]
        var hosts: [JSONValue] = []
        for member in try members(of: root, "the file") {
            switch member.key {
            case "pinsets":
                for value in try values(of: member.value, "\"pinsets\"") {
                    let (name, pinset) = try pinset(value, names, &warnings)
                    guard pinsets.updateValue(pinset, forKey: name) == nil else {
                        throw PinSetFormatError(
                            format: format, at: value.position,
                            message: "the pin set \(name.quotedExcerpt) stands twice")
                    }
                }
            case "entries": hosts = try values(of: member.value, "\"entries\"")
            default: warnings.add(.unknownKey(member.key))
            }
        }
        var entries: [PinSet.Entry] = []
        var others = 0
        for host in hosts {
            guard let entry = try entry(host, pinsets, &warnings) else {
                others += 1
                continue
            }
            entries.append(entry)
        }
        if others > 0 {
            warnings.add(.entriesWithoutPins(others))
        }
        return PinSetReading(set: try set(entries), warnings: warnings.list)
    }

    private static func pinset(
        _ value: JSONValue, _ names: ChromiumNames, _ warnings: inout ConversionWarnings
    ) throws(PinSetFormatError) -> (String, Pinset) {
        var name: String?
        var pinset = Pinset()
        for field in try members(of: value, "a member of \"pinsets\"") {
            switch field.key {
            case "name": name = try string(field.value, "\"name\"")
            case "static_spki_hashes":
                for hash in try values(of: field.value, field.key.quotedExcerpt) {
                    let word = try string(hash, "a member of \(field.key.quotedExcerpt)")
                    guard let pin = names.pins[word] else {
                        throw PinSetFormatError(
                            format: format, at: hash.position,
                            message: "\(word.quotedExcerpt) is not in the file of names")
                    }
                    let label = isNumbered(word) ? nil : word
                    pinset.good.add(PinSet.PinnedKey(pin: pin, label: label))
                }
            case "bad_static_spki_hashes":
                for hash in try values(of: field.value, field.key.quotedExcerpt) {
                    pinset.bad.append(try string(hash, "a member of \(field.key.quotedExcerpt)"))
                }
            case "report_uri": pinset.reports = try string(field.value, field.key.quotedExcerpt)
            default: warnings.add(.unknownKey(field.key))
            }
        }
        guard let name else {
            throw PinSetFormatError(
                format: format, at: value.position, message: "a member of \"pinsets\" has no \"name\"")
        }
        return (name, pinset)
    }

    /// - Returns: nil for an entry without pins, which is about HTTPS alone.
    private static func entry(
        _ value: JSONValue, _ pinsets: [String: Pinset], _ warnings: inout ConversionWarnings
    ) throws(PinSetFormatError) -> PinSet.Entry? {
        var host: String?
        var includesSubdomains = false
        var name: (text: String, place: SourcePosition)?
        for field in try members(of: value, "a member of \"entries\"") {
            switch field.key {
            case "name": host = try string(field.value, "\"name\"")
            case "include_subdomains_for_pinning": includesSubdomains = try bool(field.value, field.key.quotedExcerpt)
            case "pins": name = (try string(field.value, "\"pins\""), field.value.position)
            // Of HTTPS and of the list's upkeep.
            case "policy", "mode", "include_subdomains": break
            default: warnings.add(.unknownKey(field.key), of: host)
            }
        }
        guard let host else {
            throw PinSetFormatError(
                format: format, at: value.position, message: "a member of \"entries\" has no \"name\"")
        }
        guard let name else { return nil }
        guard let pinset = pinsets[name.text] else {
            throw PinSetFormatError(
                format: format, at: name.place, message: "there is no pin set \(name.text.quotedExcerpt) in \"pinsets\""
            )
        }
        for bad in pinset.bad {
            warnings.add(.forbiddenPin(bad), of: host)
        }
        if let reports = pinset.reports {
            warnings.add(.reportAddress(reports), of: host)
        }
        guard !pinset.good.isEmpty else {
            warnings.add(.hostWithoutPins, of: host)
            return nil
        }
        return try entry(
            host, subdomains: includesSubdomains ? .all : .none, pins: pinset.good.keys, at: value.position)
    }

    /// A name that ``ChromiumWriter`` makes for a pin without a label.
    private static func isNumbered(_ name: String) -> Bool {
        name.hasPrefix("Pin") && name.utf8.count > 3 && name.utf8.dropFirst(3).allSatisfy { $0.isDigit }
    }

    // MARK: Writing

    static func write(_ set: PinSet) throws(PinSetFormatError) -> PinSetWriting {
        try write(set, with: ConversionInputs())
    }

    static func write(
        _ set: PinSet, with inputs: ConversionInputs
    ) throws(PinSetFormatError) -> PinSetWriting {
        var warnings = ConversionWarnings()
        // The names of pins say what labels say, as far as they can.
        let entries = try traits.capabilities.writable(set, as: format, &warnings)
        ClosestEntry.tell(of: entries, &warnings)
        var writer = ChromiumWriter(date: inputs.date)
        let json = writer.json(entries, &warnings)
        return PinSetWriting(
            files: [
                PinSetWriting.File(name: nil, bytes: json),
                PinSetWriting.File(name: namesFile, bytes: Array(writer.names.utf8)),
            ],
            warnings: warnings.list)
    }
}

extension PinSetFormat {
    public static let chromium = PinSetFormat(ChromiumFormat.self)
}
