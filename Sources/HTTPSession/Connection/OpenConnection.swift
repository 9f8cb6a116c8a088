internal import Fetching

/// A connection over which requests can be sent: to a server, or to an HTTP proxy that forwards requests.
struct OpenConnection {
    let stream: ErasedStream
    /// The socket, which the event loop must forget before it is closed.
    let descriptor: Int32
    /// The first bytes of an FTP server, which arrived together with the answer of a proxy.
    var received: [UInt8] = []
    /// Whether the server requested a client certificate in the handshake.
    var requestedCertificate = false
    /// Whether this connection has answered a request before, so that the server may have closed it in the meantime.
    var isReused = false
    /// The tunnel through which the stream reaches the server; nil for a direct connection, and for one to a proxy that forwards
    /// requests.
    var tunnel: Tunnel?

    /// The other end of the connection, for messages. The address of the stream is that of the proxy if there is one.
    var peer: String { tunnel?.peer ?? stream.endpoint.description }

    /// The error of a step after the connection was made.
    func sessionError(for error: FetchError) -> SessionError { SessionError(tunnel?.error(error) ?? error) }

    /// Identifies connections that can be used for the same requests.
    struct Key: Hashable {
        let scheme: RequestURL.Scheme
        let target: Target
        /// The proxy that forwards requests.
        let proxy: String?
    }
}
