internal import Encodings

/// Which evaluator refused a server, and why.
public struct ServerTrustError: Error, Equatable, Sendable {
    public enum Reason: Equatable, Sendable {
        /// The server presented no certificate.
        case noCertificates
        /// A certificate that cannot be judged.
        case chain(CertificateChainError)
        /// What the connection is for is no host.
        case host(HostNameError)
        /// The chain does not validate. One failure at least.
        case untrusted([TrustFailure])
        /// The evaluator was given nothing that could match, or nothing to check by.
        case nothingToCheck
        /// No certificate that was looked at is a pinned one.
        case certificateNotPinned(compared: [Certificate])
        /// No certificate that was looked at has a pinned key.
        case keyNotPinned(compared: [ChainPin])
        /// The pin set does not accept the chain.
        case pinSet(PinEvaluation.Verdict)
        /// The pin set's entry trusts authorities in files, and the evaluator was not given this one.
        case missingAnchors(String)
        /// A certificate is revoked, or nobody says that it is not.
        case revocation(RevocationFailure)
        /// No evaluator is there for the host.
        case noEvaluator
    }

    /// The type that refused: `PinnedCertificatesTrustEvaluator`.
    public let evaluator: String
    public let host: String
    public let reason: Reason

    public init(evaluator: String, host: String, reason: Reason) {
        (self.evaluator, self.host, self.reason) = (evaluator, host, reason)
    }

    init(_ evaluator: any ServerTrustEvaluator, _ host: String, _ reason: Reason) {
        self.init(evaluator: "\(type(of: evaluator))", host: host, reason: reason)
    }

    /// One sentence: `PinnedCertificatesTrustEvaluator refuses "api.example.com": no certificate of its chain is a pinned one`.
    public var message: String { "\(evaluator) refuses \(host.quotedExcerpt): \(reason.message)" }
}

extension ServerTrustError: CustomStringConvertible {
    public var description: String { message }
}

extension ServerTrustError.Reason {
    /// The reason alone, to stand after a colon.
    public var message: String {
        switch self {
        case .noCertificates: "the server presented no certificate"
        case .chain(let error): "\(error)"
        case .host(let error): error.message
        case .untrusted(let failures): failures.map(\.reason).joined(separator: "; ")
        case .nothingToCheck: "it was given nothing to check by"
        case .certificateNotPinned(let compared):
            "none of \(compared.count) certificate\(compared.count == 1 ? "" : "s") is a pinned one"
        case .keyNotPinned(let compared):
            "no pinned key is among \(compared.map { "\($0.pin) (\($0.role.rawValue))" }.joined(separator: ", "))"
        case .pinSet(.mismatch(let nearMisses)):
            (["no pin of the set matches the chain"] + nearMisses.map(\.message)).joined(separator: "; ")
        case .pinSet(.expired(let date)): "the pins hold no more since \(date.date)"
        case .pinSet(.noPins): "the pin set has no entry that covers it"
        case .pinSet(.match): "a pin of the set matches the chain"
        case .missingAnchors(let name):
            "its pins go with the authorities in \(name.quotedExcerpt), which were not given"
        case .revocation(let failure): failure.message
        case .noEvaluator: "there is no evaluator for it, and every host must have one"
        }
    }
}
