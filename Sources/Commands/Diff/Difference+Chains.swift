internal import CommandSupport
internal import Encodings
internal import Pinning

extension Difference {
    /// The differences between the certificates of two chains, by position.
    static func between(_ left: [Certificate], _ right: [Certificate]) -> [Difference] {
        var found: [Difference] = []
        for position in 0..<max(left.count, right.count) {
            let a = left.indices.contains(position) ? left[position] : nil
            let b = right.indices.contains(position) ? right[position] : nil
            switch (a, b) {
            case (let a?, let b?) where a == b: continue
            case (let a?, let b?) where a.pin == b.pin:
                // The certificate was renewed with the same key, so its pin still matches.
                found.append(
                    Difference(change: .changed, field: .certificate, pin: a.pin, left: summary(a), right: summary(b)))
            case (let a?, let b?):
                // A certificate at another position is reported at both positions.
                found.append(Difference(change: .removed, field: .key, pin: a.pin, left: summary(a)))
                found.append(Difference(change: .added, field: .key, pin: b.pin, right: summary(b)))
            case (let a?, nil): found.append(Difference(change: .removed, field: .key, pin: a.pin, left: summary(a)))
            case (nil, let b?): found.append(Difference(change: .added, field: .key, pin: b.pin, right: summary(b)))
            case (nil, nil): continue
            }
        }
        return found
    }

    /// The difference in the trust of two chains. An untrusted chain is a failure even if both are equal.
    static func ofTrust(_ left: CertificateChain?, _ right: CertificateChain?) -> [Difference] {
        func text(_ chain: CertificateChain?) -> String? {
            chain.map { $0.isTrusted ? "trusted" : "not trusted: \($0.reason)" }
        }
        let (a, b) = (text(left), text(right))
        let isUntrusted = [left, right].contains { $0?.isTrusted == false }
        guard isUntrusted || left != nil && right != nil && a != b else { return [] }
        let change: Change = a == nil ? .added : b == nil ? .removed : .changed
        return [Difference(change: change, field: .trust, left: a, right: b)]
    }

    /// The pins of an entry compared with validated chains: the pins that match, and those that match no chain.
    ///
    /// - Parameter chains: The trusted chains of a host. Each needs a pin that matches, because each is the only one of some clients.
    static func between(
        _ entry: PinSet.Entry, _ chains: [DiffChain], at now: Timestamp, setIsLeft: Bool
    ) -> [Difference] {
        let evaluations = chains.compactMap { chain in
            chain.validated.map { (chain: chain, result: PinMatches($0, entry, at: now)) }
        }
        let isMatch = evaluations.allSatisfy { !$0.result.matches.isEmpty }
        /// A value of the set, or of the chain, on its side.
        func difference(
            _ change: Change, _ field: Field, ofSet: Bool, _ text: String, _ pin: Pin?, _ keyType: String? = nil
        ) -> Difference {
            let isLeft = ofSet == setIsLeft
            return Difference(
                change: change, field: field, host: ofSet ? entry.name : nil, keyType: keyType, pin: pin,
                left: isLeft ? text : nil, right: isLeft ? nil : text, isFailure: !isMatch)
        }
        var found: [Difference] = []
        if let moment = evaluations.lazy.compactMap(\.result.expiry).first {
            let text = "the entry expired: \(moment)"
            found.append(difference(setIsLeft ? .removed : .added, .expires, ofSet: true, text, nil))
        }
        for key in entry.pins {
            let text = "\(key.role.rawValue) \(key.state.rawValue)" + (key.label.map { " \($0)" } ?? "")
            let matches = evaluations.filter { $0.result.matches.contains(key) }
            found += matches.map { difference(.equal, .pin, ofSet: true, text, key.pin, $0.chain.keyType) }
            guard matches.isEmpty else { continue }
            let near = evaluations.first { $0.result.nearMisses.contains(key) }
            found.append(
                difference(
                    setIsLeft ? .removed : .added, near == nil ? .pin : .role, ofSet: true, text, key.pin,
                    near?.chain.keyType))
        }
        let pinned = Set(entry.pins.map(\.pin))
        for (chain, _) in evaluations {
            for item in chain.validated?.entries ?? [] where !pinned.contains(item.certificate.pin) {
                let text = "\(item.role.rawValue) \(item.certificate.subject?.displayName ?? "")"
                let change: Change = setIsLeft ? .added : .removed
                found.append(difference(change, .key, ofSet: false, text, item.certificate.pin, chain.keyType))
            }
        }
        return found
    }

    private static func summary(_ certificate: Certificate) -> String {
        let end = certificate.notAfter.map { " until \($0.date)" } ?? ""
        return "\(certificate.subject?.displayName ?? "")\(end) sha256:\(Hex.encode(certificate.sha256.prefix(8)))"
    }
}

/// The pins of an entry that match a chain.
private struct PinMatches {
    /// An entry can have a pin several times, with different roles and states.
    private(set) var matches: Set<PinSet.PinnedKey> = []
    private(set) var nearMisses: Set<PinSet.PinnedKey> = []
    /// When the entry expired, as text; nil if it did not.
    private(set) var expiry: String?

    init(_ chain: CertificateChain, _ entry: PinSet.Entry, at now: Timestamp) {
        switch PinEvaluation(of: chain.pins, by: entry, at: now).verdict {
        case .match(let found):
            matches = Set(found.map(\.key))
            // The evaluation has no near misses if a pin matches.
            let served = Set(chain.pins.map(\.pin))
            nearMisses = Set(entry.pins.filter { served.contains($0.pin) && !matches.contains($0) })
        case .mismatch(let found): nearMisses = Set(found.map(\.key))
        case .expired(let moment): expiry = "\(moment)"
        case .noPins: break
        }
    }
}
