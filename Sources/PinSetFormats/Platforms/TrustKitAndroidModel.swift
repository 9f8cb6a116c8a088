internal import Encodings
internal import PinSetCodec
internal import Pinning
internal import PublicSuffixes
internal import XMLDocuments

/// A `network_security_config.xml` as TrustKit for Android reads it (TrustKit-Android 1.1.5, config/TrustKitConfigurationParser.java,
/// config/DomainPinningPolicy.java, config/TrustKitConfiguration.java).
///
/// Before Android 7, TrustKit compares the pins itself. From Android 7 on, the system enforces the pins of the file. If TrustKit
/// does not enforce them, it only reports the mismatch.
struct TrustKitAndroidModel: PlatformModel {
    /// A `<domain-config>`. TrustKit uses only one host of it: the last `<domain>`.
    struct Policy {
        let host: String
        let includesSubdomains: Bool
        /// The pins whose text is canonical base64. TrustKit compares texts, so pins in other spellings never match.
        let pins: Set<Pin>
        let expires: Timestamp?
        let enforces: Bool
        /// The other `<domain>` elements.
        let ignored: [String]
        let offset: Int
    }

    let android: AndroidModel
    let policies: [Policy]
    private let indices: [ExactText: Int]
    let failure: AndroidModelReader.Failure?
    /// Whether the file has an element of TrustKit.
    let namesTrustKit: Bool

    init(_ document: XMLDocument) {
        android = AndroidModel(document)
        var reader = TrustKitAndroidReader()
        var failure: AndroidModelReader.Failure?
        do throws(AndroidModelReader.Failure) {
            try reader.read(document.root)
        } catch {
            failure = error
        }
        policies = reader.policies
        namesTrustKit = reader.namesTrustKit
        var indices: [ExactText: Int] = [:]
        for (index, policy) in policies.enumerated() {
            guard indices.updateValue(index, forKey: ExactText(policy.host)) != nil, failure == nil else { continue }
            failure = .init(message: "\(policy.host) has two policies", offset: policy.offset)
        }
        self.indices = indices
        self.failure = failure
    }

    func refusal(of connection: PlatformConnection) -> PlatformRuling? {
        if let failure {
            return PlatformRuling(
                .refusesConfig, "\(failure.message): TrustKit throws an exception, and the app stops")
        }
        return android.refusal(of: connection)
    }

    func ruling(on connection: PlatformConnection) -> PlatformRuling {
        guard !connection.isAddress else {
            return PlatformRuling(.rejects, "TrustKit throws an exception for a host that is an IP address")
        }
        guard let policy = policy(for: connection) else {
            let other = policies.first { $0.ignored.contains(connection.host) }
            let reason =
                other.map { "TrustKit uses only the last domain of a domain-config, \($0.host)" }
                ?? "no policy covers this host"
            return PlatformRuling(.notPinned, reason + note(on: connection, .notPinned))
        }
        let expiry = AndroidExpiry(of: policy.expires, at: connection.now)
        if expiry.isOver { return PlatformRuling(.notPinned, expiry.sentence) }
        let config = connection.shown(policy.host, subdomains: "includeSubdomains")
        let ruling = connection.rulingAnywhere(
            policy.pins, of: "the longest domain-config that covers the host, \(config),", note: expiry.note)
        guard ruling.verdict == .rejects, !policy.enforces else { return ruling }
        return PlatformRuling(
            .accepts,
            "\(ruling.rule), which TrustKit only reports without enforcePinning=\"true\""
                + note(on: connection, .accepts))
    }

    /// A note on Android's own behaviour, if it differs from TrustKit's.
    private func note(on connection: PlatformConnection, _ verdict: PlatformVerdict.Verdict) -> String {
        guard !connection.chain.isEmpty, android.ruling(on: connection).verdict == .rejects else { return "" }
        return "; Android 7 and later enforces the pins itself and rejects the connection"
    }

    /// The policy that applies (`TrustKitConfiguration.getPolicyForHostname`): that of the host itself, otherwise that of the
    /// longest parent domain with subdomains. Texts are compared as they are written.
    private func policy(for connection: PlatformConnection) -> Policy? {
        if let index = indices[ExactText(connection.host)] { return policies[index] }
        return connection.parents.lazy.compactMap { indices[ExactText($0)] }.map { policies[$0] }.first(
            where: \.includesSubdomains)
    }
}

extension TrustKitAndroidModel {
    var traps: [PlatformTrap] {
        guard namesTrustKit else { return [] }
        let document = android.document
        var traps: [PlatformTrap] = []
        if let failure {
            traps.append(
                PlatformTrap(
                    .stopsApp, "TrustKit for Android rejects the file and stops the app: \(failure.message)",
                    at: document.position(of: failure.offset)))
        }
        for policy in policies {
            for other in policy.ignored {
                traps.append(
                    PlatformTrap(
                        .unpinned, host: other,
                        "TrustKit for Android ignores \(other.quotedExcerpt): it uses only the last domain of a"
                            + " <domain-config>, \(policy.host.quotedExcerpt)",
                        hint: "write one <domain-config> for each domain", at: document.position(of: policy.offset)))
            }
            if policy.host != policy.host.lowercased() {
                traps.append(
                    PlatformTrap(
                        .caseSensitive, host: policy.host,
                        "TrustKit for Android never finds \(policy.host.quotedExcerpt), because hosts are looked up in lower case",
                        hint: "write \(policy.host.withoutPrivateKeys.lowercased().quotedExcerpt)",
                        at: document.position(of: policy.offset)))
            }
        }
        return traps
    }
}

/// Reads the `<domain-config>` elements of a file as TrustKit for Android does.
private struct TrustKitAndroidReader {
    private typealias Failure = AndroidModelReader.Failure

    private struct Inherited {
        var includesSubdomains = false
        var pins: [String] = []
        var expires: Timestamp?
        var enforces = false
        var reportAddresses: [XMLElement] = []
    }

    private(set) var policies: [TrustKitAndroidModel.Policy] = []
    private(set) var namesTrustKit = false

    mutating func read(_ root: XMLElement) throws(AndroidModelReader.Failure) {
        for child in root.children where child.localName == "domain-config" { try read(child, Inherited()) }
    }

    private mutating func read(_ element: XMLElement, _ inherited: Inherited) throws(Failure) {
        var own = inherited
        var host: String?
        var others: [String] = []
        for child in element.children {
            switch child.localName {
            case "domain":
                if let host { others.append(AndroidModelReader.trimmed(host)) }
                host = child.text
                if let attribute = child.attribute("includeSubdomains") {
                    own.includesSubdomains = PlatformBool.java(attribute.value)
                } else {
                    own.includesSubdomains = inherited.includesSubdomains
                }
            case "pin-set":
                own.pins = try pins(of: child)
                if let attribute = child.attribute("expiration") {
                    guard let day = PlatformDate.simpleDateFormat(attribute.value) else {
                        throw failure("the expiration \(attribute.value.quotedExcerpt) is not a day", child)
                    }
                    own.expires = day
                }
            case "trustkit-config":
                namesTrustKit = true
                own.enforces = child.attribute("enforcePinning").map { PlatformBool.java($0.value) } ?? false
                own.reportAddresses = child.children.filter { $0.localName == "report-uri" }
            default: break
            }
        }
        if let host, !own.pins.isEmpty || own.enforces { try add(host, own, others, element) }
        for child in element.children where child.localName == "domain-config" { try read(child, own) }
    }

    private func pins(of pinSet: XMLElement) throws(Failure) -> [String] {
        var pins: [String] = []
        for pin in pinSet.children where pin.localName == "pin" {
            guard let digest = pin.attribute("digest"), digest.value == "SHA-256" else {
                throw failure("the digest of a <pin> is not \"SHA-256\" in this spelling", pin)
            }
            pins.append(pin.text)
        }
        return pins
    }

    private mutating func add(
        _ host: String, _ own: Inherited, _ ignored: [String], _ element: XMLElement
    ) throws(Failure) {
        guard DomainRegistry.shared.isValidOnAndroid(host) else {
            throw failure(
                "\(host.withoutUserInfo.quotedExcerpt) is not a domain name below a top-level domain of April 2016",
                element)
        }
        if own.enforces, Set(own.pins).count < 2 {
            throw failure("\(host) enforces its pins and has \(own.pins.count == 1 ? "one" : "none"), not two", element)
        }
        var pins: Set<Pin> = []
        for text in own.pins {
            guard PlatformBase64.android(text)?.count == 32 else {
                throw failure("the pin \(text.quotedExcerpt) is not base64 of 32 bytes", element)
            }
            let trimmed = AndroidModelReader.trimmed(text)
            if let bytes = try? Base64.decode(trimmed), let pin = Pin(digest: bytes) { pins.insert(pin) }
        }
        for address in own.reportAddresses where !Self.isURL(AndroidModelReader.trimmed(address.text)) {
            throw failure("the <report-uri> \(address.text.quotedExcerpt) is not a URL", address)
        }
        policies.append(
            .init(
                host: host, includesSubdomains: own.includesSubdomains, pins: pins, expires: own.expires,
                enforces: own.enforces, ignored: ignored, offset: element.range.lowerBound))
    }

    /// Whether `java.net.URL` accepts a text: it begins with a scheme that Android has a handler for (DomainPinningPolicy.java; libcore,
    /// URL.java `getURLStreamHandler`).
    private static func isURL(_ text: String) -> Bool {
        let scheme = text.before(anyOf: ":").lowercased()
        return text.has(":") && ["http", "https", "file", "ftp", "jar"].contains(scheme)
    }

    private func failure(_ message: String, _ element: XMLElement) -> Failure {
        Failure(message: message, offset: element.range.lowerBound)
    }
}
