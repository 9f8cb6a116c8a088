internal import Encodings
internal import PinSetFormats
package import Pinning

/// What one address of a host answered, held against the pins of its entry.
package struct RefreshAnswer: Sendable {
    package enum Verdict: String, Hashable, Sendable {
        /// The chain validates, and a pin that is not retired stands in it.
        case match
        /// It validates, and none does: the server's keys were changed, or somebody is in between. Nothing is learnt.
        case mismatch
        /// The same, and a person vouches for it.
        case accepted
        /// It does not validate. Nothing is learnt, whoever vouches for it.
        case untrusted
        /// There is none.
        case unreachable
    }

    /// Nil where the address gave none.
    package let chain: CertificateChain?
    package let verdict: Verdict
    /// Of the path, leaf first, whether it validates or not.
    let pins: [ChainPin]

    init(_ chain: CertificateChain?, of entry: PinSet.Entry, isAccepted: Bool) {
        self.chain = chain
        pins = chain?.pins ?? []
        guard let chain else {
            verdict = .unreachable
            return
        }
        guard chain.isTrusted else {
            verdict = .untrusted
            return
        }
        let pins = pins
        let matches = entry.pins.contains { key in key.state != .retired && pins.contains { key.matches($0) } }
        verdict = matches ? .match : isAccepted ? .accepted : .mismatch
    }

    /// Whether pins may be learnt from it.
    package var isLearnable: Bool { verdict == .match || verdict == .accepted }

    /// Where a pin stands in the path, if it may stand there.
    func places(of key: PinSet.PinnedKey) -> [ChainPin] { pins.filter { key.matches($0) } }

    func certificate(at place: ChainPin) -> Certificate? {
        chain?.entries.first { $0.position == place.position }?.certificate
    }
}

extension PinSet.PinnedKey {
    /// Whether it is this certificate's, in a place where it may match. What its state says is not asked.
    func matches(_ place: ChainPin) -> Bool { pin == place.pin && role.allows(place.role, at: place.position) }
}
