internal import Encodings

/// Why a program does not trust a chain, if the words of its message say so.
enum UntrustedReason: Hashable, Sendable {
    /// The last certificate of the chain is self-signed and not in the trust store.
    case unknownRoot
    /// The server's certificate is self-signed.
    case selfSigned
    /// No trusted issuer was found for a certificate.
    case missingIssuer
    /// A certificate has expired or is not valid yet. The message shows only this error, although the program went on after others.
    case otherTime
    case unknown

    /// The words of OpenSSL and BoringSSL (crypto/x509/x509_txt.c; with "self signed" up to OpenSSL 1.1), the codes of Node.js, and the
    /// words of Go (crypto/x509/verify.go), Java (SunCertPathBuilder), Android's Conscrypt, rustls, .NET (X509ChainStatusFlags), Wget,
    /// GnuTLS (lib/cert-session.c), Postfix (src/tls/tls_verify.c) and curl with Schannel, Mbed TLS and wolfSSL. A text with others comes before them.
    private static let words: [(text: String, reason: Self)] =
        [
            ("self-signed certificate in certificate chain", .unknownRoot),
            ("self signed certificate in certificate chain", .unknownRoot),
            ("SELF_SIGNED_CERT_IN_CHAIN", .unknownRoot), ("UntrustedRoot", .unknownRoot),
            ("SEC_E_UNTRUSTED_ROOT", .unknownRoot),
            ("self-signed certificate", .selfSigned), ("self signed certificate", .selfSigned),
            ("DEPTH_ZERO_SELF_SIGNED_CERT", .selfSigned),
        ] + missingForOpenSSL.map { ($0, .missingIssuer) } + [
            ("certificate signed by unknown authority", .missingIssuer), ("UnknownIssuer", .missingIssuer),
            ("unable to find valid certification path to requested target", .missingIssuer),
            ("Trust anchor for certification path not found", .missingIssuer), ("PartialChain", .missingIssuer),
            ("doesn't have a known issuer", .missingIssuer), ("The certificate issuer is unknown.", .missingIssuer),
            ("BADCERT_NOT_TRUSTED", .missingIssuer), ("CA signer not available", .missingIssuer),
            (": untrusted issuer", .missingIssuer),
            ("certificate has expired", .otherTime), ("certificate is not yet valid", .otherTime),
            ("certificate not yet valid", .otherTime),
        ]

    /// The texts with which OpenSSL says that it found no issuer. It names other defects differently (crypto/x509/x509_txt.c).
    private static let missingForOpenSSL = [
        "unable to get local issuer certificate", "unable to get issuer certificate",
        "unable to verify the first certificate", "UNABLE_TO_GET_ISSUER_CERT", "UNABLE_TO_VERIFY_LEAF_SIGNATURE",
    ]

    /// Whether a message of OpenSSL says that an issuer is missing.
    static func isMissingForOpenSSL(in failure: ConnectionFailure) -> Bool {
        let message = LogLine(number: failure.line, bytes: Array(failure.message.utf8)[...])
        return missingForOpenSSL.contains { message.announces($0) }
    }

    /// Reads the message before the first name of a certificate.
    init(in failure: ConnectionFailure) {
        let message = LogLine(number: failure.line, bytes: Array(failure.message.utf8)[...])
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
        case .missingIssuer:
            "the program found no trusted issuer for a certificate of the chain: the server does not send an intermediate certificate, the"
                + " program's trust store lacks the CA, or the connection was intercepted"
        case .otherTime:
            "the program received a certificate that has expired or is not valid yet, and the message does not show whether it trusts the"
                + " CA"
        case .unknown: "the program does not trust the chain, and the log does not show why"
        }
    }
}
