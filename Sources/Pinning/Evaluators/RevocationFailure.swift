internal import Encodings

/// Why a chain that validates is refused for its revocation status.
public enum RevocationFailure: Error, Equatable, Sendable {
    /// A list or the stapled response says that the certificate is revoked.
    case revoked(Certificate, position: Int)
    /// No list that was given covers the certificate.
    case noList(Certificate, position: Int)
    /// The list that covers it is due for a newer one, or is not valid yet.
    case listNotCurrent(Certificate, position: Int)
    /// The list that covers it is not to be used, in OpenSSL's words: its signature is bad, for example.
    case listUnusable(Certificate, position: Int, String)
    /// The server stapled no OCSP response, and one is required.
    case noStapledResponse
    /// What it stapled is no OCSP response, or one that says that there is no answer.
    case stapledResponseUnusable(String)
    /// The stapled response was not signed by the certificate's issuer, nor by whom the issuer has sign for it.
    case stapledResponseUntrusted(String)
    /// The stapled response does not speak of the server's certificate.
    case stapledResponseForAnother
    /// The responder does not know the certificate.
    case stapledResponseUnknown
    /// The stapled response is too old, or of the future.
    case stapledResponseNotCurrent
    /// The chain is the server's certificate alone: it has no issuer there whose word on it could be checked.
    case noIssuer

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
        case .noIssuer: "the chain holds no issuer whose word on revocation could be checked"
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
