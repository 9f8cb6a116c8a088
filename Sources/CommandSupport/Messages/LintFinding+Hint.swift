internal import Encodings
package import PinSetMaintenance

extension LintFinding {
    /// The next step, with the options and commands of pinctl.
    package var nextStep: String? {
        switch action {
        case .compareWithChain: "run pinctl verify, which prints the expected pins and the chain"
        case .addAuthority: "add the pin of another CA, with pinctl add --backup-authority"
        case nil: hint
        }
    }
}
