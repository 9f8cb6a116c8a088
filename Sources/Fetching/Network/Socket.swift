internal import CSystem

/// A non-blocking TCP socket, closed when it goes out of scope.
struct Socket: ~Copyable {
    let descriptor: Int32
    /// The peer.
    let endpoint: Endpoint

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

    /// The next bytes that the peer sent, left where they are: empty at the end of the connection, nil where there are
    /// none yet.
    ///
    /// - Throws: why the connection is broken; the system tells that once, to whoever asks first.
    func peek(_ count: Int) throws(SystemError) -> [UInt8]? {
        var buffer = [UInt8](repeating: 0, count: count)
        let received = unsafe recv(descriptor, &buffer, count, Int32(MSG_PEEK))
        guard received < 0 else { return Array(buffer.prefix(received)) }
        switch pinctl_errno() {
        case EAGAIN, EINTR: return nil
        case let error: throw SystemError(code: error)
        }
    }
}
