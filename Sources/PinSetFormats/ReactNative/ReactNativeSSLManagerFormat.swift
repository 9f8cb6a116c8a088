internal import Encodings
public import PinSetCodec
internal import Pinning

/// The `ssl_config.json` of react-native-ssl-manager 2.1 and later:
///
/// ```json
/// {
///   "sha256Keys": { "example.com": ["sha256/…"] },
///   "domains": { "example.com": { "enforcePinning": true, "expirationDate": "2027-06-30", "includeSubdomains": true } }
/// }
/// ```
///
/// A host without an entry in `domains` is enforced, covers its subdomains and does not expire (huytdps13400/react-native-ssl-manager
/// 2.2.0, android/…/SslConfigStore.kt, PinningClientConfigurator.kt, ios/SharedLogic.swift). The reader also takes object literals in
/// JavaScript and TypeScript.
enum ReactNativeSSLManagerFormat: ReactNativeCodec {
    static let traits = FormatTraits(
        name: "react-native-ssl-manager", summary: "ssl_config.json of react-native-ssl-manager",
        fileName: "ssl_config.json", generatedFile: .noWarnings, platforms: [.reactNativeSSLManager],
        capabilities: FormatCapabilities(
            subdomains: [.none, .all], expiry: .day, saysReportOnly: true, takesAddresses: false, minimumPins: 2,
            countsPinsOfReportOnly: false))

    static let includesSubdomainsByDefault = true
    static let enforcementKey: String? = "enforcePinning"
    private static let key = "sha256Keys"

    static func recognizes(_ file: FileContents) -> Bool {
        file.json?.hasOuter(key) ?? false || ReactNativeSource.names(key, in: file.bytes)
    }

    // MARK: Reading

    /// The options of a host in `domains`.
    private struct Options {
        var enforce = true
        var expires: Timestamp?
        var includesSubdomains: Bool?
    }

    static func read(_ bytes: [UInt8]) throws(PinSetFormatError) -> PinSetReading {
        var warnings = ConversionWarnings()
        if !(JSONOutline(bytes)?.hasOuter(key) ?? false), ReactNativeSource.names(key, in: bytes) {
            var source = ReactNativeSource(bytes)
            return try reading(
                of: source.hostsOfKeys(&warnings), &warnings,
                example: "they look like: { \"sha256Keys\": { \"example.com\": [\"sha256/…\"] } }")
        }
        var hosts: [JSONMember]?
        var options: [String: Options] = [:]
        let root = try document(bytes)
        for member in try members(of: root, .set) {
            switch member.key {
            case key: hosts = try members(of: member.value, .key(key))
            case "domains":
                for domain in try members(of: member.value, .key("domains")) {
                    options[domain.key] = try Self.options(of: domain, &warnings)
                }
            case "reportUris": warnings.add(.notRepresented(member.key.quotedExcerpt))
            default: warnings.add(.unknownKey(member.key))
            }
        }
        guard let hosts else {
            throw error(.missing(key, in: .set), at: root.position)
        }
        var entries: [PinSet.Entry] = []
        for host in hosts {
            let pins = try pins(host.value, .entry(host.key))
            let options = options.removeValue(forKey: host.key) ?? Options()
            let isAddress = IPAddress(host.key) != nil
            entries.append(
                try entry(
                    host.key, subdomains: options.includesSubdomains ?? !isAddress ? .all : .none,
                    expires: options.expires, enforce: options.enforce, pins: pins, at: host.position))
        }
        // The library warns about them and applies nothing.
        for name in options.keys.sorted() { warnings.add(.hostWithoutPins, of: name) }
        return PinSetReading(set: try set(entries), warnings: warnings.list)
    }

    private static func options(
        of domain: JSONMember, _ warnings: inout ConversionWarnings
    ) throws(PinSetFormatError) -> Options {
        var options = Options()
        for field in try members(of: domain.value, .entry(domain.key)) {
            let name = PinSetFormatError.Part.key(field.key)
            switch field.key {
            case "enforcePinning": options.enforce = try bool(field.value, name)
            case "includeSubdomains": options.includesSubdomains = try bool(field.value, name)
            case "expirationDate":
                let text = try string(field.value, name)
                guard text.utf8.count == 10, let date = Timestamp(rfc3339: text) else {
                    throw error(.dayExpected(key: field.key, found: text), at: field.value.position)
                }
                options.expires = date
            default: warnings.add(.unknownKey(field.key), of: domain.key)
            }
        }
        return options
    }

    // MARK: Writing

    static func write(_ set: PinSet) throws(PinSetFormatError) -> PinSetWriting {
        var warnings = ConversionWarnings()
        let entries = try traits.capabilities.writable(set, as: format, &warnings)
        var writer = JSONWriter(.pretty)
        writer.object { document in
            document.object("sha256Keys") { keys in
                for entry in entries { keys.field(entry.host, entry.pins.map { "sha256/\($0.pin.base64)" }) }
            }
            document.object("domains") { domains in
                for entry in entries {
                    domains.object(entry.host) { fields in
                        fields.field("enforcePinning", entry.entry.enforce)
                        if let expires = entry.expires { fields.field("expirationDate", expires.date) }
                        fields.field("includeSubdomains", entry.subdomains == .all)
                    }
                }
            }
        }
        writer.endLine()
        return PinSetWriting(writer.output, warnings)
    }
}

extension PinSetFormat {
    public static let reactNativeSSLManager = PinSetFormat(ReactNativeSSLManagerFormat.self)
}
