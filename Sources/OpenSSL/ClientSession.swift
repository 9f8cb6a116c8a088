internal import COpenSSL

/// One TLS client session: an `SSL`.
///
/// A session does no input and no output itself. The caller passes the bytes of the server to ``receive(_:)`` and sends what
/// ``takeOutput()`` returns, so a call of ``handshake()`` or ``read(atMost:)`` cannot process more than the caller has passed.
@safe
package struct ClientSession: ~Copyable {
    /// The next step of a non-blocking call. Waiting for bytes is not an error.
    package enum Step: Sendable {
        case done
        case needsInput
        /// The server's Certificate message was decoded, and the context stops there.
        case receivedCertificate
        /// The server sent a close_notify alert.
        case closed
        case failed(OpenSSLError)
    }

    /// The next step of a non-blocking read.
    package enum ReadStep: Sendable {
        /// At least one byte.
        case bytes([UInt8])
        case needsInput
        /// The server sent a close_notify alert.
        case closed
        case failed(OpenSSLError)
    }

    private let pointer: OpaquePointer
    /// The BIO that the session reads from; `pointer` owns it.
    private let input: OpaquePointer
    /// The BIO that the session writes to; `pointer` owns it.
    private let output: OpaquePointer
    /// The certificates of the servers that receive the client certificate; nil if every server receives it.
    private let expectedServers: PeerChain?

    /// - Parameters:
    ///   - serverName: the name for the server name extension (RFC 6066, section 3); nil to omit the extension, as is required for
    ///     IP addresses.
    ///   - servers: the certificates of the servers that receive the client certificate of `context`, in DER. A server with another
    ///     one receives none, and neither does a server that has not proved yet that it has the key (``provesKeyBeforeRequest``); nil to
    ///     send the certificate to every server that requests one.
    package init(
        _ context: borrowing ClientContext, serverName: String?, certificateOnlyFor servers: [[UInt8]]? = nil
    ) throws(OpenSSLError) {
        let expected = if let servers { try PeerChain.saved(servers) } else { PeerChain?.none }
        OpenSSLError.clear()
        guard let pointer = unsafe SSL_new(context.pointer) else { throw OpenSSLError.drain() }
        guard let input = unsafe pinctl_BIO_new_stream(), let output = unsafe pinctl_BIO_new_stream() else {
            let error = OpenSSLError.drain()
            unsafe SSL_free(pointer)
            throw error
        }
        unsafe SSL_set_bio(pointer, input, output)
        unsafe SSL_set_connect_state(pointer)
        if let serverName, unsafe pinctl_SSL_set_server_name(pointer, serverName) != 1 {
            let error = OpenSSLError.drain()
            unsafe SSL_free(pointer)
            throw error
        }
        unsafe expected?.limitCertificate(of: pointer)
        unsafe self.pointer = unsafe pointer
        unsafe self.input = unsafe input
        unsafe self.output = unsafe output
        self.expectedServers = expected
    }

    deinit { unsafe SSL_free(pointer) }

    /// Adds bytes of the server, which the next call of ``handshake()`` or ``read(atMost:)`` processes.
    package borrowing func receive(_ bytes: [UInt8]) throws(OpenSSLError) {
        guard !bytes.isEmpty else { return }
        OpenSSLError.clear()
        guard unsafe BIO_write(input, bytes, Int32(clamping: bytes.count)) == bytes.count else {
            throw OpenSSLError.drain()
        }
    }

    /// Continues the handshake with the bytes received so far. The first call writes the ClientHello.
    package borrowing func handshake() -> Step {
        OpenSSLError.clear()
        let result = unsafe SSL_do_handshake(pointer)
        guard result != 1 else { return .done }
        switch unsafe SSL_get_error(pointer, result) {
        case SSL_ERROR_WANT_READ: return .needsInput
        case SSL_ERROR_WANT_RETRY_VERIFY: return .receivedCertificate
        case SSL_ERROR_ZERO_RETURN: return .closed
        default: return .failed(OpenSSLError.drain())
        }
    }

    /// Removes and returns the bytes to send to the server; empty if there are none.
    package borrowing func takeOutput() -> [UInt8] {
        let count = unsafe BIO_ctrl_pending(output)
        guard count > 0 else { return [] }
        return unsafe [UInt8](unsafeUninitializedCapacity: count) { buffer, written in
            written = max(0, Int(unsafe BIO_read(output, buffer.baseAddress, Int32(clamping: count))))
        }
    }

    /// Reads application data, after the handshake.
    package borrowing func read(atMost count: Int) -> ReadStep {
        OpenSSLError.clear()
        var result: Int32 = 0
        let bytes = unsafe [UInt8](unsafeUninitializedCapacity: count) { buffer, received in
            result = unsafe SSL_read(pointer, buffer.baseAddress, Int32(clamping: buffer.count))
            received = max(0, Int(result))
        }
        guard bytes.isEmpty else { return .bytes(bytes) }
        switch unsafe SSL_get_error(pointer, result) {
        case SSL_ERROR_WANT_READ: return .needsInput
        case SSL_ERROR_ZERO_RETURN: return .closed
        default: return .failed(OpenSSLError.drain())
        }
    }

    /// Writes application data to the output, after the handshake. The output takes all of it, because it is in memory.
    package borrowing func write(_ bytes: [UInt8]) throws(OpenSSLError) {
        guard !bytes.isEmpty else { return }
        OpenSSLError.clear()
        guard unsafe SSL_write(pointer, bytes, Int32(clamping: bytes.count)) == bytes.count else {
            throw OpenSSLError.drain()
        }
    }

    /// Writes a close_notify alert (RFC 8446, section 6.1) to the output.
    package borrowing func writeCloseNotify() {
        OpenSSLError.clear()
        _ = unsafe SSL_shutdown(pointer)
        OpenSSLError.clear()
    }

    /// Whether the handshake failed because the server's Diffie-Hellman prime is longer than
    /// ``ClientContext/maximumDiffieHellmanBits``.
    package var hasExcessiveDiffieHellmanPrime: Bool { unsafe pinctl_SSL_refused_dh_prime(pointer) == 1 }

    /// The protocol version in OpenSSL's notation, such as "TLSv1.3".
    package var protocolVersion: String { unsafe String(cString: SSL_get_version(pointer)) }

    /// The cipher suite's standard name (RFC 8446, appendix B.4); OpenSSL's name if it has no standard name.
    package var cipherSuite: String {
        // During the handshake of TLS 1.2, the cipher suite is pending.
        let cipher = unsafe pinctl_SSL_get_current_cipher(pointer) ?? SSL_get_pending_cipher(pointer)
        guard let name = unsafe SSL_CIPHER_standard_name(cipher) ?? SSL_CIPHER_get_name(cipher) else { return "" }
        return unsafe String(cString: name)
    }

    /// The application protocol that the server selected (RFC 7301); nil if it selected none.
    package var applicationProtocol: String? {
        var name: UnsafePointer<UInt8>?
        var count: UInt32 = 0
        unsafe SSL_get0_alpn_selected(pointer, &name, &count)
        guard let name = unsafe name, count > 0 else { return nil }
        return unsafe String(decoding: UnsafeBufferPointer(start: name, count: Int(count)), as: UTF8.self)
    }

    /// The OCSP response that the server stapled to the handshake (RFC 6066, section 8), in DER; nil if it stapled no response.
    package var stapledResponse: [UInt8]? {
        var response: UnsafePointer<UInt8>?
        let count = unsafe pinctl_SSL_get_status_response(pointer, &response)
        guard count > 0, let response = unsafe response else { return nil }
        return unsafe Array(UnsafeBufferPointer(start: response, count: Int(count)))
    }

    /// Whether the server requested a client certificate.
    package var wasAskedForClientCertificate: Bool {
        // A request contains a list of CAs, a list of signature algorithms, or both. A server that accepts any CA omits the first
        // list in TLS 1.3, and TLS 1.1 has no second list (RFC 8446, section 4.3.2; RFC 5246, section 7.4.4).
        unsafe SSL_get0_peer_CA_list(pointer) != nil || SSL_get_sigalgs(pointer, -1, nil, nil, nil, nil, nil) > 0
    }

    /// The CAs from which the server accepts client certificates, as names in DER (RFC 8446, section 4.2.4); empty if it accepts
    /// any, or requested no certificate.
    package var clientCertificateAuthorities: [[UInt8]] {
        guard let names = unsafe SSL_get0_peer_CA_list(pointer) else { return [] }
        return unsafe (0..<max(0, pinctl_sk_X509_NAME_num(names))).compactMap { index in
            let name = unsafe pinctl_sk_X509_NAME_value(names, index)
            return unsafe [UInt8](encodedBy: { unsafe i2d_X509_NAME(name, &$0) })
        }
    }

    /// Whether this side answered the request with a certificate and a signature.
    package var hasSentCertificate: Bool {
        var type: Int32 = 0
        return unsafe SSL_get_signature_type_nid(pointer, &type) == 1
    }

    /// Whether the server proved that it has the key before this side answered a request for a certificate. If it did not, a session that
    /// is limited to some servers sends no certificate.
    package var provesKeyBeforeRequest: Bool { unsafe pinctl_SSL_proves_key_first(pointer) == 1 }

    /// The first message of a TLS 1.3 server after its Finished message.
    package enum ServerMessage: Sendable {
        case needsInput
        /// A session ticket or application data.
        case other
        case closed
        case failed(OpenSSLError)
    }

    /// Processes the bytes that were received after the handshake.
    package borrowing func readMessage() -> ServerMessage {
        OpenSSLError.clear()
        var byte: UInt8 = 0
        let result = unsafe SSL_peek(pointer, &byte, 1)
        guard result <= 0 else { return .other }
        switch unsafe SSL_get_error(pointer, result) {
        case SSL_ERROR_WANT_READ:
            let session = unsafe SSL_get_session(pointer)
            return unsafe session != nil && SSL_SESSION_has_ticket(session) == 1 ? .other : .needsInput
        case SSL_ERROR_ZERO_RETURN: return .closed
        default: return .failed(OpenSSLError.drain())
        }
    }

    /// Whether the server proved that it has the leaf's private key, in a handshake that failed later: it signed an ephemeral key
    /// exchange (RFC 5246, section 7.4.3) and sent its ServerHelloDone.
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

    /// The certificates that the server has sent so far; nil if it has sent none.
    package var peerChain: PeerChain? {
        guard let stack = unsafe SSL_get_peer_cert_chain(pointer) else { return nil }
        return unsafe PeerChain.retaining(stack)
    }
}
