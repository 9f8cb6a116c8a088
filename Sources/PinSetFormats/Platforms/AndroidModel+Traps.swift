internal import Encodings
internal import PinSetCodec
internal import Pinning
internal import XMLDocuments

extension AndroidModel {
    var traps: [PlatformTrap] {
        var traps = misread
        if let failure {
            traps.append(
                PlatformTrap(
                    .stopsApp, "Android rejects the file, and the app stops: \(failure.message)",
                    at: document.position(of: failure.offset)))
        }
        for domain in domains {
            if !domain.pins.isEmpty, let reason = Self.neverMatches(domain.text) {
                traps.append(
                    PlatformTrap(
                        .neverMatches, host: domain.text,
                        "Android never finds the domain \(domain.text.quotedExcerpt), so its pins do not apply: \(reason)",
                        hint: PinSetFormat.android.step(inPlaceOf: domain.text)
                            ?? "write only the host name, in A-labels",
                        at: document.position(of: domain.offset)))
            }
            if domain.pins.isEmpty, let parent = pinnedParent(of: domain) {
                traps.append(
                    PlatformTrap(
                        .unpinned, host: domain.text,
                        "Android does not pin \(domain.text.quotedExcerpt): its <domain-config> has no pins and hides the pins of"
                            + " \(parent.text.withoutUserInfo.quotedExcerpt)",
                        hint:
                            "nest this <domain-config> in the one of \(parent.text.withoutUserInfo.quotedExcerpt), or repeat the <pin-set>",
                        at: document.position(of: domain.offset)))
            } else if domain.hasEmptyPinSet {
                traps.append(
                    PlatformTrap(
                        .unpinned, host: domain.text,
                        "Android does not pin \(domain.text.quotedExcerpt): its <pin-set> has no pins",
                        hint: "add a <pin> for each key, or remove the <pin-set>",
                        at: document.position(of: domain.offset)))
            }
        }
        return traps
    }

    /// The pinned parent domain that would apply to the host if `domain` were not in the file.
    private func pinnedParent(of domain: Domain) -> Domain? {
        var name = domain.name[...]
        while let dot = name.firstIndex(of: ".") {
            name = name[dot...].dropFirst()
            guard let index = indices[ExactText(String(name))], domains[index].includesSubdomains else { continue }
            return domains[index].pins.isEmpty ? nil : domains[index]
        }
        return nil
    }

    /// The reason why a domain covers no host; nil if it may cover one. `XmlConfigSource.parseDomain` only trims the text and
    /// converts it to lower case.
    private static func neverMatches(_ text: String) -> String? {
        if text.utf8.contains(where: { $0 >= 0x80 }) { return "hosts are looked up in A-labels" }
        if text.has("*") { return "a domain has no wildcard; use includeSubdomains" }
        if text.has("/") { return "it is not a host name" }
        if text.has(":"), IPAddress(text) == nil { return "hosts are looked up without a port" }
        if text.ends(with: ".") { return "Android removes the dot at the end of the host, but not of the domain" }
        if text.begins(with: ".") { return "no host begins with a dot" }
        if text.utf8.contains(where: { $0 <= 0x20 || $0 == 0x7f }) { return "no host contains white space" }
        return nil
    }
}
