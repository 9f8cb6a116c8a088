internal import Encodings
internal import PinSetCodec
internal import Pinning

extension TrustKitModel {
    var traps: [PlatformTrap] {
        var traps: [PlatformTrap] = []
        // If an entry has one pin, lint reports that for each host.
        for failure in failures where !failure.isOnlyPin {
            traps.append(
                PlatformTrap(
                    .stopsApp, host: failure.host,
                    "TrustKit rejects the configuration and stops the app: \(failure.message)",
                    hint: hint(after: failure), at: failure.position))
        }
        for policy in policies {
            if policy.key.utf8.contains(where: { (UInt8(ascii: "A")...UInt8(ascii: "Z")).contains($0) }) {
                traps.append(
                    PlatformTrap(
                        .caseSensitive, host: policy.key,
                        "TrustKit never finds the key \(policy.key.quotedExcerpt), because keys are case-sensitive and hosts are"
                            + " looked up in lower case",
                        hint: "write \(policy.key.withoutUserInfo.withoutPrivateKeys.lowercased().quotedExcerpt)",
                        at: policy.position))
            }
            if let reason = Self.neverMatches(policy.key) {
                traps.append(
                    PlatformTrap(
                        .neverMatches, host: policy.key,
                        "TrustKit never finds the key \(policy.key.quotedExcerpt), so its pins do not apply: \(reason)",
                        hint: PinSetFormat.trustkit.step(inPlaceOf: policy.key)
                            ?? "write the host name in lower case and in A-labels",
                        at: policy.position))
            }
            if let text = policy.unreadDate {
                traps.append(
                    PlatformTrap(
                        .misread, host: policy.key,
                        "TrustKit does not read the day \(text.quotedExcerpt), so the pins never expire",
                        hint: "write TSKExpirationDate as \"2027-06-01\"", at: policy.position))
            }
            if policy.hasMisspelledExclusion {
                traps.append(
                    PlatformTrap(
                        .misread, host: policy.key,
                        "TrustKit does not know the key \"TSKExcludeSubdomainFromParentPolicy\", so \(policy.key.quotedExcerpt) is"
                            + " not excluded",
                        hint: "write \"\(TrustKitFormat.excludeKey)\"", at: policy.position))
            }
        }
        return traps
    }

    private func hint(after failure: Failure) -> String? {
        guard let policy = policies.first(where: { $0.key == failure.host }) else { return nil }
        if policy.hasMisspelledExclusion { return "write \"\(TrustKitFormat.excludeKey)\", and no other keys" }
        if policy.isExcluded, !policy.otherKeys.isEmpty { return "remove the other keys of the entry" }
        if policy.isExcluded { return "add TSKIncludeSubdomains to a parent, or remove the entry" }
        if policy.mistake == nil, policy.pins.isEmpty { return "add \(TrustKitFormat.hashesKey), or remove the entry" }
        return nil
    }

    /// The reason why TrustKit never finds a key; nil if it may find it. TrustKit compares the text of a key with the host in lower
    /// case.
    private static func neverMatches(_ key: String) -> String? {
        if key.utf8.contains(where: { $0 >= 0x80 }) { return "hosts are looked up in A-labels" }
        if key.has("*") { return "a key has no wildcard; use TSKIncludeSubdomains" }
        if key.has(":") || key.has("/") { return "hosts are looked up without a scheme and a port" }
        if key.ends(with: ".") { return "hosts are looked up without a dot at the end" }
        if key.begins(with: ".") { return "no host begins with a dot" }
        return nil
    }
}
