package import Fetching
package import Pinning

extension ReportFragment {
    /// Adds an error if `--select` matches no certificate of a chain.
    package mutating func noteMissingSelection(
        _ entries: [CertificateChain.Entry], of result: FetchResult, _ chain: CertificateChain
    ) {
        guard entries.isEmpty else { return }
        messages += result.message("no certificate matches --select: the chain has \(chain.summary)")
        status = status.combined(with: .failure)
    }
}
