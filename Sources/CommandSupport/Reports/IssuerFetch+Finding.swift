internal import Encodings
package import Fetching
internal import Pinning

extension IssuerFetch {
    /// Why the certificates of CAs may not be those that other clients see, as a sentence. A valid certificate for the same key can lead to
    /// another CA.
    package static let doubt =
        "nothing authenticated the fetched certificate: an interceptor can have selected the CAs of this chain"

    /// What the server did not send, and where it was fetched, as a sentence.
    package var finding: String {
        let name = (issued.issuer?.displayName ?? "").quoted
        switch outcome {
        case .success:
            return
                "the server did not send the certificate of \(name), which was fetched from \(url ?? ""): clients that fetch"
                + " no issuers, such as OpenSSL, do not trust this chain"
        case .failure(let failure):
            return "cannot fetch the certificate of \(name)\(url.map { " from \($0)" } ?? ""): \(failure.message)"
        }
    }
}
