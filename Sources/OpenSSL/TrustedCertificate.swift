internal import COpenSSL

/// A decoded certificate with the trust settings that OpenSSL stores after it. Stores can share it.
@safe
package final class TrustedCertificate {
    let handle: CertificateHandle

    /// - Parameters:
    ///   - der: the certificate.
    ///   - trustSettings: OpenSSL's `X509_CERT_AUX` in DER; empty if there are no settings. It lists the purposes for which the
    ///     certificate is trusted, and those for which it is rejected. ``PeerChain/verify(against:parameters:)`` applies them.
    /// - Throws: if OpenSSL cannot decode the certificate, its key or the settings.
    package init(_ der: [UInt8], trustSettings: [UInt8] = []) throws(OpenSSLError) {
        handle = try CertificateHandle(derWithTrustSettings: trustSettings.isEmpty ? der : der + trustSettings)
    }

    /// - Parameter certificate: a certificate that another object owns.
    init?(retaining certificate: OpaquePointer) {
        guard let handle = unsafe CertificateHandle(retaining: certificate) else { return nil }
        self.handle = handle
    }

    /// The certificate in DER, followed by its trust settings if it has any.
    package var derWithTrustSettings: [UInt8] {
        unsafe [UInt8](encodedBy: { unsafe i2d_X509_AUX(handle.pointer, &$0) }) ?? []
    }

    /// Whether the trust settings reject the certificate for TLS servers.
    package var rejectsServers: Bool {
        unsafe X509_check_trust(handle.pointer, X509_TRUST_SSL_SERVER, 0) == X509_TRUST_REJECTED
    }
}
