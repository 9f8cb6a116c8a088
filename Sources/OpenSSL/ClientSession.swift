internal import COpenSSL

/// One TLS client handshake over a non-blocking socket: an `SSL`.
///
/// It borrows the socket's descriptor, which must stay open for as long as the session is used.
@safe
package struct ClientSession: ~Copyable {
    /// What a non-blocking call needs next. To wait is not an error.
    package enum Step: Sendable {
        case done
        case wantsRead
        case wantsWrite
        /// The connection ended, or broke with this `errno`; 0 for a plain end.
        case closed(systemError: Int32)
        case failed(OpenSSLError)
    }

    private let pointer: OpaquePointer

    /// - Parameter serverName: what to ask for in the server name extension (RFC 6066, section 3); nil leaves it out,
    ///   as for IP addresses.
    package init(
        _ context: borrowing ClientContext,
        descriptor: Int32,
        serverName: String?
    ) throws(OpenSSLError) {
        OpenSSLError.clear()
        guard let pointer = unsafe SSL_new(context.pointer) else { throw OpenSSLError.drain() }
        guard unsafe Self.configure(pointer, descriptor: descriptor, serverName: serverName) else {
            let error = OpenSSLError.drain()
            unsafe SSL_free(pointer)
            throw error
        }
        unsafe self.pointer = unsafe pointer
    }

    private static func configure(_ session: OpaquePointer, descriptor: Int32, serverName: String?) -> Bool {
        guard unsafe SSL_set_wfd(session, descriptor) == 1, let silence = unsafe pinctl_BIO_new_silent() else {
            return false
        }
        unsafe SSL_set0_rbio(session, silence)
        unsafe SSL_set_connect_state(session)
        guard let serverName else { return true }
        return unsafe pinctl_SSL_set_server_name(session, serverName) == 1
    }

    deinit { unsafe SSL_free(pointer) }

    /// Takes the handshake as far as it goes without waiting.
    ///
    /// The first call sends the ClientHello and reads nothing: whoever wants to see what the peer says first, and whether
    /// it is TLS at all, finds it unread.
    package borrowing func handshake() -> Step {
        OpenSSLError.clear()
        if unsafe SSL_get_state(pointer) != TLS_ST_BEFORE, unsafe SSL_get_rfd(pointer) < 0 {
            unsafe SSL_set_rfd(pointer, SSL_get_wfd(pointer))
        }
        let result = unsafe SSL_do_handshake(pointer)
        guard result != 1 else { return .done }
        let systemError = lastSystemError()
        switch unsafe SSL_get_error(pointer, result) {
        case SSL_ERROR_WANT_READ: return .wantsRead
        case SSL_ERROR_WANT_WRITE: return .wantsWrite
        case SSL_ERROR_ZERO_RETURN: return .closed(systemError: 0)
        case SSL_ERROR_SYSCALL: return .closed(systemError: systemError)
        default:
            let error = OpenSSLError.drain()
            // OpenSSL 3 reports a bare end of the connection as an error of its own.
            let isBareEnd = error.contains(library: ERR_LIB_SSL, reason: SSL_R_UNEXPECTED_EOF_WHILE_READING)
            return isBareEnd ? .closed(systemError: 0) : .failed(error)
        }
    }

    /// Tells the peer that this side is done (RFC 8446, section 6.1), as far as the socket takes it now.
    package borrowing func sendCloseNotify() {
        OpenSSLError.clear()
        _ = unsafe SSL_shutdown(pointer)
        OpenSSLError.clear()
    }

    /// "TLSv1.3", as OpenSSL names it.
    package var protocolVersion: String { unsafe String(cString: SSL_get_version(pointer)) }

    /// The cipher suite's standard name (RFC 8446, appendix B.4), or OpenSSL's where it has none.
    package var cipherSuite: String {
        let cipher = unsafe pinctl_SSL_get_current_cipher(pointer)
        guard let name = unsafe SSL_CIPHER_standard_name(cipher) ?? SSL_CIPHER_get_name(cipher) else { return "" }
        return unsafe String(cString: name)
    }

    /// What the server chose of the application protocols offered (RFC 7301).
    package var applicationProtocol: String? {
        var name: UnsafePointer<UInt8>?
        var count: UInt32 = 0
        unsafe SSL_get0_alpn_selected(pointer, &name, &count)
        guard let name = unsafe name, count > 0 else { return nil }
        return unsafe String(decoding: UnsafeBufferPointer(start: name, count: Int(count)), as: UTF8.self)
    }

    /// Whether the server asked for a client certificate, wanted or demanded.
    package var wasAskedForClientCertificate: Bool {
        // A request lists authorities, unless it is one of TLS 1.3 from a server that accepts any; and it lists signature
        // algorithms, unless it is one before TLS 1.2 (RFC 8446, section 4.3.2; RFC 5246, section 7.4.4).
        unsafe SSL_get0_peer_CA_list(pointer) != nil || SSL_get_sigalgs(pointer, -1, nil, nil, nil, nil, nil) > 0
    }

    /// Whether the server has proved, in a handshake that failed later, that it holds the leaf's private key: it signed
    /// an ephemeral key exchange (RFC 5246, section 7.4.3) and went on to its ServerHelloDone.
    package var hasProvedPossession: Bool {
        guard let cipher = unsafe SSL_get_pending_cipher(pointer) else { return false }
        let exchange = unsafe SSL_CIPHER_get_kx_nid(cipher)
        guard exchange == NID_kx_ecdhe || exchange == NID_kx_dhe else { return false }
        switch unsafe SSL_get_state(pointer) {
        case TLS_ST_CR_SRVR_DONE, TLS_ST_CW_CERT, TLS_ST_CW_KEY_EXCH, TLS_ST_CW_CERT_VRFY, TLS_ST_CW_CHANGE,
            TLS_ST_CW_FINISHED, TLS_ST_CR_SESSION_TICKET, TLS_ST_CR_CHANGE, TLS_ST_CR_FINISHED:
            return true
        default: return false
        }
    }

    /// The certificates that the server has presented so far.
    package var peerChain: PeerChain? {
        guard let stack = unsafe SSL_get_peer_cert_chain(pointer) else { return nil }
        return unsafe PeerChain.retaining(stack)
    }
}
