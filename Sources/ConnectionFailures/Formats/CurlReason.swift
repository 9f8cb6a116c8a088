internal import Encodings

/// The texts of curl's errors about certificates. They are in lib/vtls of curl: openssl.c, gtls.c, wolfssl.c, mbedtls.c, schannel.c,
/// schannel_verify.c, rustls.c and, up to 8.14, sectransp.c. The reasons of OpenSSL are in its crypto/x509/x509_txt.c, those of rustls in
/// rustls/src/error/mod.rs, and those of Mbed TLS in its library/x509_crt.c.
enum CurlReason {
    /// What is before and after the host in a text about names, in which no name of the certificate is before the host. The third one is
    /// of curl up to 7.57.
    static let hostsWithoutName = [
        ("common name do not match \"", "\""), ("failed to match connection hostname (", ")"),
        ("schannel: connection hostname (", ")"),
        ("certificate did not match \"", "\""), ("certificate not valid for name \"", "\""),
    ]

    private static let mismatches = [
        "subject name", "SEC_E_WRONG_PRINCIPAL", "BADCERT_CN_MISMATCH", "does not match with the expected CN",
        "NotValidForName", "did not match connection (",
    ]
    private static let expirations = [
        "has expired", "SEC_E_CERT_EXPIRED", "BADCERT_EXPIRED", "had an expired certificate", "certificate expired",
        "ExpiredContext",
    ]
    private static let starts = [
        "not yet valid", "not valid yet", "BADCERT_FUTURE", "validity starts in the future", "NotValidYet",
    ]

    /// What OpenSSL says about an invalid signature of a certificate, from 3.0 on and before (`ASN1_item_verify` in crypto/asn1/a_verify.c).
    /// curl prints the first error of OpenSSL, which is not the result of the verification.
    static let signatures = ["asn1 encoding routines::EVP lib", "ASN1_item_verify:EVP lib"]

    /// What the program found; nil for another error.
    static func kind(_ text: String, code: Int?) -> ConnectionFailure.Kind? {
        switch code {
        case 90?: return .pinMismatch
        // Schannel reports an expired certificate as a failed handshake, and wolfSSL a missing CA as a file of CAs.
        case 35?
        where !(["SEC_E_CERT_EXPIRED", "SEC_E_UNTRUSTED_ROOT", "SEC_E_WRONG_PRINCIPAL"] + signatures)
            .contains(where: text.has):
            return nil
        case 77? where !text.has("CA signer not available"): return nil
        case 35?, 51?, 60?, 77?, nil: break
        default: return nil
        }
        if code == nil, text.has("does not match pinned public key") { return .pinMismatch }
        // The other words can be a part of the name.
        if hostsWithoutName.contains(where: { text.has($0.0) }) || mismatches.contains(where: text.has) {
            return .nameMismatch
        }
        if expirations.contains(where: text.has) { return .expired }
        if starts.contains(where: text.has) { return .notYetValid }
        return .untrusted
    }

    /// Whether the text of an error without a number is about certificates.
    static func isAboutCertificates(_ text: String) -> Bool {
        [
            "SSL: certificate ", "SSL: no alternative ", "SSL certificate ", "SSL: public key does not match",
            "server certificate verification failed", "server verification failed", "schannel: ",
        ].contains { text.begins(with: $0) }
    }
}
