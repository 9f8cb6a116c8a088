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

    /// The outcome in one or two words.
    package var outcomeName: String {
        switch outcome {
        case .success(let presentation): presentation.chain.isTrusted ? "trusted" : "not trusted"
        case .failure(let error): error.code.rawValue
        }
    }

    package static let outcomeNames = ["trusted", "not trusted"]
}
