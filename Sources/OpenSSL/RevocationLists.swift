internal import COpenSSL

/// Certificate revocation lists (RFC 5280, section 5): a `STACK_OF(X509_CRL)`.
@safe
package struct RevocationLists: ~Copyable {
    private let stack: OpaquePointer

    private init(takingOwnership stack: OpaquePointer) { unsafe self.stack = unsafe stack }

    /// - Throws: the error of the first list that cannot be decoded. Trailing bytes are an error.
    package static func decoding(_ lists: [[UInt8]]) throws(OpenSSLError) -> RevocationLists {
        OpenSSLError.clear()
        guard let stack = unsafe pinctl_sk_X509_CRL_new() else { throw OpenSSLError.drain() }
        let decoded = unsafe RevocationLists(takingOwnership: stack)
        for der in lists {
            OpenSSLError.clear()
            let (list, read) = unsafe der.decoded { unsafe d2i_X509_CRL(nil, &$0, $1) }
            guard let list = unsafe list else { throw OpenSSLError.drain() }
            guard read == der.count, unsafe pinctl_sk_X509_CRL_push(stack, list) == 1 else {
                unsafe X509_CRL_free(list)
                throw OpenSSLError.drain()
            }
        }
        return decoded
    }

    deinit { unsafe pinctl_sk_X509_CRL_free_all(stack) }

    /// The revocation status of a valid path.
    package enum Finding: Equatable, Sendable {
        case notRevoked
        case revoked(depth: Int)
        /// No list is from the certificate's issuer and covers the certificate's type.
        case noList(depth: Int)
        /// The list for the certificate has expired or is not yet valid.
        case notCurrent(depth: Int)
        /// The list cannot be used for another reason, such as an invalid signature. The text is OpenSSL's.
        case unusable(depth: Int, text: String)
    }

    /// Checks the certificates of a path against the lists of their issuers (X509_VERIFY_PARAM_set_flags(3)).
    ///
    /// - Parameters:
    ///   - path: a valid path, from the leaf to the trust anchor. The anchor is not checked, because it has no issuer in the path
    ///     that could revoke it.
    ///   - wholePath: whether CA certificates are checked too, or only the leaf.
    /// - Throws: the error of a certificate that cannot be decoded.
    package borrowing func finding(
        on path: [[UInt8]], wholePath: Bool, secondsSince1970: Int64
    ) throws(OpenSSLError) -> Finding {
        guard let anchor = path.last, let chain = try PeerChain.saved(path) else { return .noList(depth: 0) }
        let store = try TrustStore()
        try store.add(anchor)
        OpenSSLError.clear()
        guard let context = unsafe X509_STORE_CTX_new() else { throw OpenSSLError.drain() }
        defer {
            unsafe X509_STORE_CTX_free(context)
            OpenSSLError.clear()
        }
        guard unsafe chain.start(context, against: store), let parameter = unsafe X509_STORE_CTX_get0_param(context)
        else { throw OpenSSLError.drain() }
        unsafe X509_STORE_CTX_set0_crls(context, stack)
        unsafe X509_VERIFY_PARAM_set_time(parameter, time_t(secondsSince1970))
        let scope = wholePath ? X509_V_FLAG_CRL_CHECK | X509_V_FLAG_CRL_CHECK_ALL : X509_V_FLAG_CRL_CHECK
        unsafe X509_VERIFY_PARAM_set_flags(parameter, UInt(scope | X509_V_FLAG_PARTIAL_CHAIN))
        if unsafe X509_verify_cert(context) == 1 { return .notRevoked }
        let finding = Self.finding(
            code: unsafe X509_STORE_CTX_get_error(context), depth: Int(unsafe X509_STORE_CTX_get_error_depth(context))
        )
        // OpenSSL checks the anchor last, so this means that lists cover all certificates below it.
        if path.count > 1, finding == .noList(depth: path.count - 1) { return .notRevoked }
        return finding
    }

    private static func finding(code: Int32, depth: Int) -> Finding {
        switch code {
        case X509_V_ERR_CERT_REVOKED: .revoked(depth: depth)
        case X509_V_ERR_UNABLE_TO_GET_CRL, X509_V_ERR_UNABLE_TO_GET_CRL_ISSUER, X509_V_ERR_DIFFERENT_CRL_SCOPE:
            .noList(depth: depth)
        case X509_V_ERR_CRL_HAS_EXPIRED, X509_V_ERR_CRL_NOT_YET_VALID: .notCurrent(depth: depth)
        default: .unusable(depth: depth, text: unsafe String(cString: X509_verify_cert_error_string(Int(code))))
        }
    }
}
