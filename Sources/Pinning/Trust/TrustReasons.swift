/// The reasons of failures as sentences, with those of the last failures.
///
/// Consecutive hosts of a list often have the same chain, so that their failures are equal, or differ only in the expected host.
package struct TrustReasons {
    private var last: [(failure: TrustFailure, reason: String)] = []
    /// The last certificate that was not for the expected host, with its names.
    private var lastNames: (certificate: Certificate, text: String)?

    package init() {}

    /// The reasons, in the order of the failures.
    package mutating func reasons(of failures: [TrustFailure]) -> [String] {
        for (index, failure) in failures.enumerated() {
            if index < last.count, last[index].failure == failure { continue }
            last.replaceSubrange(min(index, last.count)..., with: [(failure, reason(of: failure))])
        }
        return last.prefix(failures.count).map(\.reason)
    }

    private mutating func reason(of failure: TrustFailure) -> String {
        guard case .nameMismatch(let certificate, let expected) = failure else { return failure.reason }
        let names: String
        if let lastNames, lastNames.certificate == certificate {
            names = lastNames.text
        } else {
            names = TrustFailure.names(of: certificate)
            lastNames = (certificate, names)
        }
        return TrustFailure.mismatch(of: expected, with: names)
    }
}
