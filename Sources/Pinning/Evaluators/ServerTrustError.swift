internal import Encodings

/// The reason why an evaluator refused a server.
public struct ServerTrustError: Error, Equatable, Sendable {
    public enum Reason: Equatable, Sendable {
        /// The server presented no certificate.
        case noCertificates
        /// A certificate cannot be decoded.
        case chain(CertificateChainError)
        /// The host of the connection is malformed.
        case host(HostNameError)
        /// The chain is not valid. There is at least one failure.
        case untrusted([TrustFailure])
        /// The evaluator has no pins, anchors or lists, so it cannot accept any server.
        case nothingToCheck
        /// None of the compared certificates is pinned.
        case certificateNotPinned(compared: [Certificate])
        /// None of the compared certificates has a pinned key.
        case keyNotPinned(compared: [ChainPin])
        /// The pin set does not accept the chain.
        case pinSet(PinEvaluation.Verdict)
        /// The pin set's entry names a file of anchors that was not given to the evaluator.
        case missingAnchors(String)
        /// A certificate is revoked, or its status is not known.
        case revocation(RevocationFailure)
        /// No pattern covers the host, so no evaluator applies.
        case noEvaluator
    }

    /// The type of the evaluator, such as `PinnedCertificatesTrustEvaluator`.
    public let evaluator: String
    public let host: String
    public let reason: Reason

    public init(evaluator: String, host: String, reason: Reason) {
        (self.evaluator, self.host, self.reason) = (evaluator, host, reason)
    }

    init(_ evaluator: any ServerTrustEvaluator, _ host: String, _ reason: Reason) {
        self.init(evaluator: "\(type(of: evaluator))", host: host, reason: reason)
    }

    /// One sentence: `PinnedCertificatesTrustEvaluator refuses "api.example.com": none of 2 certificates is pinned`.
    public var message: String { "\(evaluator) refuses \(host.quotedExcerpt): \(reason.message)" }
}

extension ServerTrustError: CustomStringConvertible {
    public var description: String { message }
}

extension ServerTrustError.Reason {
    /// The reason, to be written after a colon.
    public var message: String {
        switch self {
        case .noCertificates: "the server presented no certificate"
        case .chain(let error): "\(error)"
        case .host(let error): error.message
        case .untrusted(let failures): failures.map(\.reason).joined(separator: "; ")
        case .nothingToCheck: "it has no pins, anchors or lists to check with"
        case .certificateNotPinned(let compared):
            "none of \(compared.count) certificate\(compared.count == 1 ? "" : "s") is pinned"
        case .keyNotPinned(let compared):
            "no pinned key is among \(compared.map { "\($0.pin) (\($0.role.rawValue))" }.joined(separator: ", "))"
        case .pinSet(.mismatch(let nearMisses)):
            (["no pin of the set matches the chain"] + nearMisses.map(\.message)).joined(separator: "; ")
        case .pinSet(.expired(let date)): "the pins expired on \(date.date)"
        case .pinSet(.noPins): "the pin set has no entry that covers it"
        case .pinSet(.match): "a pin of the set matches the chain"
        case .missingAnchors(let name):
            "its entry names the anchors in \(name.quotedExcerpt), but they were not given"
        case .revocation(let failure): failure.message
        case .noEvaluator: "no evaluator covers it"
        }
    }
}
