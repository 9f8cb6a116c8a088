internal import Encodings
public import PinSetCodec
internal import Pinning
internal import PropertyLists

/// The `ssl_config.json` of react-native-ssl-manager, from version 2.1:
///
/// ```json
/// {
///   "sha256Keys": { "example.com": ["sha256/…", "sha256/…"] },
///   "domains": { "example.com": { "enforcePinning": true, "expirationDate": "2027-06-01", "includeSubdomains": true } }
/// }
/// ```
///
/// (react-native-ssl-manager 2.2.0, android/…/SslConfigStore.kt, ios/SharedLogic.swift, src/config.ts.) If a host has no entry in
/// `domains`, its pins are enforced, include subdomains and do not expire. Versions before 2.1 do not read `domains`.
enum ReactNativeSSLManagerFormat: PinSetCodec {
    static let traits = FormatTraits(
        name: "react-native-ssl-manager", summary: "ssl_config.json of react-native-ssl-manager",
        fileName: "ssl_config.json", generatedFile: .json, platforms: [.reactNativeSSLManager],
        lintRules: [.minimumPins(consequence: "on iOS TrustKit stops the app")],
        capabilities: FormatCapabilities(
            subdomains: [.none, .all], expiry: .day, supportsReportOnly: true, takesAddresses: false, minimumPins: 2,
            countsPinsOfReportOnly: false))

    private static let key = "sha256Keys"
    /// The key of react-native-cert-pinner's `pinset.json`: `{ "domains": { "host": { "pins": ["sha256/…"] } } }`.
    private static let domainsKey = "domains"

    static func recognizes(_ file: FileContents) -> Bool {
        let hasPins = file.bytes.has("\"sha256/") || file.bytes.has("'sha256/")
        if let json = file.json {
            return json.hasOuter(key) || json.hasOuter(domainsKey) && hasPins && file.bytes.has("\"pins\"")
        }
        return (file.bytes.has(key) || hasPins) && JavaScript.isLikely(file.bytes)
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
        let (hosts, isWhole) = try hosts(in: bytes, &warnings)
        // The library does not start TrustKit (ios/SharedLogic.swift, `validateAndCleanPins`).
        return try reading(
            of: hosts, isWhole: isWhole, emptyListsRejectedBy: "react-native-ssl-manager on iOS", warnings)
    }

    /// The hosts of a configuration.
    ///
    /// - Returns: the hosts, and whether the file contains nothing else.
    static func hosts(
        in bytes: [UInt8], _ warnings: inout ConversionWarnings
    ) throws(PinSetFormatError) -> (hosts: [ReactNativeHost], isWhole: Bool) {
        if JSONOutline(bytes) != nil { return (try hosts(of: try document(bytes), isWhole: true, &warnings), true) }
        // In JavaScript, the configuration is the argument of `setSSLConfig`, or another object with hosts and pins.
        let objects = try literals(of: bytes, &warnings) { reader throws(PinSetFormatError) in
            try reader.objects(withKeys: [key, domainsKey]) {
                $0[key]?.members != nil || $0.isHosts || $0[domainsKey]?.isHosts ?? false
            } + reader.valuesFromStart(of: key)
        }
        guard !objects.isEmpty else { throw error(.missing(key, in: .file)) }
        var found: [ReactNativeHost] = []
        for object in objects { found += try hosts(of: object, isWhole: false, &warnings) }
        return (found, false)
    }

    /// The hosts of an object.
    ///
    /// - Parameter isWhole: whether the object is the whole file, which contains nothing else. If not, the object can be the
    ///   dictionary of hosts itself.
    private static func hosts(
        of root: JSONValue, isWhole: Bool, _ warnings: inout ConversionWarnings
    ) throws(PinSetFormatError) -> [ReactNativeHost] {
        let fields = try members(of: root, .set)
        let domains = fields.first { $0.key.isSame(as: domainsKey) }?.value
        guard let hosts = fields.first(where: { $0.key.isSame(as: key) })?.value else {
            if let domains, case .object(let hosts) = domains.content,
                hosts.contains(where: { pins(inDomain: $0) != nil })
            {
                warnings.add(.otherLayout("react-native-cert-pinner"))
                return try self.hosts(ofPinner: hosts, &warnings)
            }
            guard !isWhole else { throw error(.missing(key, in: .set), at: root.position) }
            return try self.hosts(fields.map { ($0, Settings()) }, &warnings)
        }
        var settings: [ExactText: Settings] = [:]
        var names: [String] = []
        if let domains {
            for domain in try members(of: domains, .key(domainsKey)) {
                settings[ExactText(domain.key)] = try Self.settings(domain, &warnings)
                names.append(domain.key)
            }
        }
        for field in fields where !field.key.isSame(as: key) && !field.key.isSame(as: domainsKey) {
            warnings.add(
                field.key == "reportUris" ? .notRepresented(field.key.quotedExcerpt) : .unknownKey(field.key))
        }
        let members = try members(of: hosts, .key(key))
        let pinned = Set(members.map { ExactText($0.key) })
        for host in names.sorted() where !pinned.contains(ExactText(host)) { warnings.add(.hostWithoutPins, of: host) }
        return try self.hosts(members.map { ($0, settings[ExactText($0.key)] ?? Settings()) }, &warnings)
    }

    private static func hosts(
        _ members: [(member: JSONMember, settings: Settings)], _ warnings: inout ConversionWarnings
    ) throws(PinSetFormatError) -> [ReactNativeHost] {
        var hosts: [ReactNativeHost] = []
        for (member, settings) in members {
            let (key, value) = (member.key, member.value)
            var host = ReactNativeHost(key, at: member.position)
            (host.enforces, host.expires) = (settings.enforces, settings.expires)
            host.includesSubdomains = settings.includesSubdomains
            let pins = try pins(value, .entry(key), after: "sha256/", by: .trustKit, of: key, &warnings)
            host.pins = value.texts
            if pins.isEmpty {
                warnings.add(.hostWithoutPins, of: key)
            } else {
                host.entry = try readableEntry(
                    key, subdomains: host.subdomains, expires: host.expires, enforce: host.enforces, pins: pins,
                    at: member.position, &warnings)
            }
            if let entry = host.entry { warnings.add(spellingOf: entry) }
            hosts.append(host)
        }
        return hosts
    }

    /// The hosts of react-native-cert-pinner, which passes them to OkHttp as patterns.
    private static func hosts(
        ofPinner members: [JSONMember], _ warnings: inout ConversionWarnings
    ) throws(PinSetFormatError) -> [ReactNativeHost] {
        var hosts: [ReactNativeHost] = []
        for host in members {
            guard let list = pins(inDomain: host) else {
                throw error(.missing("pins", in: .entry(host.key)), at: host.value.position)
            }
            let pins = try pins(list, .entry(host.key), after: "sha256/", by: .okHttp, of: host.key, &warnings)
            guard !pins.isEmpty else {
                warnings.add(.hostWithoutPins, of: host.key)
                continue
            }
            let isPattern = host.key.hasPrefix("*.")
            let entry = try readableEntry(
                isPattern ? String(host.key.dropFirst(2)) : host.key, writtenAs: host.key,
                subdomains: isPattern ? .one : .none, pins: pins, at: host.position, &warnings)
            if let entry { hosts.append(ReactNativeHost(entry, prefix: "sha256/")) }
        }
        return hosts
    }

    private static func pins(inDomain member: JSONMember) -> JSONValue? {
        guard case .object(let members) = member.value.content else { return nil }
        return members.first { $0.key == "pins" }?.value
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

extension PropertyListValue {
    /// Whether the object is a dictionary of hosts: every member is an array of strings, or an object with such an array under
    /// "pins", and at least one string is a pin.
    fileprivate var isHosts: Bool {
        guard let members, !members.isEmpty else { return false }
        let lists = members.map { $0.value.array ?? $0.value["pins"]?.array }
        return lists.allSatisfy { $0?.allSatisfy { $0.string != nil } ?? false }
            && lists.contains { $0?.contains { $0.string?.hasPrefix("sha256/") ?? false } ?? false }
    }
}

extension PinSetFormat {
    public static let reactNativeSSLManager = PinSetFormat(ReactNativeSSLManagerFormat.self)
}
