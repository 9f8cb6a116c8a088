internal import Encodings
internal import PinSetCodec
internal import Pinning

/// `NSPinnedDomains` as Apple's systems read it (Security-61901, OSX/sec/Security/SecPolicy.c, parseNSPinnedDomains;
/// trust/trustd/SecPolicyServer.c, SecPolicyCheckCAspkiSHA256 and SecPolicyCheckLeafSPKISHA256).
struct AppleModel: PlatformModel {
    /// The dictionary under one key.
    struct Domain {
        let key: String
        let includesSubdomains: Bool
        /// The usable pins of `NSPinnedLeafIdentities`; nil if the key is absent.
        let leaves: Set<Pin>?
        /// The usable pins of `NSPinnedCAIdentities`; nil if the key is absent.
        let authorities: Set<Pin>?
        /// Whether a list without usable pins has elements, which have findings of their own.
        let hasUnusablePins: Bool
        /// Whether the key or a pin is the name of a build setting, whose value is not known.
        let hasBuildSettings: Bool
        let position: SourcePosition?
    }

    let domains: [Domain]
    /// The indices of the domains by their keys in lower case. Keys that differ only in case are combined.
    private let indices: [ExactText: [Int]]
    /// By host, the assumptions that a conversion made where the set does not determine the lists.
    var assumptions: [String: String] = [:]

    init(_ domains: [Domain]) {
        self.domains = domains
        var indices: [ExactText: [Int]] = [:]
        for (index, domain) in domains.enumerated() {
            indices[ExactText(domain.key.lowercased()), default: []].append(index)
        }
        self.indices = indices
    }

    func ruling(on connection: PlatformConnection) -> PlatformRuling {
        guard !connection.isAddress else {
            return PlatformRuling(.notPinned, "NSPinnedDomains has no IP addresses")
        }
        let own = domains(connection.host)
        let parent = connection.parents.first.map { domains($0).filter(\.includesSubdomains) } ?? []
        let entries = own + parent
        guard !entries.isEmpty else {
            let isDeeper = connection.parents.dropFirst().contains { domains($0).contains(where: \.includesSubdomains) }
            return PlatformRuling(
                .notPinned,
                (isDeeper
                    ? "NSIncludesSubdomains covers names with one more label, and this host has more"
                    : "NSPinnedDomains has no key for this host") + Self.caveat(domains))
        }
        let names =
            own.map(\.key) + parent.map { "\($0.key) with NSIncludesSubdomains" }
        let subject = names.joined(separator: " and ")
        let assumed = entries.compactMap { assumptions[$0.key] }.first.map { " (\($0))" } ?? ""
        guard entries.contains(where: { $0.leaves != nil || $0.authorities != nil }) else {
            return PlatformRuling(.notPinned, "\(subject) has no list of pins")
        }
        return ruling(on: connection, entries, subject, assumed)
    }

    private func ruling(
        on connection: PlatformConnection, _ entries: [Domain], _ subject: String, _ assumed: String
    ) -> PlatformRuling {
        let leaves = entries.compactMap(\.leaves)
        let authorities = entries.compactMap(\.authorities)
        let leaf = connection.hit(anyOf: leaves) { $0.certificate.position == 0 }
        if entries.contains(where: { $0.leaves != nil }), leaf == nil {
            let unusable = leaves.allSatisfy(\.isEmpty) ? ": it has no usable pin" : ", but does not"
            return PlatformRuling(
                .rejects,
                "NSPinnedLeafIdentities of \(subject) must match the leaf\(unusable)\(assumed)"
                    + Self.caveat(entries))
        }
        let authority = connection.hit(anyOf: authorities) { $0.certificate.position >= 1 }
        if entries.contains(where: { $0.authorities != nil }), authority == nil {
            let unusable = authorities.allSatisfy(\.isEmpty) ? ": it has no usable pin" : ", but matches none"
            return PlatformRuling(
                .rejects,
                "NSPinnedCAIdentities of \(subject) must match a certificate above the leaf\(unusable)\(assumed)"
                    + Self.caveat(entries))
        }
        let matched = [
            leaf.map { _ in "NSPinnedLeafIdentities of \(subject) has the pin of the leaf" },
            authority.map {
                "NSPinnedCAIdentities of \(subject) has the pin of the \($0.certificate.role.rawValue)"
            },
        ].compactMap { $0 }
        return PlatformRuling(.accepts, "\(matched.joined(separator: ", and "))\(assumed)")
    }

    /// What a statement about missing keys and pins does not include.
    private static func caveat(_ domains: [Domain]) -> String {
        domains.contains(where: \.hasBuildSettings) ? ", as far as pinctl knows the values of the build settings" : ""
    }

    private func domains(_ name: String) -> [Domain] { (indices[ExactText(name)] ?? []).map { domains[$0] } }

    /// The parent of a host that has lists, if the lists of the parent change which chains the host accepts: an additional list
    /// must match too, and an additional pin of a list is one more that can match.
    func parentChangingLists(of host: String) -> String? {
        guard let dot = host.firstIndex(of: ".") else { return nil }
        let parent = String(host[dot...].dropFirst())
        let own = domains(host)
        let above = domains(parent).filter(\.includesSubdomains)
        guard own.contains(where: { $0.leaves != nil || $0.authorities != nil }) else { return nil }
        let isChanged = [\Domain.leaves, \Domain.authorities].contains { list in
            let added = above.compactMap { $0[keyPath: list] }
            let known = own.compactMap { $0[keyPath: list] }
            guard !known.isEmpty else { return !added.isEmpty }
            // Many hosts can be below a parent with many pins.
            let count = known.reduce(0) { $0 + $1.count }
            return added.contains { pins in
                pins.count > count || !pins.allSatisfy { pin in known.contains { $0.contains(pin) } }
            }
        }
        return isChanged ? parent : nil
    }
}

extension AppleModel {
    var traps: [PlatformTrap] {
        domains.compactMap { domain in
            if domain.leaves == nil, domain.authorities == nil { return unpinned(domain) }
            if !domain.key.hasBuildSetting, let reason = Self.neverMatches(domain.key) {
                return PlatformTrap(
                    .neverMatches, host: domain.key,
                    "App Transport Security never finds the key \(domain.key.quotedExcerpt), so its pins do not apply: \(reason)",
                    hint: IPAddress(domain.key) != nil
                        ? nil
                        : PinSetFormat.apple.step(inPlaceOf: domain.key) ?? "write only the host name, in A-labels",
                    at: domain.position)
            }
            for (list, pins) in [
                (AppleFormat.leavesKey, domain.leaves), (AppleFormat.authoritiesKey, domain.authorities),
            ] where pins?.isEmpty == true && !domain.hasBuildSettings {
                return PlatformTrap(
                    .neverMatches, host: domain.key,
                    "\(list.quotedExcerpt) of \(domain.key.quotedExcerpt) has no usable pin, so every connection is blocked",
                    hint: domain.hasUnusablePins ? nil : "add a pin, or remove the list", at: domain.position)
            }
            return nil
        }
    }

    /// The trap of a dictionary without lists, unless other dictionaries have lists for the host.
    private func unpinned(_ domain: Domain) -> PlatformTrap? {
        let name = domain.key.lowercased()
        let parent = name.firstIndex(of: ".").map { String(name[$0...].dropFirst()) }
        let others = domains(name) + (parent.map { domains($0).filter(\.includesSubdomains) } ?? [])
        guard !others.contains(where: { $0.leaves != nil || $0.authorities != nil }) else { return nil }
        return PlatformTrap(
            .unpinned, host: domain.key,
            "\(domain.key.quotedExcerpt) has no list of pins, so App Transport Security accepts every valid chain",
            hint: "add \(AppleFormat.authoritiesKey) or \(AppleFormat.leavesKey), or remove the entry",
            at: domain.position)
    }

    /// The reason why a key matches no host; nil if it may match one. Keys are compared without regard to case, and nothing is
    /// removed from them.
    private static func neverMatches(_ key: String) -> String? {
        if (try? HostName.normalized(key)).map({ IPAddress($0) != nil }) ?? false {
            return "NSPinnedDomains has no IP addresses"
        }
        if key.utf8.contains(where: { $0 >= 0x80 }) { return "hosts are looked up in A-labels" }
        if key.has("*") { return "a key has no wildcard; use NSIncludesSubdomains" }
        if key.has(":") || key.has("/") { return "hosts are looked up without a scheme and a port" }
        if key.ends(with: ".") { return "the dot at the end is removed from the host, but not from the key" }
        if key.begins(with: ".") { return "no host begins with a dot" }
        return nil
    }
}
