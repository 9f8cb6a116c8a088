package import Fetching
internal import Pinning

extension FetchResult {
    /// The exit status for this host's connection and chain.
    package func status(acceptsUntrusted: Bool) -> ExitStatus {
        switch outcome {
        case .failure: .undecided
        case .success(let presentation): presentation.chain.isTrusted || acceptsUntrusted ? .success : .failure
        }
    }

    /// An error message about this host.
    package func message(_ text: String, hint: String? = nil) -> String {
        Message.error(about: target, text, hint: hint)
    }

    /// Why the certificates of CAs may not be those of the server; nil if the handshake was authenticated
    /// (``HandshakeResult/isUnfinished``) or failed.
    package var unfinishedDoubt: String? {
        guard let handshake = try? outcome.get(), handshake.isUnfinished else { return nil }
        return UnfinishedHandshake.doubt(at: handshake.endpoint?.description ?? "\(target)")
    }

    /// A warning with this doubt, otherwise empty.
    package var unfinishedWarning: String {
        unfinishedDoubt.map { Message.warning("\(target): \($0)", hint: UnfinishedHandshake.step) } ?? ""
    }

    /// The outcome in a few words.
    package var outcomeName: String {
        switch outcome {
        case .success(let presentation):
            (presentation.isProven ? Self.outcomeNames : Self.unprovenOutcomeNames)[
                presentation.chain.isTrusted ? 0 : 1]
        case .failure(let error): error.code.rawValue
        }
    }

    package static let outcomeNames = ["trusted", "not trusted"]
    /// The names of outcomes of handshakes that end at the certificate message.
    package static let unprovenOutcomeNames = outcomeNames.map { "\($0) \(HandshakeResult.unprovenMark)" }
}

extension HandshakeResult {
    /// The mark of a chain whose server did not prove that it has the leaf's key.
    package static let unprovenMark = "(not proven)"

    /// The verdict on the chain, with the mark if the server proved nothing.
    package var verdict: String {
        let verdict = chain.isTrusted ? "trusted" : "not trusted"
        return isProven ? verdict : "\(verdict) \(Self.unprovenMark)"
    }

    /// The mark of a pin that can be an attacker's; nil for a pin of a trusted chain whose server proved that it has the leaf's key.
    package var pinMark: String? { chain.pinMark ?? (isProven ? nil : Self.unprovenMark) }
}
