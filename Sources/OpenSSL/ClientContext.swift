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
        /// The types of server keys to accept.
        package var keyTypes = Set(KeyType.allCases)
        /// The curves of ECDSA keys to accept; nil for all. With TLS 1.3 the signature algorithms select the curve (RFC 8446, section
        /// 4.2.3), and up to TLS 1.2 the supported groups (RFC 8422, section 5.1.1). So the restriction is certain only if
        /// ``maximumVersion`` is at most TLS 1.2, or if the server selects TLS 1.3.
        package var curves: Set<Curve>?
        /// Whether sessions read or write application data, as those to a proxy do. Such sessions require secure renegotiation
        /// (RFC 5746) of the server, and refuse to renegotiate.
        package var carriesApplicationData = false
        /// Whether the limits of OpenSSL's configuration file do not apply (config(5), `system_default`): sessions offer the versions,
        /// cipher suites, groups and signature algorithms that they offer without such a file.
        package var ignoresConfiguration = false
        /// Whether to request the revocation status of the server's certificate (RFC 6066, section 8).
        package var requestsStatus = false
        /// Whether sessions stop at the server's Certificate message, before the server proves that it has the key.
        package var stopsAtCertificate = false

        /// The answer of sessions to a certificate request; nil for none.
        package var credential: Credential?

        package init() {}

        /// Whether the settings require algorithms that OpenSSL's default security level refuses.
        fileprivate var needsWeakAlgorithms: Bool {
            allowsWeak || (minimumVersion ?? maximumVersion ?? ClientContext.tls12) < ClientContext.tls12
        }
    }

    /// A curve of ECDSA keys that TLS 1.3 has a signature algorithm for. The raw value is OpenSSL's name of the group.
    package enum Curve: String, CaseIterable, Sendable {
        case p256 = "P-256"
        case p384 = "P-384"
        case p521 = "P-521"

        /// The digest of the only signature algorithm of TLS 1.3 for the curve (RFC 8446, section 4.2.3).
        fileprivate var digest: String {
            switch self {
            case .p256: "SHA256"
            case .p384: "SHA384"
            case .p521: "SHA512"
            }
        }
    }

    /// A client certificate with its key.
    package struct Credential: Sendable {
        /// The client's own certificate, then those of its issuers, in DER.
        let certificates: [[UInt8]]
        let key: PrivateKeyBytes

        package init(certificates: [[UInt8]], key: PrivateKeyBytes) {
            (self.certificates, self.key) = (certificates, key)
        }
    }

    /// A type of server key.
    package enum KeyType: CaseIterable, Sendable {
        case ecdsa, rsa
        /// RSA keys whose certificate allows only RSA-PSS signatures.
        case rsaPSS
        case ed25519, ed448
        /// Offered only with weak algorithms.
        case dsa

        /// The signature algorithms in OpenSSL's notation (SSL_CTX_set1_sigalgs_list(3)).
        ///
        /// - Parameter curves: The curves whose signature algorithms of TLS 1.3 to use; nil for the algorithms of all versions.
        fileprivate func signatureAlgorithms(weak: Bool, curves: Set<Curve>? = nil) -> [String] {
            let digests = ["SHA256", "SHA384", "SHA512"] + (weak ? ["SHA224", "SHA1"] : [])
            switch self {
            case .ecdsa:
                let ofCurves = curves.map { curves in Curve.allCases.filter(curves.contains).map(\.digest) }
                return (ofCurves ?? digests).map { "ECDSA+\($0)" }
            case .rsa:
                return ["rsa_pss_rsae_sha256", "rsa_pss_rsae_sha384", "rsa_pss_rsae_sha512"]
                    + digests.map { "RSA+\($0)" }
            case .rsaPSS: return ["rsa_pss_pss_sha256", "rsa_pss_pss_sha384", "rsa_pss_pss_sha512"]
            case .ed25519: return ["ed25519"]
            case .ed448: return ["ed448"]
            case .dsa: return weak ? digests.map { "DSA+\($0)" } : []
            }
        }
    }

    let pointer: OpaquePointer

    /// - Throws: if OpenSSL refuses a setting, such as a version that it was built without.
    package init(_ settings: Settings) throws(OpenSSLError) {
        pinctl_SSL_init_without_error_texts()
        OpenSSLError.clear()
        guard let pointer = unsafe SSL_CTX_new(TLS_client_method()) else { throw OpenSSLError.drain() }
        do throws(OpenSSLError) {
            if settings.ignoresConfiguration, unsafe pinctl_SSL_CTX_lift_limits(pointer) != 1 {
                throw OpenSSLError.drain()
            }
            unsafe Self.applyDefaults(to: pointer)
            guard unsafe Self.apply(settings, to: pointer) else { throw OpenSSLError.drain() }
            if let credential = settings.credential { try unsafe Self.add(credential, to: pointer) }
        } catch {
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
        unsafe pinctl_SSL_CTX_prefer_aes128(context)
    }

    private static let tls12 = UInt16(TLS1_2_VERSION)

    private static func apply(_ settings: Settings, to context: OpaquePointer) -> Bool {
        if settings.carriesApplicationData {
            unsafe pinctl_SSL_CTX_disable_renegotiation(context)
        } else {
            // Secure renegotiation (RFC 5746) protects application data, and these sessions send none.
            unsafe pinctl_SSL_CTX_allow_legacy_server(context)
        }
        let isWeak = settings.needsWeakAlgorithms
        // TLS 1.0 and 1.1 sign with SHA-1, which every security level above 0 forbids.
        if isWeak { unsafe SSL_CTX_set_security_level(context, 0) }
        let offersAll = settings.keyTypes == Set(KeyType.allCases) && settings.curves == nil
        let endsAtTLS12 = settings.maximumVersion.map { $0 <= tls12 } ?? false
        let setsAlgorithms = !offersAll || settings.ignoresConfiguration
        if isWeak || setsAlgorithms {
            let ciphers = cipherSuites(for: settings.keyTypes, weak: isWeak)
            guard unsafe SSL_CTX_set_cipher_list(context, ciphers) == 1 else { return false }
        }
        if setsAlgorithms {
            let algorithms = KeyType.allCases.filter(settings.keyTypes.contains)
                .flatMap { $0.signatureAlgorithms(weak: isWeak, curves: endsAtTLS12 ? nil : settings.curves) }
                .joined(separator: ":")
            let own = KeyType.allCases.flatMap { $0.signatureAlgorithms(weak: isWeak) }.joined(separator: ":")
            // The second list, for the signatures of the client, would otherwise be the first one.
            guard unsafe pinctl_SSL_CTX_set_signature_algorithms(context, algorithms) == 1,
                unsafe pinctl_SSL_CTX_set_client_signature_algorithms(context, own) == 1
            else { return false }
        }
        if endsAtTLS12, let curves = settings.curves {
            // The last two are for the key exchange only.
            let groups = Curve.allCases.filter(curves.contains).map(\.rawValue) + ["X25519", "X448"]
            guard unsafe setGroups(groups, of: context) else { return false }
        } else if settings.ignoresConfiguration {
            guard unsafe setGroups(defaultGroups, of: context) else { return false }
        }
        // Set explicitly: if the security level decides, OpenSSL answers a server of TLS 1.0 and then rejects its signature.
        let minimum = settings.minimumVersion ?? (isWeak ? UInt16(TLS1_VERSION) : tls12)
        guard unsafe pinctl_SSL_CTX_set_min_proto_version(context, Int32(minimum)) == 1 else { return false }
        if let maximum = settings.maximumVersion {
            guard unsafe pinctl_SSL_CTX_set_max_proto_version(context, Int32(maximum)) == 1 else { return false }
        }
        if settings.stopsAtCertificate { unsafe pinctl_SSL_CTX_suspend_at_certificate(context) }
        if settings.requestsStatus, unsafe pinctl_SSL_CTX_request_status(context) != 1 { return false }
        guard !settings.applicationProtocols.isEmpty else { return true }
        let list = settings.applicationProtocols.flatMap { [UInt8(truncatingIfNeeded: $0.utf8.count)] + Array($0.utf8) }
        // This function returns 0 on success (SSL_CTX_set_alpn_protos(3)).
        return unsafe SSL_CTX_set_alpn_protos(context, list, UInt32(list.count)) == 0
    }

    /// The groups that OpenSSL 3.0 offers by default (SSL_CTX_set1_groups_list(3)), without those that `pinctl_security_callback` refuses.
    private static let defaultGroups = [
        "X25519", "P-256", "X448", "P-521", "P-384", "ffdhe2048", "ffdhe3072", "ffdhe4096",
    ]

    /// Sets the groups that OpenSSL has. A provider such as that of FIPS 140 may lack some.
    private static func setGroups(_ names: [String], of context: OpaquePointer) -> Bool {
        let known = names.filter { unsafe pinctl_SSL_CTX_set_groups(context, $0) == 1 }
        OpenSSLError.clear()
        return unsafe pinctl_SSL_CTX_set_groups(context, known.joined(separator: ":")) == 1
    }

    /// The standard names of the cipher suites that sessions offer, by their numbers (RFC 8446, appendix B.4).
    package var cipherSuiteNames: [UInt16: String] {
        guard let suites = unsafe SSL_CTX_get_ciphers(pointer) else { return [:] }
        var names: [UInt16: String] = [:]
        for index in 0..<max(0, unsafe pinctl_sk_SSL_CIPHER_num(suites)) {
            let suite = unsafe pinctl_sk_SSL_CIPHER_value(suites, index)
            guard let suite = unsafe suite, let name = unsafe SSL_CIPHER_standard_name(suite) else { continue }
            names[unsafe SSL_CIPHER_get_protocol_id(suite)] = unsafe String(cString: name)
        }
        return names
    }

    private static func add(
        _ credential: Credential, to context: OpaquePointer
    ) throws(OpenSSLError) {
        let key = try credential.key.decoded()
        for (position, der) in credential.certificates.enumerated() {
            let certificate = try CertificateHandle(der: der)
            OpenSSLError.clear()
            let isAdded =
                position == 0
                ? unsafe SSL_CTX_use_certificate(context, certificate.pointer)
                : unsafe pinctl_SSL_CTX_add_chain_certificate(context, certificate.pointer)
            guard isAdded == 1 else { throw OpenSSLError.drain() }
        }
        OpenSSLError.clear()
        guard unsafe SSL_CTX_use_PrivateKey(context, key.key) == 1, unsafe SSL_CTX_check_private_key(context) == 1
        else { throw OpenSSLError.drain() }
    }

    /// The cipher suites up to TLS 1.2 whose server keys have these types, in the notation of openssl-ciphers(1).
    private static func cipherSuites(for keyTypes: Set<KeyType>, weak isWeak: Bool) -> String {
        var text = isWeak ? "ALL:!aNULL:@SECLEVEL=0" : "DEFAULT"
        if keyTypes.isDisjoint(with: [.rsa, .rsaPSS]) { text += ":!aRSA" }
        // A key that only signs with RSA-PSS does not decrypt.
        if !keyTypes.contains(.rsa) { text += ":!kRSA" }
        // Ed25519 and Ed448 use the cipher suites of ECDSA (RFC 8422, section 5.1.1).
        if keyTypes.isDisjoint(with: [.ecdsa, .ed25519, .ed448]) { text += ":!aECDSA" }
        if !keyTypes.contains(.dsa) { text += ":!aDSS" }
        return text
    }
}
