internal import CSystem
internal import PlaintextProtocols

/// A non-blocking TCP socket. It is closed when its lifetime ends.
package struct Socket: ~Copyable {
    package let descriptor: Int32
    /// The peer.
    package let endpoint: Endpoint

    private init(takingOwnership descriptor: Int32, to endpoint: Endpoint) {
        self.descriptor = descriptor
        self.endpoint = endpoint
    }

    deinit { close(descriptor) }

    /// Starts to connect. The socket becomes writable when the attempt has succeeded or failed.
    static func connecting(to endpoint: Endpoint) throws(SystemError) -> Socket {
        let descriptor = pinctl_tcp_socket(endpoint.isIPv6 ? AF_INET6 : AF_INET)
        guard descriptor >= 0 else { throw .last }
        let new = Socket(takingOwnership: descriptor, to: endpoint)
        let result = unsafe endpoint.withSocketAddress { unsafe connect(descriptor, $0, $1) }
        guard result != 0, case let error = SystemError.last else { return new }
        guard error.code == EINPROGRESS || error.code == EINTR else { throw error }
        return new
    }

    /// The error of the connection attempt, after the socket became writable; nil if it succeeded.
    func connectResult() -> SystemError? {
        var code: Int32 = 0
        var length = socklen_t(MemoryLayout<Int32>.size)
        guard unsafe getsockopt(descriptor, SOL_SOCKET, SO_ERROR, &code, &length) == 0 else { return .last }
        return code == 0 ? nil : SystemError(code: code)
    }

    /// Reads at most `count` bytes. The result is empty at the end of the connection, and nil if no bytes have arrived.
    func receive(atMost count: Int) throws(SystemError) -> [UInt8]? {
        var error: Int32 = 0
        let bytes = unsafe [UInt8](unsafeUninitializedCapacity: count) { buffer, received in
            let result = unsafe recv(descriptor, buffer.baseAddress, count, 0)
            if result < 0 { error = pinctl_errno() }
            received = max(0, result)
        }
        switch error {
        case 0: return bytes
        case EAGAIN, EINTR: return nil
        default: throw SystemError(code: error)
        }
    }

    /// Sends as many of the bytes as the socket accepts now.
    ///
    /// - Returns: the number of bytes sent; 0 if the socket accepts none now.
    func send(_ bytes: ArraySlice<UInt8>) throws(SystemError) -> Int {
        let result = unsafe bytes.withUnsafeBytes { unsafe pinctl_send(descriptor, $0.baseAddress, $0.count) }
        guard result < 0 else { return result }
        switch pinctl_errno() {
        case EAGAIN, EINTR: return 0
        case let error: throw SystemError(code: error)
        }
    }
}
