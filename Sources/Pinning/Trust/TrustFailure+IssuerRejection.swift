extension TrustFailure {
    /// A certificate that has the name of a missing issuer, and the reason why it was not used.
    public struct IssuerRejection: Hashable, Sendable {
        public enum Reason: Hashable, Sendable {
            /// The extensions of the issued certificate are malformed or contradict each other, so that no issuer fits.
            case issuedExtensions
            /// The extensions of the issuer are malformed or contradict each other.
            case extensions
            /// The subject key identifier of the issuer differs from the authority key identifier of the issued certificate.
            case keyIdentifier
            /// The authority key identifier of the issued certificate names another issuer or serial number.
            case serialNumber
            /// The key of the issuer cannot be decoded.
            case unreadableKey
            /// The key of the issuer does not fit the signature algorithm of the issued certificate.
            case signatureAlgorithm
            /// The trust store does not contain the issuer, and its issuer is unknown too.
            case untrusted
            /// Another reason. The string is OpenSSL's text.
            case other(String)
        }

        /// The certificate that was not used.
        public let issuer: Certificate
        /// Whether the trust store contains it. Otherwise the server sent it, or it was fetched.
        public let isInStore: Bool
        public let reason: Reason

        /// - Parameters:
        ///   - issuer: the name of the issuer, in quotes.
        ///   - issued: the issued certificate as a noun, such as "the server certificate".
        func reason(issuer: String, issued: String) -> String {
            let source = isInStore ? "which the trust store contains" : "which was received"
            let why =
                switch reason {
                case .issuedExtensions: "the extensions of \(issued) are malformed or contradict each other"
                case .extensions: "its extensions are malformed or contradict each other"
                case .keyIdentifier: "its subject key identifier is not the one that \(issued) names"
                case .serialNumber: "its issuer and serial number are not those that \(issued) names"
                case .unreadableKey: "its key cannot be decoded"
                case .signatureAlgorithm: "its key does not fit the signature algorithm of \(issued)"
                case .untrusted: "the trust store does not contain it"
                case .other(let text): text
                }
            return "the certificate of \(issuer), \(source), is not accepted as the issuer of \(issued): \(why)"
        }
    }
}
