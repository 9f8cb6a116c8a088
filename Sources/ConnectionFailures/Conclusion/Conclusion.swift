/// The most probable cause of a failed connection, from the log, the pins of the program and what the host serves now.
package struct Conclusion: Hashable, Sendable {
    package enum Verdict: String, CaseIterable, Sendable {
        /// The host uses keys that are not pinned.
        case rotation
        /// Another party answered in place of the host.
        case interception
        /// A pin of the program cannot match any certificate.
        case wrongSet = "wrong-set"
        case expiredCertificate = "expired-certificate"
        /// The host serves a chain that clients reject.
        case serverError = "server-error"
        case undecided
    }

    /// What a person should do next.
    package enum Step: String, CaseIterable, Sendable {
        /// Look at the chain of the host.
        case fetch
        /// Look at all valid paths of the host's chain.
        case fetchPaths
        /// Look at the server's certificate.
        case inspect
        /// Find the certificate that the server does not send.
        case fetchIssuers
        /// Compare the program's pins with the host.
        case verify
        /// Change the pin set to what the host uses.
        case refresh
        /// Correct the pin set.
        case lint
        /// Repeat with a connection to the host.
        case connect
        /// Repeat with the name of the host.
        case nameHost
        /// Repeat with the pins of the program.
        case namePins
        /// Repeat with the pins that this copy of the program contains.
        case nameOwnPins
        /// Repeat with the part of the log of one failure.
        case separate
        /// Repeat when pinctl receives every chain of the host.
        case again
    }

    package let verdict: Verdict
    /// The reason as one sentence without a full stop.
    package let sentence: String
    package let step: Step

    init(_ verdict: Verdict, _ step: Step, _ sentence: String) {
        (self.verdict, self.step, self.sentence) = (verdict, step, sentence)
    }

    /// This conclusion with another clause.
    package func adding(_ clause: String) -> Conclusion { Conclusion(verdict, step, sentence + clause) }

    /// This conclusion without its verdict, because of a fact that another clause names.
    ///
    /// - Parameter next: the next step; nil for that of this conclusion.
    package func undecided(_ clause: String, next: Step? = nil) -> Conclusion {
        Conclusion(.undecided, next ?? step, sentence + clause)
    }

    /// This conclusion about a chain without a pinned key, if the host sends another chain with one.
    ///
    /// - Parameters:
    ///   - clause: The other chain, with its clients and the key.
    ///   - sawThisChain: Whether the program saw the chain without a pinned key. Then the other chain does not change the verdict.
    package func withPinnedKeyElsewhere(_ clause: String, sawThisChain: Bool) -> Conclusion {
        let found = adding("; but \(clause)")
        guard verdict == .rotation, !sawThisChain else { return found }
        return found.undecided("", next: .fetch)
    }

    /// A conclusion, and what the host serves according to it.
    package typealias Draw = (live: HostEvidence.Live, conclusion: Conclusion)

    /// The conclusion from all chains of a host. If a chain allows no verdict, none of the others does. Two verdicts exclude each other.
    package static func agreed(_ first: Draw, _ others: [Draw]) -> Draw {
        guard let other = others.first(where: { $0.conclusion.verdict != first.conclusion.verdict }) else {
            return first
        }
        if let undecided = ([first] + others).first(where: { $0.conclusion.verdict == .undecided }) {
            let clause = "; other addresses of the host serve another chain"
            return (undecided.live, undecided.conclusion.adding(clause))
        }
        let sentence =
            "the addresses of the host serve different chains: \(first.conclusion.sentence); but for another chain, "
            + other.conclusion.sentence
        return (first.live, Conclusion(.undecided, .fetch, sentence))
    }
}
