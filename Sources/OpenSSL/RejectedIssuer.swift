internal import COpenSSL

/// A certificate that has the name of a path's missing issuer, but that OpenSSL did not use as the issuer.
package struct RejectedIssuer: Equatable, Sendable {
    /// The reason why it was not used (X509_check_issued(3)).
    package enum Reason: Equatable, Sendable {
        /// The extensions of the issued certificate are malformed or contradict each other, so no certificate can be its issuer.
        case issuedExtensions
        /// The extensions of the issuer are malformed or contradict each other.
        case extensions
        /// The issued certificate names another subject key identifier.
        case keyIdentifier
        /// The issued certificate names another issuer or serial number.
        case serialNumber
        /// The key of the issuer cannot be decoded.
        case unreadableKey
        /// The key of the issuer does not fit the signature algorithm of the issued certificate.
        case signatureAlgorithm
        /// The certificate could be the issuer, but the path needs another certificate.
        case otherCertificate
        /// Another reason. The string is OpenSSL's text.
        case other(String)
    }

    /// The certificate in DER.
    package let certificate: [UInt8]
    /// Whether the certificate is in the trust store. Otherwise the peer sent it.
    package let isInStore: Bool
    package let reason: Reason

    /// Finds a certificate with the name of the issuer of the path's last certificate.
    ///
    /// Certificates of the trust store are searched first, because only they can end a path.
    ///
    /// - Returns: nil if there is no such certificate.
    init?(endOf context: OpaquePointer, untrusted: OpaquePointer) {
        guard let path = unsafe X509_STORE_CTX_get0_chain(context),
            let issued = unsafe pinctl_sk_X509_value(path, pinctl_sk_X509_num(path) - 1),
            let name = unsafe X509_get_issuer_name(issued)
        else { return nil }
        if let anchors = unsafe X509_STORE_CTX_get1_certs(context, name) {
            defer { unsafe pinctl_sk_X509_free_all(anchors) }
            if let found = unsafe Self.first(in: anchors, named: name, except: issued) {
                self = unsafe RejectedIssuer(found, of: issued, isInStore: true)
                return
            }
        }
        guard let found = unsafe Self.first(in: untrusted, named: name, except: issued) else { return nil }
        self = unsafe RejectedIssuer(found, of: issued, isInStore: false)
    }

    private init(_ certificate: OpaquePointer, of issued: OpaquePointer, isInStore: Bool) {
        self.certificate = unsafe CertificateHandle.der(of: certificate)
        self.isInStore = isInStore
        reason = unsafe Self.reason(certificate, of: issued)
    }

    private static func first(
        in certificates: OpaquePointer, named name: OpaquePointer, except issued: OpaquePointer
    ) -> OpaquePointer? {
        for index in 0..<max(0, unsafe pinctl_sk_X509_num(certificates)) {
            guard let candidate = unsafe pinctl_sk_X509_value(certificates, index),
                unsafe X509_NAME_cmp(X509_get_subject_name(candidate), name) == 0,
                unsafe X509_cmp(candidate, issued) != 0
            else { continue }
            return unsafe candidate
        }
        return nil
    }

    private static func reason(_ issuer: OpaquePointer, of issued: OpaquePointer) -> Reason {
        // If the issued certificate has malformed extensions, OpenSSL rejects every issuer with the same code.
        if unsafe X509_get_extension_flags(issued) & UInt32(EXFLAG_INVALID) != 0 { return .issuedExtensions }
        if unsafe X509_get_extension_flags(issuer) & UInt32(EXFLAG_INVALID) != 0 { return .extensions }
        let code = unsafe X509_check_issued(issuer, issued)
        return switch code {
        case X509_V_ERR_AKID_SKID_MISMATCH: .keyIdentifier
        case X509_V_ERR_AKID_ISSUER_SERIAL_MISMATCH: .serialNumber
        case X509_V_ERR_NO_ISSUER_PUBLIC_KEY: .unreadableKey
        case X509_V_ERR_SIGNATURE_ALGORITHM_MISMATCH: .signatureAlgorithm
        // OpenSSL ignores the key usage when it chooses an issuer.
        case X509_V_OK, X509_V_ERR_KEYUSAGE_NO_CERTSIGN: .otherCertificate
        default: .other(unsafe String(cString: X509_verify_cert_error_string(Int(code))))
        }
    }
}
