internal import ConnectionFailures
internal import Pinning

/// The choice between the addresses of a host.
extension HostComparison {
    private static let otherChain = "; other addresses of the host serve another chain"

    /// The conclusions about the addresses that explain the failure; all conclusions if no address explains it better than another.
    ///
    /// - Parameters:
    ///   - draws: The conclusions about addresses with different chains.
    ///   - holder: A chain of the host with a pinned key.
    static func explaining(_ draws: [Conclusion.Draw], _ keys: Keys, _ holder: ServedChain?) -> [Conclusion.Draw] {
        guard draws.count > 1 else { return draws }
        if let found = untrusted(draws, keys) { return found }
        if holder == nil { return seen(draws, keys) ?? draws }
        return withoutPin(draws, keys, holder) ?? draws
    }

    /// The chains that do not validate. They explain a message about a chain better than one that is trusted here.
    private static func untrusted(_ draws: [Conclusion.Draw], _ keys: Keys) -> [Conclusion.Draw]? {
        // A program compares pins with a chain that it has validated.
        guard ![.pinMismatch, .cancelled].contains(keys.failure.kind) else { return nil }
        func explains(_ draw: Conclusion.Draw) -> Bool {
            draw.live.chain.map { keys.failure.isExplained(by: $0) && keys.failure.canBeAbout($0) } ?? false
        }
        let found = draws.filter(explains)
        let rest = draws.filter { !explains($0) }
        guard !found.isEmpty, !rest.isEmpty,
            rest.allSatisfy({ [.undecided, .expiredCertificate].contains($0.conclusion.verdict) })
        else { return nil }
        return found.map { ($0.live, $0.conclusion.adding(otherChain)) }
    }

    /// The chain with the server's key that the program saw.
    private static func seen(_ draws: [Conclusion.Draw], _ keys: Keys) -> [Conclusion.Draw]? {
        guard let leaf = keys.seen.first, draws.allSatisfy({ $0.live.chain?.isTrusted == true }),
            let draw = draws.first(where: { $0.live.chain?.pins.first?.pin == leaf })
        else { return nil }
        return [(draw.live, draw.conclusion.adding(otherChain))]
    }

    /// The chains without a pinned key, if the log does not show the keys that the program saw.
    private static func withoutPin(
        _ draws: [Conclusion.Draw], _ keys: Keys, _ holder: ServedChain?
    ) -> [Conclusion.Draw]? {
        guard keys.seen.isEmpty, isOfOneAddress(holder, in: draws) else { return nil }
        let found = draws.filter { $0.conclusion.verdict == .rotation }
        return found.isEmpty ? nil : found
    }

    /// Whether a chain for usual clients decides about an address without a rotation.
    private static func isOfOneAddress(_ holder: ServedChain?, in draws: [Conclusion.Draw]) -> Bool {
        guard let holder, case .usual = holder.clients else { return false }
        return draws.contains { $0.conclusion.verdict != .rotation && holder.hasSamePath(as: $0.live.chain) }
    }

    /// The pinned key of another chain than that of the conclusion, as a clause.
    static func clause(about holder: ServedChain, with pin: Pin, besides subject: ServedChain) -> String {
        let title = holder.differsByAddress(from: subject) ? "another address of the host" : holder.title
        return "\(title) has the pinned key \(pin.base64)"
    }

    /// The pinned key of another chain, as a clause of a rotation.
    ///
    /// - Parameter draws: The conclusions about all addresses.
    static func clause(
        about holder: ServedChain, with pin: Pin, besides subject: ServedChain, _ draws: [Conclusion.Draw], _ keys: Keys
    ) -> String {
        guard keys.seen.isEmpty, isOfOneAddress(holder, in: draws) else {
            return clause(about: holder, with: pin, besides: subject)
        }
        return
            "other addresses of the host have the pinned key \(pin.base64): the program connected to an address without one, it has other"
            + " pins, or the connection was intercepted"
    }
}
