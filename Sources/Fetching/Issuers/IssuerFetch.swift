package import Pinning
package import PlaintextProtocols

/// An attempt to fetch the certificate of an issuer that the server did not send (`--fetch-issuers`).
package struct IssuerFetch: Sendable {
    /// The certificate that names the URL.
    package let issued: Certificate
    /// The URL in the certificate (RFC 5280, section 4.2.2.1), as it stands there; nil if it names none that can be fetched.
    package let url: String?
    /// The certificates of the issuer, or why there are none.
    package let outcome: Result<[Certificate], Failure>

    package enum Failure: Error, Sendable {
        /// The certificate names no `http` URL of its issuer.
        case noURL
        case connection(FetchError)
        case timeout
        /// The connection broke.
        case closed
        case response(HTTPResponseReader.Failure)
        /// A status other than 200 and a redirection.
        case status(Int)
        /// A redirection to another scheme, or too many of them.
        case redirection
        /// The body contains no certificate with the name of the issuer.
        case noIssuer
        /// The certificates of the host name more URLs than pinctl requests for one host.
        case tooManyURLs
        /// The certificates of the chain have more bytes than pinctl validates with fetched issuers.
        case chainTooLarge
    }
}

extension IssuerFetch.Failure {
    /// The reason as a sentence without a full stop.
    package var message: String {
        switch self {
        case .noURL: "the certificate names no http URL of its issuer"
        case .connection(let error): error.message
        case .timeout: "the time limit was reached"
        case .closed: "the connection was closed"
        case .response(.notHTTP): "the answer is not HTTP"
        case .response(.malformed): "the HTTP answer is malformed"
        case .response(.headersTooLong):
            "the headers of the HTTP answer are longer than \(HTTPResponseReader.maximumHeaders >> 10) KiB"
        case .response(.bodyTooLong): "the answer is longer than \(HTTPResponseReader.maximumBody >> 10) KiB"
        case .response(.truncated): "the connection was closed before the end of the answer"
        case .status(let status): "the answer has the HTTP status \(status)"
        case .redirection: "it redirects too often, or to a URL that is not http"
        case .noIssuer: "the answer contains no certificate of the issuer"
        case .tooManyURLs:
            "the certificates of the host name more than \(IssuerRequests.maximumURLs) URLs, the maximum for one host"
        case .chainTooLarge:
            "the certificates of the chain would have more than \(IssuerSearch.maximumSize >> 10) KiB, the maximum if"
                + " issuers are fetched"
        }
    }
}
