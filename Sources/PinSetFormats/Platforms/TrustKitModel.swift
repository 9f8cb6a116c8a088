internal import Encodings
internal import PinSetCodec
internal import Pinning
internal import PublicSuffixes

/// A configuration as TrustKit for Apple's platforms reads it (TrustKit 3.0.7, parse_configuration.m, configuration_utils.m,
/// TSKPinningValidator.m, Pinning/ssl_pin_verifier.m).
struct TrustKitModel: PlatformModel {
    /// The dictionary under one key of `TSKPinnedDomains`.
    struct Policy {
        let key: String
        let position: SourcePosition?
        var isExcluded = false
        /// The keys of the dictionary other than `kSKExcludeSubdomainFromParentPolicy`.
        var otherKeys: [String] = []
        var includesSubdomains = false
        var enforces = true
        var expires: Timestamp?
        /// A text of `TSKExpirationDate` that is not a day. It makes the pins valid forever.
        var unreadDate: String?
        var pins: Set<Pin> = []
        /// The reason why TrustKit cannot read a value. It stops the app.
        var mistake: String?
        /// Whether the dictionary has the key `TSKExcludeSubdomainFromParentPolicy`, which TrustKit does not know.
        var hasMisspelledExclusion = false

        /// Adds a pin of `TSKPublicKeyHashes`.
        mutating func addPin(_ text: String) {
            guard let bytes = PlatformBase64.foundation(text), let pin = Pin(digest: bytes) else {
                mistake =
                    mistake ?? "the pin \(text.quotedExcerpt) of \(key.nameExcerpt) is not base64 of 32 bytes"
                return
            }
            pins.insert(pin)
        }
    }

    struct Failure {
        let message: String
        let host: String?
        let position: SourcePosition?
        /// Whether the entry has one pin, but needs two.
        var isOnlyPin = false
    }

    let policies: [Policy]
    /// Whether the app can have more hosts, pins and settings than the file shows, because only a compiler or a build knows some values.
    private let isIncomplete: Bool
    private let indices: [ExactText: Int]
    /// The mistakes, each of which makes TrustKit reject the configuration, in the order of its checks.
    let failures: [Failure]
    var failure: Failure? { failures.first }

    init(_ policies: [Policy], isIncomplete: Bool = false) {
        (self.policies, self.isIncomplete) = (policies, isIncomplete)
        var indices: [ExactText: Int] = [:]
        for (index, policy) in policies.enumerated() { indices[ExactText(policy.key)] = index }
        self.indices = indices
        failures = Self.failures(in: policies, indices, isIncomplete: isIncomplete)
    }

    func refusal(of _: PlatformConnection) -> PlatformRuling? {
        failure.map { PlatformRuling(.refusesConfig, "\($0.message): TrustKit raises an exception, and the app stops") }
    }

    func ruling(on connection: PlatformConnection) -> PlatformRuling {
        guard let policy = policy(for: connection) else {
            return PlatformRuling(.notPinned, "no key of TSKPinnedDomains covers this host" + caveat)
        }
        // At midnight itself the pins still apply: TrustKit compares with "earlier than".
        if let day = policy.expires, connection.now > day {
            return PlatformRuling(
                .notPinned, "TSKExpirationDate, \(day.date) in UTC, has passed: TrustKit treats the host as not pinned")
        }
        guard !policy.isExcluded else {
            return PlatformRuling(
                .notPinned, "the entry of \(policy.key) excludes the host from the policy of its parent")
        }
        let name = connection.shown(policy.key, subdomains: "TSKIncludeSubdomains")
        let subject = "the longest key that covers the host, \(name),"
        for link in connection.chain.reversed() {
            guard Self.canHash(link.key) else {
                let key = link.key?.description ?? ""
                return PlatformRuling(
                    .rejects,
                    "TrustKit hashes the keys from the root down, cannot hash the \(key) key of the"
                        + " \(link.certificate.role.rawValue) and blocks the connection, even in report-only mode")
            }
            if policy.pins.contains(link.certificate.pin) {
                return PlatformRuling(.accepts, "\(subject) has the pin of the \(link.certificate.role.rawValue)")
            }
        }
        let sentence = "\(subject) has no pin of this chain" + caveat
        return policy.enforces
            ? PlatformRuling(.rejects, sentence)
            : PlatformRuling(.accepts, "\(sentence), but with TSKEnforcePinning NO TrustKit only reports this")
    }

    /// What a statement about missing keys and pins does not include.
    private var caveat: String { isIncomplete ? ", as far as pinctl can read the file" : "" }

    /// The policy that applies (`getPinningConfigurationKeyForDomain`): the key that is equal to the host, otherwise the longest
    /// parent with `TSKIncludeSubdomains`. An excluded parent covers no host.
    func policy(for connection: PlatformConnection) -> Policy? {
        if let index = indices[ExactText(connection.host)] { return policies[index] }
        return Self.parents(of: connection.host, policies, indices).first
    }

    private static func parents(of host: String, _ policies: [Policy], _ indices: [ExactText: Int]) -> [Policy] {
        var found: [Policy] = []
        var name = host[...]
        while let dot = name.firstIndex(of: ".") {
            name = name[dot...].dropFirst()
            guard let index = indices[ExactText(String(name))], policies[index].includesSubdomains,
                !policies[index].isExcluded
            else { continue }
            found.append(policies[index])
        }
        return found
    }

    /// The checks of `parseTrustKitConfiguration`, in its order. An incomplete configuration can have the pins and parents that
    /// seem to be missing.
    private static func failures(
        in policies: [Policy], _ indices: [ExactText: Int], isIncomplete: Bool
    ) -> [Failure] {
        guard isIncomplete || !policies.isEmpty else {
            return [Failure(message: "TSKPinnedDomains is missing or empty", host: nil, position: nil)]
        }
        let wrong = policies.compactMap { policy -> Failure? in
            if let message = failure(of: policy) {
                return Failure(message: message, host: policy.key, position: policy.position)
            }
            guard !isIncomplete else { return nil }
            return countOfPins(in: policy).map { message in
                Failure(
                    message: message, host: policy.key, position: policy.position,
                    isOnlyPin: policy.pins.count == 1 && !policy.hasMisspelledExclusion)
            }
        }
        let excluded = policies.filter { policy in
            !isIncomplete && policy.isExcluded && policy.otherKeys.isEmpty
                && parents(of: "a" + policy.key, policies, indices).isEmpty
                && indices[ExactText("a" + policy.key)] == nil
        }
        return wrong
            + excluded.map { policy in
                Failure(
                    message:
                        "\(policy.key.nameExcerpt) is excluded from the policy of a parent, and no parent includes subdomains",
                    host: policy.key, position: policy.position)
            }
    }

    private static func failure(of policy: Policy) -> String? {
        let length = DomainRegistry.shared.registryLength(of: policy.key)
        let name = policy.key.nameExcerpt
        guard length > 0 else {
            let isName = (try? HostName.normalized(policy.key)) != nil
            let reason = isName ? SpecialUseName.reason(of: policy.key).map { " (\($0))" } ?? "" : ""
            return "\(name) does not end in a public suffix of TrustKit's list\(reason)"
        }
        if policy.isExcluded {
            guard policy.otherKeys.isEmpty else {
                return "the entry of \(name) has \(TrustKitFormat.excludeKey) and other keys"
            }
            return nil
        }
        if policy.includesSubdomains, length == policy.key.utf8.count {
            return "\(name) is a public suffix and includes subdomains"
        }
        return policy.mistake
    }

    private static func countOfPins(in policy: Policy) -> String? {
        guard !policy.isExcluded else { return nil }
        let count = policy.pins.count
        guard count >= (policy.enforces ? 2 : 1) else {
            let has = count == 0 ? "none" : "one"
            return policy.enforces
                ? "an enforced entry needs two pins, but \(policy.key.nameExcerpt) has \(has)"
                : "an entry needs a pin, but \(policy.key.nameExcerpt) has none"
        }
        return nil
    }

    /// Whether TrustKit can hash a key. Before the key itself it hashes the start of a SubjectPublicKeyInfo, which it knows only
    /// for these types of keys.
    private static func canHash(_ key: KeyDescription?) -> Bool {
        guard let key else { return true }
        switch key.type {
        case "RSA": return [2048, 3072, 4096].contains(key.bits)
        case "EC": return ["P-256", "P-384"].contains(key.curve)
        default: return false
        }
    }
}
