internal import Encodings
internal import Pinning

/// Why a program does not trust a chain, if the words of its message say so.
enum UntrustedReason: Hashable, Sendable {
    /// The last certificate of the chain is self-signed and not in the trust store.
    case unknownRoot
    /// The server's certificate is self-signed.
    case selfSigned
    /// No valid path to a trusted issuer was found. These programs give one reason for most defects above the server's certificate.
    case missingPath
    /// No trusted issuer was found for a certificate.
    case missingIssuer
    /// The same from OpenSSL, which names other defects differently.
    case missingIssuerOfOpenSSL
    /// A certificate is not for TLS servers.
    case purpose
    /// A certificate that issued another one is not that of a CA.
    case authority
    case pathLength, nameConstraints, signature, revoked
    /// A key or a digest is too weak.
    case strength
    /// A certificate has a critical extension that the program does not know.
    case criticalExtension
    /// A certificate has expired, or is not valid yet. The message shows only this error, although the program went on after others.
    case expired, notYetValid
    case unknown

    /// The words of OpenSSL and BoringSSL (crypto/x509/x509_txt.c; with "self signed" up to OpenSSL 1.1), the codes of Node.js, and the
    /// words of Go (crypto/x509/verify.go), Java (SunCertPathBuilder), Android's Conscrypt, rustls, .NET (X509ChainStatusFlags), Wget,
    /// GnuTLS (lib/cert-session.c), Postfix (src/tls/tls_verify.c) and curl with Schannel, Mbed TLS and wolfSSL. A text with others comes before them.
    private static let words: [(text: String, reason: Self)] = [
        ("self-signed certificate in certificate chain", .unknownRoot),
        ("self signed certificate in certificate chain", .unknownRoot),
        ("SELF_SIGNED_CERT_IN_CHAIN", .unknownRoot), ("UntrustedRoot", .unknownRoot),
        ("SEC_E_UNTRUSTED_ROOT", .unknownRoot),
        ("self-signed certificate", .selfSigned), ("self signed certificate", .selfSigned),
        ("DEPTH_ZERO_SELF_SIGNED_CERT", .selfSigned),
        ("unable to get local issuer certificate", .missingIssuerOfOpenSSL),
        ("unable to get issuer certificate", .missingIssuerOfOpenSSL),
        ("unable to verify the first certificate", .missingIssuerOfOpenSSL),
        ("UNABLE_TO_GET_ISSUER_CERT", .missingIssuerOfOpenSSL),
        ("UNABLE_TO_VERIFY_LEAF_SIGNATURE", .missingIssuerOfOpenSSL),
        ("unsuitable certificate purpose", .purpose), ("unsupported certificate purpose", .purpose),
        ("INVALID_PURPOSE", .purpose), ("certificate specifies an incompatible key usage", .purpose),
        ("is not authorized for an extended key usage", .purpose),
        ("invalid CA certificate", .authority), ("key usage does not include certificate signing", .authority),
        ("INVALID_CA", .authority), ("is not authorized to sign other certificates", .authority),
        ("path length constraint exceeded", .pathLength), ("PATH_LENGTH_EXCEEDED", .pathLength),
        ("too many intermediates for path length constraint", .pathLength),
        ("permitted subtree violation", .nameConstraints), ("excluded subtree violation", .nameConstraints),
        ("is not authorized to sign for this name", .nameConstraints),
        ("certificate signature failure", .signature), ("CERT_SIGNATURE_FAILURE", .signature),
        ("certificate key too weak", .strength), ("signature digest algorithm too weak", .strength),
        ("certificate revoked", .revoked), ("CERT_REVOKED", .revoked),
        ("unhandled critical extension", .criticalExtension),
        ("certificate signed by unknown authority", .missingIssuer), ("UnknownIssuer", .missingIssuer),
        ("unable to find valid certification path to requested target", .missingPath),
        ("Trust anchor for certification path not found", .missingPath), ("PartialChain", .missingIssuer),
        ("doesn't have a known issuer", .missingIssuer), ("The certificate issuer is unknown.", .missingIssuer),
        ("BADCERT_NOT_TRUSTED", .missingIssuer), ("CA signer not available", .missingIssuer),
        (": untrusted issuer", .missingIssuer),
        ("certificate has expired", .expired), ("certificate is not yet valid", .notYetValid),
        ("certificate not yet valid", .notYetValid),
        // CertificateError of rustls, and NSURLErrorServerCertificateHasUnknownRoot.
        ("BadSignature", .signature), ("Revoked", .revoked), ("InvalidPurpose", .purpose),
        ("certificate does not allow extended key usage", .purpose),
        ("UnhandledCriticalExtension", .criticalExtension), ("NSURLErrorDomain -1203", .missingPath),
    ]

    /// Reads the message before the first name of a certificate.
    init(in failure: ConnectionFailure) {
        let message = LogLine(number: failure.line, bytes: Array(failure.message.utf8)[...])
        guard !CurlReason.signatures.contains(where: { message.announces($0) }) else {
            self = .signature
            return
        }
        self = Self.words.first { message.announces($0.text) }?.reason ?? .unknown
    }

    /// What the message says, and its possible causes.
    var sentence: String {
        switch self {
        case .unknownRoot:
            "the program received a chain that ends in a self-signed certificate which it does not trust: its trust store lacks this CA, or"
                + " the connection was intercepted"
        case .selfSigned:
            "the program received a self-signed certificate that it does not trust: its trust store lacks this certificate, or another party"
                + " answered in place of the host"
        case .missingPath, .missingIssuer, .missingIssuerOfOpenSSL:
            "the program found no trusted issuer for a certificate of the chain: the server does not send an intermediate certificate, the"
                + " program's trust store lacks the CA, or the connection was intercepted"
        case .expired, .notYetValid:
            "the program received a certificate that has expired or is not valid yet, and the message does not show whether it trusts the"
                + " CA"
        case .purpose, .authority, .pathLength, .nameConstraints, .signature, .revoked, .strength, .criticalExtension:
            "the program found a defect in a certificate of the chain: that of the server, or of a chain that another party sent"
        case .unknown: "the program does not trust the chain, and the log does not show why"
        }
    }

    /// Whether the words are about a defect of a certificate, and not about its issuer or a date.
    var isDefect: Bool {
        switch self {
        case .purpose, .authority, .pathLength, .nameConstraints, .signature, .revoked, .strength, .criticalExtension:
            true
        case .unknownRoot, .selfSigned, .missingPath, .missingIssuer, .missingIssuerOfOpenSSL, .expired, .notYetValid,
            .unknown:
            false
        }
    }

    /// Whether a program that finds this failure in a chain can write a message with these words.
    func canMean(_ failure: TrustFailure) -> Bool {
        switch (self, failure) {
        case (.unknown, _): true
        case (.unknownRoot, .untrustedRoot), (.unknownRoot, .issuerRejected), (.selfSigned, .selfSigned): true
        case (.missingIssuerOfOpenSSL, .missingIssuer), (.missingIssuerOfOpenSSL, .issuerRejected): true
        case (.missingIssuerOfOpenSSL, .untrustedRoot): true
        case (.expired, .expired), (.notYetValid, .notYetValid): true
        case (.purpose, .wrongPurpose), (.authority, .notAnAuthority), (.pathLength, .pathTooLong): true
        case (.nameConstraints, .nameConstraints), (.nameConstraints, .hostNotPermitted),
            (.nameConstraints, .emptyNameConstraints), (.nameConstraints, .malformedNameConstraints):
            true
        case (.signature, .badSignature), (.revoked, .revoked), (.criticalExtension, .other): true
        case (.strength, .weakKey), (.strength, .weakSignature): true
        // Java names a wrong date only if the chain ends below a trusted CA as the server sent it (sun.security.validator.PKIXValidator).
        case (.missingPath, .expired(_, let position)), (.missingPath, .notYetValid(_, let position)): position > 0
        case (.missingPath, .nameMismatch): false
        case (.missingPath, _): true
        case (.missingIssuer, .missingIssuer), (.missingIssuer, .issuerRejected), (.missingIssuer, .untrustedRoot): true
        case (.missingIssuer, .selfSigned), (.missingIssuer, .distrusted): true
        // `buildChains` in Go's crypto/x509/verify.go misses the issuer if a signature is invalid, weak, or by a certificate that may not sign.
        // Go, rustls, Wget and GnuTLS name a date, a purpose and a constraint.
        case (.missingIssuer, .badSignature), (.missingIssuer, .weakSignature), (.missingIssuer, .notAnAuthority): true
        default: false
        }
    }
}
