internal import Fetching
internal import Pinning

extension FetchResult {
    /// What this host's connection and chain come to.
    func status(acceptsUntrusted: Bool) -> ExitStatus {
        switch outcome {
        case .failure: .undecided
        case .success(let presentation): presentation.chain.isTrusted || acceptsUntrusted ? .success : .failure
        }
    }

    /// A message about this host.
    func message(_ text: String, hint: String? = nil) -> String { Message.error(about: target, text, hint: hint) }

    /// What came of the host, in a word or two.
    var outcomeName: String {
        switch outcome {
        case .success(let presentation): presentation.chain.isTrusted ? "trusted" : "not trusted"
        case .failure(let error): error.code.rawValue
        }
    }

    static let outcomeNames = ["trusted", "not trusted"]
}
