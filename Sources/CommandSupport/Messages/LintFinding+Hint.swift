internal import Encodings
package import PinSetMaintenance

extension LintFinding {
    /// The next step, with the options and commands of pinctl.
    package var nextStep: String? {
        switch action {
        case .trustAuthority:
            "if this CA is yours, use --anchors ca.pem; if it is not, the connection may be intercepted"
        case .completeChain(let issuer):
            "if \(issuer.quoted) is an intermediate, configure the server to send it; if this CA is yours, use --anchors ca.pem;"
                + " otherwise, the connection may be intercepted"
        case .compareWithChain: "run pinctl verify, which prints the expected pins and the chain"
        case .addAuthority: "add the pin of another CA, with pinctl add --backup-authority"
        case nil: hint
        }
    }
}
