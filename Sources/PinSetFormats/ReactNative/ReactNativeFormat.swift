internal import Encodings
public import PinSetCodec
internal import Pinning

/// The options of react-native-ssl-public-key-pinning: TrustKit on iOS, OkHttp on Android.
///
/// ```json
/// { "example.com": { "includeSubdomains": true, "publicKeyHashes": ["…"], "expirationDate": "2027-06-01" } }
/// ```
///
/// The reader takes JSON, and object literals in JavaScript and TypeScript, such as the argument of `initializeSslPinning({…})`.
/// (frw/react-native-ssl-public-key-pinning 1.2.6, src/types.ts, ios/SslPublicKeyPinning.mm,
/// android/…/SslPublicKeyPinningModule.java.)
enum ReactNativeFormat: ReactNativeCodec {
    static let traits = FormatTraits(
        name: "react-native",
        summary: "react-native-ssl-public-key-pinning, as JSON or in a call of initializeSslPinning",
        fileName: "ssl-pinning.json",
        generatedFile: .noWarnings, platforms: [.reactNative],
        capabilities: FormatCapabilities(
            subdomains: [.none, .all], expiry: .day, takesAddresses: false, minimumPins: 2))

    static func recognizes(_ file: FileContents) -> Bool {
        file.json?.hasInner(key) ?? false || ReactNativeSource.names(key, in: file.bytes)
    }

    static let includesSubdomainsByDefault = false
    static let enforcementKey: String? = nil
    private static let key = "publicKeyHashes"

    static func read(_ bytes: [UInt8]) throws(PinSetFormatError) -> PinSetReading {
        var warnings = ConversionWarnings()
        if !(JSONOutline(bytes)?.hasInner(key) ?? false), ReactNativeSource.names(key, in: bytes) {
            var source = ReactNativeSource(bytes)
            return try reading(
                of: source.hostsOfHashes(&warnings), &warnings,
                example: "they look like: initializeSslPinning({ \"example.com\": { publicKeyHashes: [\"…\"] } })")
        }
        var entries: [PinSet.Entry] = []
        for member in try members(of: try document(bytes), .set) {
            entries.append(try entry(member, &warnings))
        }
        return PinSetReading(set: try set(entries), warnings: warnings.list)
    }

    private static func entry(
        _ member: JSONMember, _ warnings: inout ConversionWarnings
    ) throws(PinSetFormatError) -> PinSet.Entry {
        var includesSubdomains = false
        var expires: Timestamp?
        var pins: [PinSet.PinnedKey]?
        for field in try members(of: member.value, .entry(member.key)) {
            switch field.key {
            case "includeSubdomains": includesSubdomains = try bool(field.value, .key(field.key))
            case "publicKeyHashes": pins = try Self.pins(field.value, .key(field.key))
            case "expirationDate":
                let text = try string(field.value, .key(field.key))
                guard text.utf8.count == 10, let date = Timestamp(rfc3339: text) else {
                    throw error(.dayExpected(key: field.key, found: text), at: field.value.position)
                }
                expires = date
            default: warnings.add(.unknownKey(field.key), of: member.key)
            }
        }
        guard let pins else {
            throw error(.missing("publicKeyHashes", in: .entry(member.key)), at: member.value.position)
        }
        return try entry(
            member.key, subdomains: includesSubdomains ? .all : .none, expires: expires, pins: pins, at: member.position
        )
    }

    static func write(_ set: PinSet) throws(PinSetFormatError) -> PinSetWriting {
        var warnings = ConversionWarnings()
        let entries = try traits.capabilities.writable(set, as: format, &warnings)
        var writer = JSONWriter(.pretty)
        writer.object { document in
            for entry in entries {
                document.object(entry.host) { fields in
                    fields.field("includeSubdomains", entry.subdomains == .all)
                    fields.field("publicKeyHashes", entry.pins.map(\.pin.base64))
                    if let expires = entry.expires { fields.field("expirationDate", expires.date) }
                }
            }
        }
        writer.endLine()
        return PinSetWriting(writer.output, warnings)
    }
}

extension PinSetFormat {
    public static let reactNative = PinSetFormat(ReactNativeFormat.self)
}
