internal import COpenSSL

/// Certificate revocation lists (RFC 5280, section 5): a `STACK_OF(X509_CRL)`.
@safe
package struct RevocationLists: ~Copyable {
    private let stack: OpaquePointer

    private init(takingOwnership stack: OpaquePointer) { unsafe self.stack = unsafe stack }

    /// - Throws: what OpenSSL has against the first list that it cannot decode. Bytes after a list are an error too.
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

    /// What the lists say of a path that holds.
    package enum Finding: Equatable, Sendable {
        case notRevoked
        case revoked(depth: Int)
        /// No list covers the certificate, by its issuer and by what the list is for.
        case noList(depth: Int)
        /// The list for the certificate has been due for a newer one, or is of the future.
        case notCurrent(depth: Int)
        /// Anything else, such as a list with a bad signature, in OpenSSL's words.
        case unusable(depth: Int, text: String)
    }

    /// Looks the certificates of a path up, each in a list that its issuer signed (X509_VERIFY_PARAM_set_flags(3)).
    ///
    /// - Parameters:
    ///   - path: from the leaf to its trust anchor, and found to hold already. The anchor itself need not be covered: nobody
    ///     above it is trusted to revoke it.
    ///   - wholePath: whether authorities are looked up too, or the leaf alone.
    /// - Throws: what OpenSSL has against a certificate that it cannot decode.
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
        // The anchor comes last: everything below it is in a list.
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
