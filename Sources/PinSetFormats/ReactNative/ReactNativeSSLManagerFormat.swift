internal import Encodings
public import PinSetCodec
internal import Pinning

/// The `ssl_config.json` of react-native-ssl-manager: `{ "sha256Keys": { "host": ["sha256/…"] } }`.
enum ReactNativeSSLManagerFormat: PinSetCodec {
    static let traits = FormatTraits(
        name: "react-native-ssl-manager", summary: "ssl_config.json of react-native-ssl-manager",
        fileName: "ssl_config.json", generatedFile: .noWarnings,
        capabilities: FormatCapabilities(takesAddresses: false, minimumPins: 2))

    static func recognizes(_ file: FileContents) -> Bool {
        file.json?.hasOuter("sha256Keys") ?? false
    }

    static func read(_ bytes: [UInt8]) throws(PinSetFormatError) -> PinSetReading {
        var warnings = ConversionWarnings()
        var hosts: [JSONMember]?
        let root = try document(bytes)
        for member in try members(of: root, .set) {
            guard member.key == "sha256Keys" else {
                warnings.add(.unknownKey(member.key))
                continue
            }
            hosts = try members(of: member.value, .key("sha256Keys"))
        }
        guard let hosts else {
            throw error(.missing("sha256Keys", in: .set), at: root.position)
        }
        var entries: [PinSet.Entry] = []
        for host in hosts {
            let pins = try pins(host.value, .entry(host.key))
            entries.append(try entry(host.key, pins: pins, at: host.position))
        }
        return PinSetReading(set: try set(entries), warnings: warnings.list)
    }

    static func write(_ set: PinSet) throws(PinSetFormatError) -> PinSetWriting {
        var warnings = ConversionWarnings()
        let entries = try traits.capabilities.writable(set, as: format, &warnings)
        var writer = JSONWriter(.pretty)
        writer.object { document in
            document.object("sha256Keys") { keys in
                for entry in entries { keys.field(entry.host, entry.pins.map { "sha256/\($0.pin.base64)" }) }
            }
        }
        writer.endLine()
        return PinSetWriting(writer.output, warnings)
    }
}

extension PinSetFormat {
    public static let reactNativeSSLManager = PinSetFormat(ReactNativeSSLManagerFormat.self)
}
