internal import Encodings
internal import PinSetCodec
internal import Pinning

/// Writes Chromium's two files: the JSON, and the names that it uses.
struct ChromiumWriter {
    /// The file of names, with the names that the JSON uses so far.
    private(set) var names: String
    private var nameOfPin: [Pin: String] = [:]
    /// The names of pins and pin sets that are already used.
    private var taken: Set<String> = ["PinsListTimestamp"]
    private var unlabelled = 0
    /// The last number that was appended to each repeated name.
    private var numbers: [String: Int] = [:]

    /// - Parameter date: date of the list, which Chromium requires. Chromium uses the list for ten weeks after this date.
    init(date: Timestamp?) {
        names = "# The pins whose names transport_security_state_static_pins.json uses.\n"
        if let date { names += "\nPinsListTimestamp\n\(date.secondsSince1970)\n" }
    }

    mutating func json(_ entries: [WritableEntry], _ warnings: inout ConversionWarnings) -> [UInt8] {
        var sets: [(name: String, pins: [String])] = []
        for entry in entries {
            let pins = entry.pins.map { name(of: $0, at: entry.entry.host, &warnings) }
            sets.append((setName(of: entry.host), pins))
        }
        var writer = JSONWriter(.pretty)
        writer.object { document in
            document.array("pinsets") { array in
                for set in sets {
                    array.object { fields in
                        fields.field("name", set.name)
                        fields.field("static_spki_hashes", set.pins)
                    }
                }
            }
            document.array("entries") { array in
                for (entry, set) in zip(entries, sets) {
                    array.object { fields in
                        fields.field("name", entry.host)
                        fields.field("include_subdomains", entry.subdomains == .all)
                        fields.field("pins", set.name)
                    }
                }
            }
        }
        writer.endLine()
        return writer.output
    }

    private mutating func name(
        of key: PinSet.PinnedKey, at host: String, _ warnings: inout ConversionWarnings
    ) -> String {
        let name = nameOfPin[key.pin] ?? newName(of: key)
        if let label = key.label, label != name {
            warnings.add(.labelIsName(key, name: name), of: host)
        }
        if key.notAfter != nil { warnings.add(.notAfterNotSupported(key), of: host) }
        return name
    }

    private mutating func newName(of key: PinSet.PinnedKey) -> String {
        var name = Self.letters(of: key.label ?? "")
        if name.isEmpty {
            repeat {
                unlabelled += 1
                name = "Pin\(unlabelled)"
            } while taken.contains(name)
        } else if !ChromiumNames.isName(name) {
            name = "Pin_" + name
        }
        name = unused(name)
        nameOfPin[key.pin] = name
        names += "\n\(name)\nsha256/\(key.pin.base64)\n"
        return name
    }

    /// Converts a text to a name. Chromium's generator uses the name as a C++ identifier.
    private mutating func setName(of host: String) -> String {
        unused(host.split(separator: ".").map { Self.letters(of: $0) }.joined(separator: "_"))
    }

    private mutating func unused(_ name: String) -> String {
        var unused = name
        while !taken.insert(unused).inserted {
            let number = numbers[name, default: 1] + 1
            numbers[name] = number
            unused = "\(name)_\(number)"
        }
        return unused
    }

    private static func letters(of text: some StringProtocol) -> String {
        String(decoding: text.utf8.filter { $0.isWord && $0 < 0x80 }, as: UTF8.self)
    }
}
