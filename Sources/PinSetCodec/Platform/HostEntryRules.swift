internal import Pinning

/// The rules of a program whose configuration has the pins of single hosts, without subdomains.
package protocol HostEntryRules: PinSetRules {}

extension HostEntryRules {
    package static func refusal(of connection: PinSetConnection) -> PlatformRuling? {
        connection.ownEntry.flatMap { connection.retiredEntry(among: [$0]) }
    }
}

extension PinSetConnection {
    /// The result for a program that compares only keys of CAs, at any position above the leaf.
    ///
    /// - Parameters:
    ///   - option: the program's setting that contains the pins.
    ///   - meaning: what a match means, after the setting and the role of the certificate.
    package func authorityKeyRuling(
        option: String, meaning: (PlatformConnection.Link) -> String = { _ in "" }
    ) -> PlatformRuling {
        guard let entry = ownEntry else { return PlatformRuling(.notPinned, "there is no \(option) for this host") }
        let pins = entry.pinsOfAuthorities
        guard !pins.isEmpty else {
            return PlatformRuling(
                .notPinned, "\(option) compares only CAs, and \(entry.reasonForNoPins(of: .authorities))")
        }
        guard let hit = hit(pins, where: { $0.certificate.position >= 1 }) else {
            return PlatformRuling(.rejects, "\(option) of \(entry.name) has no pin of a CA in this chain")
        }
        return PlatformRuling(
            .accepts, "\(option) of \(entry.name) has the pin of the \(hit.certificate.role.rawValue)\(meaning(hit))")
    }
}
