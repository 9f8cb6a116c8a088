internal import Encodings

/// The reason why a valid chain is refused because of its revocation status.
public enum RevocationFailure: Error, Equatable, Sendable {
    /// A list or the stapled response says that the certificate is revoked.
    case revoked(Certificate, position: Int)
    /// None of the given lists covers the certificate.
    case noList(Certificate, position: Int)
    /// The list for the certificate has expired or is not valid yet.
    case listNotCurrent(Certificate, position: Int)
    /// The list for the certificate cannot be used, for example because its signature is invalid. The string is OpenSSL's error
    /// text.
    case listUnusable(Certificate, position: Int, String)
    /// An OCSP response is required, but the server did not staple one.
    case noStapledResponse
    /// The stapled bytes are not an OCSP response, or the response is an error of the responder.
    case stapledResponseUnusable(String)
    /// Neither the certificate's issuer nor a responder authorized by it signed the stapled response.
    case stapledResponseUntrusted(String)
    /// The stapled response does not contain the status of the server's certificate.
    case stapledResponseForAnother
    /// The responder does not know the certificate.
    case stapledResponseUnknown
    /// The current time is not within the validity period of the stapled response.
    case stapledResponseNotCurrent
    /// The chain contains only the server's certificate, so the signature of a response cannot be checked with its issuer's key.
    case noIssuer

    /// The reason as a sentence.
    public var message: String {
        switch self {
        case .revoked(let certificate, let position): "\(Self.name(certificate, position)) is revoked"
        case .noList(let certificate, let position): "no revocation list covers \(Self.name(certificate, position))"
        case .listNotCurrent(let certificate, let position):
            "the revocation list for \(Self.name(certificate, position)) is out of date"
        case .listUnusable(let certificate, let position, let text):
            "the revocation list for \(Self.name(certificate, position)) cannot be used: \(text)"
        case .noStapledResponse: "the server stapled no OCSP response"
        case .stapledResponseUnusable(let text): "the stapled OCSP response cannot be used: \(text)"
        case .stapledResponseUntrusted(let text):
            "the stapled OCSP response was not signed for the certificate's issuer: \(text)"
        case .stapledResponseForAnother: "the stapled OCSP response is for another certificate"
        case .stapledResponseUnknown: "the OCSP responder does not know the server certificate"
        case .stapledResponseNotCurrent: "the stapled OCSP response is out of date"
        case .noIssuer: "the chain has no issuer, so its revocation status cannot be checked"
        }
    }

    private static func name(_ certificate: Certificate, _ position: Int) -> String {
        position == 0
            ? "the server certificate" : "the certificate of \((certificate.subject?.displayName ?? "").quotedExcerpt)"
    }
}

extension RevocationFailure: CustomStringConvertible {
    public var description: String { message }
}
