internal import Encodings
public import PinSetCodec
internal import Pinning
internal import PropertyLists

/// The options of react-native-ssl-public-key-pinning: TrustKit on iOS, OkHttp on Android.
///
/// ```json
/// { "example.com": { "includeSubdomains": true, "publicKeyHashes": ["…"], "expirationDate": "2027-06-01" } }
/// ```
enum ReactNativeFormat: PinSetCodec {
    static let traits = FormatTraits(
        name: "react-native", summary: "react-native-ssl-public-key-pinning", fileName: "ssl-pinning.json",
        generatedFile: .json, platforms: [.reactNative],
        lintRules: [.minimumPins(consequence: "on iOS TrustKit does not start, and no host is pinned")],
        capabilities: FormatCapabilities(
            subdomains: [.none, .all], expiry: .day, takesAddresses: false, minimumPins: 2))

    static func recognizes(_ file: FileContents) -> Bool {
        if file.json != nil { return file.hasKey("publicKeyHashes") }
        return file.bytes.has("publicKeyHashes")
            && (file.bytes.has("initializeSslPinning") || JavaScript.isLikely(file.bytes))
    }

    static func read(_ bytes: [UInt8]) throws(PinSetFormatError) -> PinSetReading {
        var warnings = ConversionWarnings()
        let (hosts, isWhole) = try hosts(in: bytes, &warnings)
        // On iOS, the library passes an empty list to TrustKit, which requires two pins, and then pins nothing.
        return try reading(of: hosts, isWhole: isWhole, emptyListsRejectedBy: "TrustKit", warnings)
    }

    /// The hosts that the app passes to the library.
    ///
    /// - Returns: the hosts, and whether the file contains nothing else.
    static func hosts(
        in bytes: [UInt8], _ warnings: inout ConversionWarnings
    ) throws(PinSetFormatError) -> (hosts: [ReactNativeHost], isWhole: Bool) {
        if let json = JSONOutline(bytes) {
            let root = try document(bytes)
            let isInner = json.hasInner("publicKeyHashes") && !root.hasOtherMembers
            guard isInner || !bytes.has("\"publicKeyHashes\"") else {
                // The object is a part of another file, such as `extra` in the app.json of Expo.
                return (try hosts(in: root, &warnings), false)
            }
            var hosts: [ReactNativeHost] = []
            for member in try members(of: root, .set) { hosts.append(try host(member, &warnings)) }
            return (hosts, true)
        }
        // In JavaScript, the options are the argument of `initializeSslPinning`.
        let objects = try literals(of: bytes, &warnings) { reader throws(PinSetFormatError) in
            try reader.objects(withKeys: ["publicKeyHashes"]) { $0.hasPublicKeyHashes }
        }
        guard !objects.isEmpty else { throw error(.missing("publicKeyHashes", in: .file)) }
        var hosts: [ReactNativeHost] = []
        for object in objects { hosts += try self.hosts(in: object, &warnings) }
        return (hosts, false)
    }

    /// Reads the hosts of an object or an array, which may be nested in others.
    private static func hosts(
        in value: JSONValue, _ warnings: inout ConversionWarnings
    ) throws(PinSetFormatError) -> [ReactNativeHost] {
        var hosts: [ReactNativeHost] = []
        if case .array(let values) = value.content {
            for value in values { hosts += try self.hosts(in: value, &warnings) }
        }
        guard case .object(let members) = value.content else { return hosts }
        for member in members {
            guard case .object(let fields) = member.value.content else {
                hosts += try self.hosts(in: member.value, &warnings)
                continue
            }
            if member.key.isSame(as: "publicKeyHashes") {
                hosts += try self.hosts(ofLists: fields, &warnings)
            } else if fields.contains(where: { $0.key.isSame(as: "publicKeyHashes") && !$0.value.isObject }) {
                hosts.append(try host(member, &warnings))
            } else {
                hosts += try self.hosts(in: member.value, &warnings)
            }
        }
        return hosts
    }

    /// Reads hosts with lists of pins and no settings, which an app passes to the library in its own code. An empty list is left out,
    /// because it is not known what this code does with it.
    private static func hosts(
        ofLists lists: [JSONMember], _ warnings: inout ConversionWarnings
    ) throws(PinSetFormatError) -> [ReactNativeHost] {
        var hosts: [ReactNativeHost] = []
        for host in lists {
            let pins = try Self.pins(host.value, .key(host.key), by: .trustKit, of: host.key, &warnings)
            guard !pins.isEmpty else {
                warnings.add(.hostWithoutPins, of: host.key)
                continue
            }
            if let entry = try readableEntry(host.key, pins: pins, at: host.position, &warnings) {
                warnings.add(spellingOf: entry)
                var given = ReactNativeHost(host.key, at: host.position)
                (given.pins, given.entry) = (host.value.texts, entry)
                hosts.append(given)
            }
        }
        if !hosts.isEmpty { warnings.add(.codeNotRead) }
        return hosts
    }

    private static func host(
        _ member: JSONMember, _ warnings: inout ConversionWarnings
    ) throws(PinSetFormatError) -> ReactNativeHost {
        var host = ReactNativeHost(member.key, at: member.position)
        var pins: [PinSet.PinnedKey]?
        for field in try members(of: member.value, .entry(member.key)) {
            switch ExactText(field.key) {
            case "includeSubdomains": host.includesSubdomains = try bool(field.value, .key(field.key))
            case "publicKeyHashes":
                pins = try Self.pins(field.value, .key(field.key), by: .trustKit, of: member.key, &warnings)
                host.pins = field.value.texts
            case "expirationDate":
                let text = try string(field.value, .key(field.key))
                guard text.utf8.count == 10, let date = Timestamp(rfc3339: text) else {
                    throw error(.dayExpected(key: field.key, found: text), at: field.value.position)
                }
                host.expires = date
            default: warnings.add(.unknownKey(field.key), of: member.key)
            }
        }
        guard let pins else {
            throw error(.missing("publicKeyHashes", in: .entry(member.key)), at: member.value.position)
        }
        guard !pins.isEmpty else {
            warnings.add(.hostWithoutPins, of: member.key)
            return host
        }
        host.entry = try readableEntry(
            member.key, subdomains: host.subdomains, expires: host.expires, pins: pins, at: member.position, &warnings)
        if let entry = host.entry { warnings.add(spellingOf: entry) }
        return host
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

extension ConversionWarnings {
    /// Adds a warning if the host of an entry has a spelling that TrustKit does not find on iOS (configuration_utils.m).
    mutating func add(spellingOf entry: PinSet.Entry) {
        guard !TrustKitFormat.isFound(entry.host, as: entry.name) else { return }
        add(.hostSpelling(written: entry.name, line: entry.position?.line), of: entry.host)
    }
}

extension JSONValue {
    fileprivate var isObject: Bool { if case .object = content { true } else { false } }
}

extension PropertyListValue {
    /// Whether the object contains a host with pins, at any depth.
    fileprivate var hasPublicKeyHashes: Bool {
        members?.contains { $0.value["publicKeyHashes"]?.array != nil || $0.value.hasPublicKeyHashes } ?? false
    }
}

extension JSONValue {
    /// Whether the members of the object are not all hosts: one is no object, or has an object of lists by host.
    fileprivate var hasOtherMembers: Bool {
        guard case .object(let members) = content else { return false }
        return members.contains { member in
            guard case .object(let fields) = member.value.content else { return true }
            return fields.contains { $0.key.isSame(as: "publicKeyHashes") && $0.value.isObject }
        }
    }
}

extension PinSetFormat {
    public static let reactNative = PinSetFormat(ReactNativeFormat.self)
}
