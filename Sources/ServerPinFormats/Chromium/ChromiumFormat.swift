internal import Encodings
public import PinSetCodec
internal import Pinning

/// The pins that are built into Chromium. They are in `transport_security_state_static_pins.json`, where `//` begins a comment, and
/// in a file of names next to it.
///
/// Until 2021 the entries were in `transport_security_state_static.json`, together with HSTS entries and with other keys. pinctl
/// reads both forms and writes the current one.
enum ChromiumFormat: InputReadingCodec, InputWritingCodec {
    static let traits = FormatTraits(
        name: "chromium", summary: "Chromium's static JSON and its .pins file",
        fileName: "transport_security_state_static_pins.json",
        readingInputs: [.names],
        sidecar: FormatTraits.Sidecar(of: ".json", extension: ".pins", without: "_pins"), platforms: [.chromium],
        capabilities: FormatCapabilities(subdomains: [.none, .all], notes: .elsewhere, takesAddresses: false))

    static func recognizes(_ file: FileContents) -> Bool { file.json?.hasOuter("pinsets") ?? false }

    static let namesFile = "transport_security_state_static.pins"

    // MARK: Reading

    private struct Pinset {
        var good = PinnedKeyList()
        var bad: [String] = []
        var reports: String?
        /// Whether an entry has the pins already.
        var isUsed = false
    }

    static func read(
        _ bytes: [UInt8], with inputs: ConversionInputs
    ) throws(PinSetFormatError) -> PinSetReading {
        guard let file = inputs.names else {
            throw error(.noNames)
        }
        var warnings = ConversionWarnings()
        let names = try ChromiumNames(file)
        if let timestamp = names.timestamp {
            warnings.add(.listDate(timestamp))
        }
        let root = try document(bytes, allowsComments: true)
        var pinsets: [ExactText: Pinset] = [:]
        var hosts: [JSONValue] = []
        for member in try members(of: root, .file) {
            switch member.key {
            case "pinsets":
                for value in try values(of: member.value, .key("pinsets")) {
                    let (name, pinset) = try pinset(value, names, &warnings)
                    guard pinsets.updateValue(pinset, forKey: ExactText(name)) == nil else {
                        throw error(.chromium(.pinSetTwice(name)), at: value.position)
                    }
                }
            case "entries": hosts = try values(of: member.value, .key("entries"))
            default: warnings.add(.unknownKey(member.key))
            }
        }
        var entries: [PinSet.Entry] = []
        var others = 0
        var shared = SharedPinCount()
        for host in hosts {
            guard let entry = try entry(host, &pinsets, &shared, &warnings) else {
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
        for field in try members(of: value, .member(of: .key("pinsets"))) {
            switch field.key {
            case "name": name = try string(field.value, .key("name"))
            case "static_spki_hashes":
                for hash in try values(of: field.value, .key(field.key)) {
                    let word = try string(hash, .member(of: .key(field.key)))
                    guard let pin = names.pins[ExactText(word)] else {
                        throw error(.chromium(.unknownPin(word)), at: hash.position)
                    }
                    let label = isNumbered(word) ? nil : word
                    pinset.good.add(PinSet.PinnedKey(pin: pin, label: label))
                }
            case "bad_static_spki_hashes":
                for hash in try values(of: field.value, .key(field.key)) {
                    pinset.bad.append(try string(hash, .member(of: .key(field.key))))
                }
            case "report_uri": pinset.reports = try string(field.value, .key(field.key))
            default: warnings.add(.unknownKey(field.key))
            }
        }
        guard let name else {
            throw error(.missing("name", in: .member(of: .key("pinsets"))), at: value.position)
        }
        return (name, pinset)
    }

    /// - Returns: nil for an entry without pins, which concerns only HTTPS.
    private static func entry(
        _ value: JSONValue, _ pinsets: inout [ExactText: Pinset], _ shared: inout SharedPinCount,
        _ warnings: inout ConversionWarnings
    ) throws(PinSetFormatError) -> PinSet.Entry? {
        var host: String?
        var includesSubdomains = false
        var name: (text: String, place: SourcePosition)?
        for field in try members(of: value, .member(of: .key("entries"))) {
            switch field.key {
            case "name": host = try string(field.value, .key("name"))
            // Pins cover subdomains if either key is true (net/http/transport_security_state.cc, DecodeHSTSPreload).
            case "include_subdomains", "include_subdomains_for_pinning":
                includesSubdomains = try bool(field.value, .key(field.key)) || includesSubdomains
            case "pins": name = (try string(field.value, .key("pins")), field.value.position)
            // These keys concern HTTPS and the maintenance of the list.
            case "policy", "mode": break
            default: warnings.add(.unknownKey(field.key), of: host)
            }
        }
        guard let host else {
            throw error(.missing("name", in: .member(of: .key("entries"))), at: value.position)
        }
        guard let name else { return nil }
        let key = ExactText(name.text)
        guard let pinset = pinsets[key] else {
            throw error(.chromium(.unknownPinSet(name.text)), at: name.place)
        }
        let count = pinset.good.keys.count + pinset.bad.count
        try shared.add(pins: count, hosts: pinset.isUsed ? 2 : 1, as: self, at: value.position)
        pinsets[key]?.isUsed = true
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

    private typealias BrowserPinset = (good: Set<Pin>, bad: Set<Pin>)

    /// The entries in the browser's list, including those without pins.
    static func entries(_ bytes: [UInt8], _ names: [UInt8]) throws(PinSetFormatError) -> [ChromiumModel.Entry] {
        let names = try ChromiumNames(names)
        let root = try members(of: try document(bytes, allowsComments: true), .file)
        var pinsets: [ExactText: BrowserPinset] = [:]
        for member in root where member.key == "pinsets" {
            for value in try values(of: member.value, .key("pinsets")) {
                var name = ""
                var pinset: BrowserPinset = ([], [])
                for field in try members(of: value, .member(of: .key("pinsets"))) {
                    switch field.key {
                    case "name": name = try string(field.value, .key("name"))
                    case "static_spki_hashes": pinset.good = try pins(field, names)
                    case "bad_static_spki_hashes": pinset.bad = try pins(field, names)
                    default: break
                    }
                }
                pinsets[ExactText(name)] = pinset
            }
        }
        var entries: [ChromiumModel.Entry] = []
        for member in root where member.key == "entries" {
            for value in try values(of: member.value, .key("entries")) {
                entries.append(try entry(value, pinsets))
            }
        }
        return entries
    }

    private static func pins(_ field: JSONMember, _ names: ChromiumNames) throws(PinSetFormatError) -> Set<Pin> {
        var pins: Set<Pin> = []
        for value in try values(of: field.value, .key(field.key)) {
            let name = ExactText(try string(value, .member(of: .key(field.key))))
            if let pin = names.pins[name] { pins.insert(pin) }
        }
        return pins
    }

    private static func entry(
        _ value: JSONValue, _ pinsets: [ExactText: BrowserPinset]
    ) throws(PinSetFormatError) -> ChromiumModel.Entry {
        var name = ""
        var covers = false
        var pinset: BrowserPinset = ([], [])
        for field in try members(of: value, .member(of: .key("entries"))) {
            switch field.key {
            case "name": name = try string(field.value, .key("name")).lowercased()
            case "include_subdomains", "include_subdomains_for_pinning":
                covers = try bool(field.value, .key(field.key)) || covers
            case "pins": pinset = pinsets[ExactText(try string(field.value, .key("pins")))] ?? ([], [])
            default: break
            }
        }
        return .init(
            name: name, includesSubdomains: covers, good: pinset.good, bad: pinset.bad, position: value.position)
    }

    /// Whether ``ChromiumWriter`` generated the name for a pin without a label.
    private static func isNumbered(_ name: String) -> Bool {
        name.hasPrefix("Pin") && name.utf8.count > 3 && name.utf8.dropFirst(3).allSatisfy { $0.isDigit }
    }

    // MARK: Writing

    static func write(
        _ set: PinSet, with inputs: ConversionInputs
    ) throws(PinSetFormatError) -> PinSetWriting {
        var warnings = ConversionWarnings()
        // The names of pins are derived from the labels.
        let entries = try traits.capabilities.writable(set, as: format, &warnings)
        ClosestEntry.addWarnings(for: entries, &warnings)
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
