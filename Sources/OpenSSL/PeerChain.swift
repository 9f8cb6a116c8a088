internal import COpenSSL

/// The certificates of a peer, leaf first, in the peer's order: a `STACK_OF(X509)`.
///
/// It keeps the certificates that the handshake decoded, so validation does not decode them again.
@safe
package struct PeerChain: ~Copyable {
    private let stack: OpaquePointer

    private init(takingOwnership stack: OpaquePointer) { unsafe self.stack = unsafe stack }

    /// Nil if the stack is empty.
    static func retaining(_ stack: OpaquePointer) -> PeerChain? {
        guard unsafe pinctl_sk_X509_num(stack) > 0, let own = unsafe pinctl_X509_chain_up_ref(stack) else { return nil }
        return unsafe PeerChain(takingOwnership: own)
    }

    /// Decodes a chain from DER; nil if the array is empty.
    ///
    /// - Throws: the error of the first certificate that cannot be decoded.
    package static func saved(_ certificates: [[UInt8]]) throws(OpenSSLError) -> PeerChain? {
        guard !certificates.isEmpty, let stack = unsafe pinctl_sk_X509_new() else { return nil }
        let chain = unsafe PeerChain(takingOwnership: stack)
        for der in certificates {
            let certificate = try CertificateHandle(der: der)
            guard unsafe pinctl_sk_X509_push_retaining(stack, certificate.pointer) == 1 else {
                throw OpenSSLError.drain()
            }
        }
        return chain
    }

    deinit { unsafe pinctl_sk_X509_free_all(stack) }

    /// The DER of each certificate, in the peer's order.
    package var certificates: [[UInt8]] { unsafe Self.certificates(in: stack) }

    /// Makes a session send its certificate only to a server whose own certificate is one of these. The session must not outlive
    /// them.
    borrowing func limitCertificate(of session: OpaquePointer) {
        unsafe pinctl_SSL_set_expected_servers(session, stack)
    }

    /// Builds and validates one path from the leaf to a trust anchor (RFC 5280, section 6; X509_verify_cert(3)).
    ///
    /// If several certificates can be the issuer of another one, OpenSSL chooses one of them and does not try the others. A
    /// certificate is valid until the end of the second in its `notAfter` (RFC 5280, section 4.1.2.5).
    ///
    /// - Parameter omitted: positions of peer certificates that the path must not use. The leaf is always used.
    package borrowing func verify(
        against store: borrowing TrustStore,
        parameters: VerifyParameters,
        omitting omitted: Set<Int> = []
    ) -> VerifyResult {
        OpenSSLError.clear()
        defer { OpenSSLError.clear() }
        guard !omitted.isEmpty else {
            return unsafe verify(untrusted: stack, against: store, parameters: parameters)
        }
        guard let rest = unsafe pinctl_sk_X509_new() else { return .internalFailure }
        defer { unsafe pinctl_sk_X509_free_all(rest) }
        for index in 0..<max(0, unsafe pinctl_sk_X509_num(stack)) where !omitted.contains(Int(index)) {
            guard unsafe pinctl_sk_X509_push_retaining(rest, pinctl_sk_X509_value(stack, index)) == 1 else {
                return .internalFailure
            }
        }
        return unsafe verify(untrusted: rest, against: store, parameters: parameters)
    }

    @unsafe private borrowing func verify(
        untrusted: OpaquePointer, against store: borrowing TrustStore, parameters: VerifyParameters
    ) -> VerifyResult {
        guard let context = unsafe X509_STORE_CTX_new() else { return .internalFailure }
        defer { unsafe X509_STORE_CTX_free(context) }
        guard unsafe start(context, untrusted: untrusted, against: store),
            let parameter = unsafe X509_STORE_CTX_get0_param(context)
        else { return .internalFailure }
        unsafe X509_VERIFY_PARAM_set_auth_level(parameter, parameters.securityLevel)
        // OpenSSL does not count the leaf and the anchor.
        unsafe X509_VERIFY_PARAM_set_depth(parameter, Int32(VerifyParameters.maximumLength - 2))
        if parameters.acceptsAnyAnchor {
            unsafe X509_VERIFY_PARAM_set_flags(parameter, UInt(X509_V_FLAG_PARTIAL_CHAIN))
        }
        if let time = parameters.secondsSince1970 {
            unsafe X509_VERIFY_PARAM_set_time(parameter, time_t(time))
        }
        let isTrusted = unsafe X509_verify_cert(context) == 1
        let chain = unsafe X509_STORE_CTX_get0_chain(context)
        let path = unsafe chain.map { unsafe Self.certificates(in: $0) }
        guard !isTrusted else {
            guard var path, let chain = unsafe chain, !path.isEmpty else { return .internalFailure }
            // If the leaf is the anchor, OpenSSL's path may also contain served certificates above it, which OpenSSL did not
            // validate.
            if unsafe X509_STORE_CTX_get_num_untrusted(context) == 0 { path = [path[0]] }
            // Without X509_V_FLAG_PARTIAL_CHAIN, OpenSSL does not check the time of an anchor that is not self-issued
            // (internal_verify in crypto/x509/x509_vfy.c).
            let time = time_t(parameters.secondsSince1970 ?? SystemTime.secondsSince1970)
            guard let anchor = unsafe pinctl_sk_X509_value(chain, Int32(path.count - 1)) else {
                return .internalFailure
            }
            let code = unsafe pinctl_X509_time_error(anchor, time)
            let failure = code == X509_V_OK ? nil : VerifyFailure(code: code, depth: path.count - 1)
            return VerifyResult(path: path, failure: failure)
        }
        var failure = VerifyFailure(
            code: unsafe X509_STORE_CTX_get_error(context),
            depth: Int(unsafe X509_STORE_CTX_get_error_depth(context))
        )
        if failure.kind == .missingIssuer || failure.kind == .untrustedRoot {
            failure.rejectedIssuer = unsafe RejectedIssuer(endOf: context, untrusted: untrusted)
        }
        return VerifyResult(path: path ?? [], failure: failure)
    }

    /// Initializes a context to verify these certificates for a TLS server, with the default parameters for that purpose.
    borrowing func start(_ context: OpaquePointer, against store: borrowing TrustStore) -> Bool {
        unsafe start(context, untrusted: stack, against: store)
    }

    private borrowing func start(
        _ context: OpaquePointer, untrusted: OpaquePointer, against store: borrowing TrustStore
    ) -> Bool {
        guard let leaf = unsafe pinctl_sk_X509_value(stack, 0),
            unsafe X509_STORE_CTX_init(context, store.pointer, leaf, untrusted) == 1,
            unsafe X509_STORE_CTX_set_default(context, "ssl_server") == 1,
            let parameter = unsafe X509_STORE_CTX_get0_param(context)
        else { return false }
        // Without this flag, OpenSSL applies name constraints to the common name of a leaf that has no DNS name.
        unsafe X509_VERIFY_PARAM_set_hostflags(parameter, Self.hostFlags)
        unsafe pinctl_X509_STORE_CTX_accept_last_second(context)
        return true
    }

    private static let hostFlags = UInt32(X509_CHECK_FLAG_NO_PARTIAL_WILDCARDS | X509_CHECK_FLAG_NEVER_CHECK_SUBJECT)

    /// Whether the leaf is valid for a DNS name (RFC 9525). The common name and partial wildcards do not count.
    ///
    /// - Parameter name: A-labels, without a trailing dot.
    package borrowing func leafMatches(name: String) -> Bool {
        OpenSSLError.clear()
        defer { OpenSSLError.clear() }
        return unsafe X509_check_host(pinctl_sk_X509_value(stack, 0), name, name.utf8.count, Self.hostFlags, nil) == 1
    }

    /// Whether the leaf has this IP address as a subject alternative name of the type for addresses.
    package borrowing func leafMatches(ipAddress text: String) -> Bool {
        OpenSSLError.clear()
        defer { OpenSSLError.clear() }
        return unsafe X509_check_ip_asc(pinctl_sk_X509_value(stack, 0), text, 0) == 1
    }

    /// The bytes of the subject alternative names of the leaf that have the type for addresses. ``leafMatches(ipAddress:)`` compares an
    /// address with these.
    package borrowing func leafAddresses() -> [[UInt8]] {
        OpenSSLError.clear()
        defer { OpenSSLError.clear() }
        guard let leaf = unsafe pinctl_sk_X509_value(stack, 0), let names = unsafe pinctl_X509_subject_names(leaf)
        else {
            return []
        }
        defer { unsafe pinctl_GENERAL_NAMES_free(names) }
        return (0..<max(0, unsafe pinctl_GENERAL_NAMES_num(names))).compactMap { index in
            guard let address = unsafe pinctl_GENERAL_NAMES_address(names, index),
                let bytes = unsafe ASN1_STRING_get0_data(address)
            else { return nil }
            return unsafe Array(UnsafeBufferPointer(start: bytes, count: Int(max(0, ASN1_STRING_length(address)))))
        }
    }

    private static func certificates(in stack: OpaquePointer) -> [[UInt8]] {
        let count = max(0, unsafe pinctl_sk_X509_num(stack))
        return (0..<count).map { index in
            let certificate = unsafe pinctl_sk_X509_value(stack, index)
            return unsafe certificate.map { unsafe CertificateHandle.der(of: $0) } ?? []
        }
    }
}

/// Parameters of ``PeerChain/verify(against:parameters:)``.
package struct VerifyParameters: Sendable {
    /// The time at which certificates must be valid; nil for now.
    package var secondsSince1970: Int64?
    /// OpenSSL's security level for keys and signatures (SSL_CTX_set_security_level(3)). Level 2 requires 112 bits.
    package var securityLevel: Int32 = 2
    /// Whether the path may end at any certificate in the store, self-signed or not.
    package var acceptsAnyAnchor = false

    /// Maximum number of certificates in a path, as in GnuTLS (`DEFAULT_MAX_VERIFY_DEPTH`). OpenSSL's default is 102, and a server can
    /// choose keys with which each signature takes 10 ms to check. OpenSSL refuses a longer path before it checks signatures.
    package static let maximumLength = 16

    package init() {}
}

/// The result of path validation.
package struct VerifyResult: Sendable {
    /// The path in DER, leaf first, as far as it could be built.
    package let path: [[UInt8]]
    /// The reason why the path is not valid; nil if it is valid.
    package let failure: VerifyFailure?

    /// OpenSSL could not begin the validation.
    package static let internalFailure = VerifyResult(
        path: [], failure: VerifyFailure(code: X509_V_ERR_UNSPECIFIED, depth: 0))
}
