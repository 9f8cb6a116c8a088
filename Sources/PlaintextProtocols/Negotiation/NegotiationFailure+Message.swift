internal import Encodings

extension NegotiationFailure {
    /// The error in one sentence, without a full stop. It names the step: "… (starttls smtp)".
    ///
    /// - Parameter endpoint: the address of the peer.
    package func sentence(about step: PlaintextStep, at endpoint: String) -> String {
        switch self {
        case .closed(nil): "\(endpoint) closed the connection during the \(step) step"
        case .closed(let error?): "the connection to \(endpoint) failed during the \(step) step: \(error.text)"
        case .refused(let words): "\(endpoint) refused the \(step) step: \(Self.quoted(words))"
        case .notOffered(nil): "\(endpoint) does not offer TLS (\(step))"
        case .notOffered(let words?): "\(endpoint) does not offer TLS (\(step)): it answered \(Self.quoted(words))"
        case .unexpected(let bytes):
            "\(endpoint) does not speak \(step.protocolName) (\(step)): it answered with \(ProtocolGuess.shown(bytes))"
        case .tooLong(let limit):
            "\(endpoint) sent more than \(limit >> 10) KiB without finishing the \(step) step"
        case .injectedText(let count):
            "\(endpoint) sent \(count) \(count == 1 ? "byte" : "bytes") of plain text after its answer in the \(step)"
                + " step; an attacker may have inserted them"
        case .proxy(let failure): failure.message
        }
    }

    /// Maximum length of the words of a server in a message, in Unicode scalars.
    private static let maximumQuoteLength = 200

    private static func quoted(_ words: String) -> String {
        // A key can be recognized by characters after the cut.
        let scalars = words.withoutWholePrivateKeys.unicodeScalars
        guard scalars.count > maximumQuoteLength else { return words.quoted }
        return String(scalars.prefix(maximumQuoteLength)).asStart.quoted
    }
}
