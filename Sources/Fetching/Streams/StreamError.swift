package import OpenSSL
package import PlaintextProtocols

/// The reason why a ``ByteStream`` cannot receive or send.
package enum StreamError: Error {
    /// The deadline has passed.
    case timedOut
    /// The connection was closed, or failed with an error.
    case closed(SystemError?)
    /// The connection below a ``TLSStream`` was closed without the alert `close_notify`, so bytes may be missing (RFC 8446, section 6.1).
    case cut
    /// The TLS session of a ``TLSStream`` failed.
    case tls(OpenSSLError)
}
