package import OpenSSL
package import PlaintextProtocols

/// The reason why a ``ByteStream`` cannot receive or send.
package enum StreamError: Error {
    /// The deadline has passed.
    case timedOut
    /// The connection was closed, or failed with an error.
    case closed(SystemError?)
    /// The TLS session of a ``TLSStream`` failed.
    case tls(OpenSSLError)
}
