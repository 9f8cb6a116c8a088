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

    /// The pins of an entry compared with a validated chain: the pins that match, and those that do not.
    static func between(_ entry: PinSet.Entry, _ chain: CertificateChain, at now: Timestamp, setIsLeft: Bool)
        -> [Difference]
    {
        let evaluation = PinEvaluation(of: chain.pins, by: entry, at: now)
        // An entry can have a pin several times, with different roles and states.
        var matches: Set<PinSet.PinnedKey> = []
        var nearMisses: Set<PinSet.PinnedKey> = []
        switch evaluation.verdict {
        case .match(let found): matches = Set(found.map(\.key))
        case .mismatch(let found): nearMisses = Set(found.map(\.key))
        case .expired, .noPins: break
        }
        let isMatch = !matches.isEmpty
        /// A value of the set, or of the chain, on its side.
        func difference(_ change: Change, _ field: Field, ofSet: Bool, _ text: String, _ pin: Pin?) -> Difference {
            let isLeft = ofSet == setIsLeft
            return Difference(
                change: change, field: field, host: ofSet ? entry.name : nil, pin: pin, left: isLeft ? text : nil,
                right: isLeft ? nil : text, isFailure: !isMatch)
        }
        var found: [Difference] = []
        if case .expired(let moment) = evaluation.verdict {
            let text = "the entry expired: \(moment)"
            found.append(difference(setIsLeft ? .removed : .added, .expires, ofSet: true, text, nil))
        }
        for key in entry.pins {
            let text = "\(key.role.rawValue) \(key.state.rawValue)" + (key.label.map { " \($0)" } ?? "")
            let change: Change = matches.contains(key) ? .equal : setIsLeft ? .removed : .added
            let field: Field = nearMisses.contains(key) ? .role : .pin
            found.append(difference(change, field, ofSet: true, text, key.pin))
        }
        let pinned = Set(entry.pins.map(\.pin))
        for item in chain.entries where !pinned.contains(item.certificate.pin) {
            let text = "\(item.role.rawValue) \(item.certificate.subject?.displayName ?? "")"
            found.append(difference(setIsLeft ? .added : .removed, .key, ofSet: false, text, item.certificate.pin))
        }
        return found
    }

    private static func summary(_ certificate: Certificate) -> String {
        let end = certificate.notAfter.map { " until \($0.date)" } ?? ""
        return "\(certificate.subject?.displayName ?? "")\(end) sha256:\(Hex.encode(certificate.sha256.prefix(8)))"
    }
}
