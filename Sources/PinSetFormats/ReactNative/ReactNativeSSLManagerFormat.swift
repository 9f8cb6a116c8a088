internal import Encodings
public import PinSetCodec
internal import Pinning

/// The `ssl_config.json` of react-native-ssl-manager, from version 2.1:
///
/// ```json
/// {
///   "sha256Keys": { "example.com": ["sha256/…", "sha256/…"] },
///   "domains": { "example.com": { "enforcePinning": true, "expirationDate": "2027-06-01", "includeSubdomains": true } }
/// }
/// ```
///
/// (react-native-ssl-manager 2.2.0, android/…/SslConfigStore.kt, ios/SharedLogic.swift, src/config.ts.) Without an entry in
/// `domains`, pins are enforced, include subdomains and do not expire. Versions before 2.1 do not read `domains`.
enum ReactNativeSSLManagerFormat: PinSetCodec {
    static let traits = FormatTraits(
        name: "react-native-ssl-manager", summary: "ssl_config.json of react-native-ssl-manager",
        fileName: "ssl_config.json", generatedFile: .noWarnings, platforms: [.reactNativeSSLManager],
        capabilities: FormatCapabilities(
            subdomains: [.none, .all], expiry: .day, saysReportOnly: true, takesAddresses: false, minimumPins: 2,
            countsPinsOfReportOnly: false))

    static func recognizes(_ file: FileContents) -> Bool {
        file.json?.hasOuter("sha256Keys") ?? false
    }

    /// The settings of a host in `domains`.
    struct Settings {
        var enforces = true
        var expires: Timestamp?
        var includesSubdomains = true
    }

    // MARK: Reading

    static func read(_ bytes: [UInt8]) throws(PinSetFormatError) -> PinSetReading {
        var warnings = ConversionWarnings()
        let hosts = try hosts(bytes, &warnings)
        var entries: [PinSet.Entry] = []
        for (member, settings) in hosts {
            let pins = try pins(member.value, .entry(member.key))
            entries.append(
                try entry(
                    member.key, subdomains: settings.includesSubdomains ? .all : .none, expires: settings.expires,
                    enforce: settings.enforces, pins: pins, at: member.position))
        }
        return PinSetReading(set: try set(entries), warnings: warnings.list)
    }

    /// The hosts with pins and their settings.
    static func hosts(
        _ bytes: [UInt8], _ warnings: inout ConversionWarnings
    ) throws(PinSetFormatError) -> [(member: JSONMember, settings: Settings)] {
        var hosts: [JSONMember]?
        var settings: [String: Settings] = [:]
        let root = try document(bytes)
        for member in try members(of: root, .set) {
            switch member.key {
            case "sha256Keys": hosts = try members(of: member.value, .key("sha256Keys"))
            case "domains":
                for domain in try members(of: member.value, .key("domains")) {
                    settings[domain.key] = try Self.settings(domain, &warnings)
                }
            case "reportUris": warnings.add(.notRepresented(member.key.quotedExcerpt))
            default: warnings.add(.unknownKey(member.key))
            }
        }
        guard let hosts else {
            throw error(.missing("sha256Keys", in: .set), at: root.position)
        }
        for host in settings.keys.sorted() where !hosts.contains(where: { $0.key == host }) {
            warnings.add(.hostWithoutPins, of: host)
        }
        return hosts.map { ($0, settings[$0.key] ?? Settings()) }
    }

    private static func settings(
        _ domain: JSONMember, _ warnings: inout ConversionWarnings
    ) throws(PinSetFormatError) -> Settings {
        var settings = Settings()
        for field in try members(of: domain.value, .entry(domain.key)) {
            switch field.key {
            case "enforcePinning": settings.enforces = try bool(field.value, .key(field.key))
            case "includeSubdomains": settings.includesSubdomains = try bool(field.value, .key(field.key))
            case "expirationDate":
                let text = try string(field.value, .key(field.key))
                guard text.utf8.count == 10, let day = Timestamp(rfc3339: text) else {
                    throw error(.dayExpected(key: field.key, found: text), at: field.value.position)
                }
                settings.expires = day
            default: warnings.add(.unknownKey(field.key), of: domain.key)
            }
        }
        return settings
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
