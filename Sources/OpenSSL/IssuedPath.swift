internal import COpenSSL

/// Checks of paths that OpenSSL does not build. It decides by names and key identifiers which certificate is the issuer of another one, and
/// which is self-signed (X509_check_issued(3), X509_self_signed(3)).
package enum IssuedPath {
    /// Whether each certificate has the signature of the next one's key, and each after the first may issue certificates of TLS servers
    /// (RFC 5280, section 6.1.4, without names and policies).
    ///
    /// - Parameters:
    ///   - path: in DER, leaf first.
    ///   - time: the moment at which all of them must be valid, in seconds since 1970.
    package static func isIssued(_ path: [[UInt8]], at time: Int64) -> Bool {
        defer { OpenSSLError.clear() }
        guard var issued = path.first.flatMap({ try? CertificateHandle(der: $0) }), isValid(issued, at: time) else {
            return false
        }
        // The certificates of other names below, which the path length limits.
        var count: CLong = 0
        for (position, der) in path.enumerated().dropFirst() {
            guard let issuer = try? CertificateHandle(der: der), isValid(issuer, at: time),
                mayIssue(issuer, above: count, isAnchor: position == path.count - 1), hasStrongKey(issuer),
                isSigned(issued, by: issuer), isStrong(issued)
            else { return false }
            let isSelfIssued = unsafe X509_get_extension_flags(issuer.pointer) & UInt32(EXFLAG_SI) != 0
            if !isSelfIssued { count += 1 }
            issued = issuer
        }
        return true
    }

    /// Whether a certificate is signed with the key that it contains.
    package static func isSelfSigned(_ der: [UInt8]) -> Bool {
        defer { OpenSSLError.clear() }
        guard let certificate = try? CertificateHandle(der: der) else { return false }
        return isSigned(certificate, by: certificate)
    }

    private static func isSigned(_ certificate: borrowing CertificateHandle, by issuer: borrowing CertificateHandle)
        -> Bool
    {
        guard let key = unsafe X509_get0_pubkey(issuer.pointer) else { return false }
        return unsafe X509_verify(certificate.pointer, key) == 1
    }

    private static func isValid(_ certificate: borrowing CertificateHandle, at time: Int64) -> Bool {
        var time = time_t(time)
        return unsafe X509_cmp_time(X509_get0_notBefore(certificate.pointer), &time) < 0
            && X509_cmp_time(X509_get0_notAfter(certificate.pointer), &time) > 0
    }

    /// In bits: security level 2 (SSL_CTX_set_security_level(3)), as in ``VerifyParameters``.
    private static let minimumStrength: CInt = 112

    /// Whether the signature is strong enough.
    private static func isStrong(_ certificate: borrowing CertificateHandle) -> Bool {
        var bits: CInt = 0
        return unsafe X509_get_signature_info(certificate.pointer, nil, nil, &bits, nil) == 1 && bits >= minimumStrength
    }

    private static func hasStrongKey(_ certificate: borrowing CertificateHandle) -> Bool {
        guard let key = unsafe X509_get0_pubkey(certificate.pointer) else { return false }
        return unsafe EVP_PKEY_get_security_bits(key) >= minimumStrength
    }

    /// - Parameters:
    ///   - count: the number of certificates of CAs with other names between this one and the leaf.
    ///   - isAnchor: whether it needs no basic constraints, as an anchor of an old version of X.509.
    private static func mayIssue(
        _ issuer: borrowing CertificateHandle, above count: CLong, isAnchor: Bool
    ) -> Bool {
        guard unsafe X509_check_purpose(issuer.pointer, X509_PURPOSE_SSL_SERVER, 1) > 0,
            unsafe isAnchor || X509_check_ca(issuer.pointer) == 1,
            // A critical extension that OpenSSL does not know.
            unsafe X509_get_extension_flags(issuer.pointer) & UInt32(EXFLAG_CRITICAL) == 0
        else { return false }
        let maximum = unsafe X509_get_pathlen(issuer.pointer)
        return maximum < 0 || count <= maximum
    }
}
