internal import Encodings
internal import PinSetCodec
internal import Pinning
internal import PropertyLists

/// Reads the dictionary `TSKPinnedDomains` by the rules of TrustKit (parse_configuration.m).
struct TrustKitModelReader {
    /// The lines of the file.
    let lines: SourceLineIndex

    init(bytes: [UInt8]) { lines = SourceLineIndex(bytes) }

    func policies(of domains: PropertyListValue) -> [TrustKitModel.Policy] {
        (domains.members ?? []).filter { !$0.key.hasBuildSetting }.map(policy)
    }

    private func policy(_ member: PropertyListMember) -> TrustKitModel.Policy {
        let position = member.range.map { lines.position(of: $0.lowerBound) }
        var policy = TrustKitModel.Policy(key: member.key, position: position)
        guard let members = member.value.members else {
            policy.mistake = "the value of \(member.key.nameExcerpt) is \(member.value.kind), not a dictionary"
            return policy
        }
        for part in members {
            if !part.key.isSame(as: TrustKitFormat.excludeKey) { policy.otherKeys.append(part.key) }
            switch ExactText(part.key) {
            case ExactText(TrustKitFormat.excludeKey): policy.isExcluded = bool(part, &policy) ?? false
            case ExactText(TrustKitFormat.subdomainsKey): policy.includesSubdomains = bool(part, &policy) ?? false
            case ExactText(TrustKitFormat.enforceKey): policy.enforces = bool(part, &policy) ?? true
            case ExactText(TrustKitFormat.expirationKey): readDate(part.value, &policy)
            case ExactText(TrustKitFormat.hashesKey): readPins(part.value, &policy)
            case ExactText(TrustKitFormat.unknownExcludeKey): policy.hasMisspelledExclusion = true
            case ExactText("TSKReportUris"): checkReportAddresses(part.value, &policy)
            // TrustKit ignores keys that it does not know, and TSKPublicKeyAlgorithms since version 1.6.
            default: break
            }
        }
        return policy
    }

    /// The value of a number or a string by `boolValue`. Any other type makes the app crash.
    private func bool(_ part: PropertyListMember, _ policy: inout TrustKitModel.Policy) -> Bool? {
        switch part.value.content {
        case .bool(let value): return value
        case .integer(let value): return value != 0
        case .real(let value): return value != 0
        case .single(let value): return value != 0
        case .string(let text): return text.hasBuildSetting ? nil : PlatformBool.foundation(text)
        default:
            policy.mistake =
                policy.mistake ?? "\(part.key) of \(policy.key.nameExcerpt) is \(part.value.kind), not true or false"
            return nil
        }
    }

    private func readDate(_ value: PropertyListValue, _ policy: inout TrustKitModel.Policy) {
        guard let text = value.string else {
            policy.mistake =
                policy.mistake ?? "TSKExpirationDate of \(policy.key.nameExcerpt) is \(value.kind), not a string"
            return
        }
        guard !text.hasBuildSetting else { return }
        policy.expires = PlatformDate.dateFormatter(text)
        if policy.expires == nil { policy.unreadDate = text }
    }

    /// TrustKit iterates over the value, and makes a URL of each element. Other types have no such methods, so the app crashes. The
    /// elements of a dictionary are its keys.
    private func checkReportAddresses(_ value: PropertyListValue, _ policy: inout TrustKitModel.Policy) {
        guard value.members == nil else { return }
        let name = "TSKReportUris of \(policy.key.nameExcerpt)"
        guard let list = value.array else {
            policy.mistake = policy.mistake ?? "\(name) is \(value.kind), not an array"
            return
        }
        if let other = list.first(where: { $0.string == nil }) {
            policy.mistake = policy.mistake ?? "an element of \(name) is \(other.kind), not a string"
        }
        for text in list.compactMap(\.string) {
            guard let problem = Self.addressProblem(of: text) else { continue }
            policy.mistake = policy.mistake ?? "\(text.quotedExcerpt) in \(name) \(problem)"
        }
    }

    /// The reason why `+[NSURL URLWithString:]` returns nil; nil if it may return a URL.
    ///
    /// Apps that are linked for iOS 17 or later get a URL in which characters that RFC 3986 does not allow are encoded; others get none
    /// (Apple, Foundation, "NSURL", `URLWithString:`).
    private static func addressProblem(of text: String) -> String? {
        let bytes = Array(text.utf8)
        let authority = text.parts(separatedByBytes: "//").dropFirst().first.map { $0.before(anyOf: "/?#") } ?? ""
        if authority.has("[") != authority.has("]") { return "is not a URL" }
        for (index, byte) in bytes.enumerated() {
            let isEscape =
                bytes[index...].count > 2 && bytes[(index + 1)...(index + 2)].allSatisfy { Hex.value(of: $0) != nil }
            guard byte > 0x20, byte < 0x7F, !"\"<>\\^`{|}".utf8.contains(byte), byte != UInt8(ascii: "%") || isEscape
            else {
                return "is not a URL for apps that are linked for a version before iOS 17"
            }
        }
        return nil
    }

    private func readPins(_ value: PropertyListValue, _ policy: inout TrustKitModel.Policy) {
        guard let hashes = value.array else {
            policy.mistake =
                policy.mistake ?? "TSKPublicKeyHashes of \(policy.key.nameExcerpt) is \(value.kind), not an array"
            return
        }
        for hash in hashes {
            guard let text = hash.string else {
                policy.mistake = policy.mistake ?? "a pin of \(policy.key.nameExcerpt) is \(hash.kind), not a string"
                continue
            }
            if !text.hasBuildSetting { policy.addPin(text) }
        }
    }
}
