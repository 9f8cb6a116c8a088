internal import COpenSSL

/// Settings that many client sessions share: an `SSL_CTX`.
///
/// Its sessions do not judge the chain during the handshake: a chain that does not validate must still be shown, so it
/// is judged afterwards, by ``PeerChain/verify(against:parameters:)``.
@safe
package struct ClientContext: ~Copyable {
    package struct Settings: Sendable {
        package var minimumVersion: TLSVersion?
        package var maximumVersion: TLSVersion?
        /// Application protocols to offer, most wanted first (RFC 7301); none leaves the extension out.
        package var applicationProtocols: [String] = []
        /// Offers everything OpenSSL still implements, down to TLS 1.0 and small keys: to inspect is not to trust.
        package var allowsWeak = false

        package init() {}
    }

    let pointer: OpaquePointer

    /// - Throws: what OpenSSL refused: a version the library was built without, say.
    package init(_ settings: Settings) throws(OpenSSLError) {
        pinctl_OPENSSL_init_without_error_texts()
        OpenSSLError.clear()
        guard let pointer = unsafe SSL_CTX_new(TLS_client_method()) else { throw OpenSSLError.drain() }
        unsafe Self.applyDefaults(to: pointer)
        guard unsafe Self.apply(settings, to: pointer) else {
            let error = OpenSSLError.drain()
            unsafe SSL_CTX_free(pointer)
            throw error
        }
        unsafe self.pointer = unsafe pointer
    }

    deinit { unsafe SSL_CTX_free(pointer) }

    /// The longest served certificate list that is read; OpenSSL's own bound of 100 kB refuses some real servers.
    package static let certificateListBound = 1 << 20

    private static func applyDefaults(to context: OpaquePointer) {
        unsafe SSL_CTX_set_verify(context, SSL_VERIFY_NONE, nil)
        // Even with SSL_VERIFY_NONE, OpenSSL builds a chain in each handshake; this spares that work.
        unsafe SSL_CTX_set_cert_verify_callback(context, { @Sendable _, _ in 1 }, nil)
        unsafe pinctl_SSL_CTX_disable_session_cache(context)
        unsafe pinctl_SSL_CTX_set_mode(context, Int(SSL_MODE_RELEASE_BUFFERS))
        unsafe pinctl_SSL_CTX_set_max_cert_list(context, certificateListBound)
        // No application data is ever sent, so what secure renegotiation (RFC 5746) protects is not there.
        unsafe pinctl_SSL_CTX_allow_legacy_server(context)
    }

    private static func apply(_ settings: Settings, to context: OpaquePointer) -> Bool {
        let asksForOldVersions = (settings.minimumVersion ?? settings.maximumVersion ?? .tls12) < .tls12
        if settings.allowsWeak || asksForOldVersions {
            // TLS 1.0 and 1.1 sign with SHA-1, which every security level above 0 forbids.
            unsafe SSL_CTX_set_security_level(context, 0)
            guard unsafe SSL_CTX_set_cipher_list(context, "ALL:!aNULL:@SECLEVEL=0") == 1 else { return false }
        }
        // Said outright: where it is left to the security level, a server of TLS 1.0 is answered and then refused for its
        // signature.
        let minimum = settings.minimumVersion ?? (settings.allowsWeak || asksForOldVersions ? .tls10 : .tls12)
        guard unsafe pinctl_SSL_CTX_set_min_proto_version(context, minimum.code) == 1 else { return false }
        if let maximum = settings.maximumVersion?.code {
            guard unsafe pinctl_SSL_CTX_set_max_proto_version(context, maximum) == 1 else { return false }
        }
        guard !settings.applicationProtocols.isEmpty else { return true }
        let list = settings.applicationProtocols.flatMap { [UInt8(truncatingIfNeeded: $0.utf8.count)] + Array($0.utf8) }
        // The one function here whose success is 0 (SSL_CTX_set_alpn_protos(3)).
        return unsafe SSL_CTX_set_alpn_protos(context, list, UInt32(list.count)) == 0
    }
}
