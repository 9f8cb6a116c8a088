internal import Encodings
public import PinSetCodec
internal import Pinning

/// A browser that implements `Public-Key-Pins` (RFC 7469).
///
/// A header with fewer than two pins is never noted. On the host's own connection a header counts only if a pin of it is in
/// the chain and another is not (sections 2.5 and 4.3); one of a parent with `includeSubDomains` is taken as noted there
/// already, and has to match here. `max-age` runs from the last visit, so nothing expires.
enum HPKPRules: PlatformRules {
    static func refusal(of connection: PlatformConnection) -> PlatformRuling? {
        guard !connection.isAddress, let entry = connection.longestEntry else { return nil }
        if let ruling = connection.retiredEntry(among: [entry]) { return ruling }
        guard entry.countOfPins < 2 else { return nil }
        return PlatformRuling(
            .refusesConfig, "a header needs two pins, one of them a backup, and that of \(entry.name) has one")
    }

    static func ruling(on connection: PlatformConnection) -> PlatformRuling {
        guard !connection.isAddress else {
            return PlatformRuling(.notPinned, "a header of an IP address is ignored")
        }
        guard let entry = connection.longestEntry else {
            return PlatformRuling(.notPinned, "no header is for this host")
        }
        let pins = entry.matchingPins
        let header = "the header of \(connection.shown(entry, subdomains: "includeSubDomains"))"
        guard entry.enforce else {
            let finding =
                connection.hit(pins) == nil ? "reports the mismatch and blocks nothing" : "finds nothing to report"
            return PlatformRuling(.accepts, "\(header) is report-only, and \(finding)")
        }
        guard entry.name == connection.host else { return connection.rulingAnywhere(pins, of: header) }
        guard let hit = connection.hit(pins) else {
            return PlatformRuling(
                .notPinned,
                "\(header) has no pin of this chain, so it is ignored; a browser that noted it before rejects")
        }
        let seen = Set(connection.chain.map(\.certificate.pin))
        guard pins.contains(where: { !seen.contains($0.pin) }) else {
            return PlatformRuling(.notPinned, "\(header) has no pin outside this chain, so it is ignored")
        }
        return PlatformRuling(
            .accepts, "\(header) has the pin of the \(hit.certificate.role.rawValue), and one that is not in the chain")
    }
}

extension Platform {
    /// A browser that implements RFC 7469.
    public static let hpkp = Platform("hpkp", HPKPRules.self)
}
