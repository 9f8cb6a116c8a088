internal import COpenSSL

/// Settings that client sessions share: an `SSL_CTX`.
///
/// Sessions do not validate the chain during the handshake, so that pinctl can show an invalid chain.
/// ``PeerChain/verify(against:parameters:)`` validates it later.
@safe
package struct ClientContext: ~Copyable {
    package struct Settings: Sendable {
        /// The minimum version as its number on the wire (RFC 8446, section 4.2.1); nil for the default.
        package var minimumVersion: UInt16?
        /// The maximum version as its number on the wire; nil for the default.
        package var maximumVersion: UInt16?
        /// Application protocols to offer, in order of preference (RFC 7301). If there are none, the extension is not sent.
        package var applicationProtocols: [String] = []
        /// Whether to offer every version and cipher suite that OpenSSL implements, from TLS 1.0 on, and to accept small keys.
        package var allowsWeak = false
        package var keyTypes = KeyTypes.all
        /// Whether sessions read or write application data, as those to a proxy do. Such sessions require secure renegotiation
        /// (RFC 5746) of the server, and refuse to renegotiate.
        package var carriesApplicationData = false

        /// Types of server keys.
        package enum KeyTypes: Sendable {
            case all
            case onlyRSA
            /// ECDSA, Ed25519 and Ed448.
            case exceptRSA
        }

        package init() {}
    }

    let pointer: OpaquePointer

    /// - Throws: if OpenSSL refuses a setting, such as a version that it was built without.
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

    /// Maximum size of the server's certificate list in bytes. OpenSSL's default of 100 kB refuses some real servers.
    ///
    /// OpenSSL decodes the whole list in one call. For 1 MiB of small certificates this takes up to 0.9 s, and the other hosts of
    /// the thread must wait.
    package static let maximumCertificateListSize = 256 << 10

    /// Maximum length in bits of the prime of a finite-field Diffie-Hellman exchange.
    package static let maximumDiffieHellmanBits = Int(PINCTL_MAXIMUM_DH_BITS)

    private static func applyDefaults(to context: OpaquePointer) {
        unsafe SSL_CTX_set_verify(context, SSL_VERIFY_NONE, nil)
        // Without this callback, OpenSSL builds a chain in each handshake, even with SSL_VERIFY_NONE.
        unsafe SSL_CTX_set_cert_verify_callback(context, { @Sendable _, _ in 1 }, nil)
        unsafe pinctl_SSL_CTX_disable_session_cache(context)
        unsafe pinctl_SSL_CTX_set_mode(context, Int(SSL_MODE_RELEASE_BUFFERS))
        unsafe pinctl_SSL_CTX_set_max_cert_list(context, maximumCertificateListSize)
        unsafe pinctl_SSL_CTX_limit_dh(context)
    }

    private static let tls12 = UInt16(TLS1_2_VERSION)

    private static func apply(_ settings: Settings, to context: OpaquePointer) -> Bool {
        if settings.carriesApplicationData {
            unsafe pinctl_SSL_CTX_disable_renegotiation(context)
        } else {
            // Secure renegotiation (RFC 5746) protects application data, and these sessions send none.
            unsafe pinctl_SSL_CTX_allow_legacy_server(context)
        }
        let asksForOldVersions = (settings.minimumVersion ?? settings.maximumVersion ?? tls12) < tls12
        if settings.allowsWeak || asksForOldVersions {
            // TLS 1.0 and 1.1 sign with SHA-1, which no security level above 0 allows.
            unsafe SSL_CTX_set_security_level(context, 0)
            guard unsafe SSL_CTX_set_cipher_list(context, "ALL:!aNULL:@SECLEVEL=0") == 1 else { return false }
        }
        guard unsafe offer(settings.keyTypes, to: context) else { return false }
        // The minimum is set explicitly. If the security level decided, OpenSSL would accept a server's TLS 1.0 and then reject its
        // signature.
        let minimum =
            settings.minimumVersion ?? (settings.allowsWeak || asksForOldVersions ? UInt16(TLS1_VERSION) : tls12)
        guard unsafe pinctl_SSL_CTX_set_min_proto_version(context, Int32(minimum)) == 1 else { return false }
        if let maximum = settings.maximumVersion {
            guard unsafe pinctl_SSL_CTX_set_max_proto_version(context, Int32(maximum)) == 1 else { return false }
        }
        guard !settings.applicationProtocols.isEmpty else { return true }
        let list = settings.applicationProtocols.flatMap { [UInt8(truncatingIfNeeded: $0.utf8.count)] + Array($0.utf8) }
        // This function returns 0 on success (SSL_CTX_set_alpn_protos(3)).
        return unsafe SSL_CTX_set_alpn_protos(context, list, UInt32(list.count)) == 0
    }

    /// Limits the signature algorithms and, for TLS 1.2 and before, the cipher suites.
    private static func offer(_ keyTypes: Settings.KeyTypes, to context: OpaquePointer) -> Bool {
        let algorithms: String
        let ciphers: String
        switch keyTypes {
        case .all: return true
        case .onlyRSA:
            algorithms =
                "rsa_pss_rsae_sha256:rsa_pss_rsae_sha384:rsa_pss_rsae_sha512:rsa_pss_pss_sha256:rsa_pss_pss_sha384:"
                + "rsa_pss_pss_sha512:RSA+SHA256:RSA+SHA384:RSA+SHA512"
            ciphers = "DEFAULT:!aECDSA:!aDSS"
        case .exceptRSA:
            algorithms = "ECDSA+SHA256:ECDSA+SHA384:ECDSA+SHA512:ed25519:ed448"
            ciphers = "DEFAULT:!aRSA:!aDSS"
        }
        return unsafe pinctl_SSL_CTX_set_signature_algorithms(context, algorithms) == 1
            && SSL_CTX_set_cipher_list(context, ciphers) == 1
    }
}
