/// The reason why a ``PlaintextStep`` failed.
package enum NegotiationFailure: Error, Equatable, Sendable {
    /// The connection was closed, or failed with an error.
    case closed(SystemError?)
    /// The peer refused the request; its words, as it sent them.
    case refused(String)
    /// The server does not offer TLS; its words, or nil if its protocol has none.
    case notOffered(String?)
    /// The bytes are not an answer of this protocol; the first of them.
    case unexpected([UInt8])
    /// The peer sent more bytes than a negotiation may have.
    case tooLong(limit: Int)
    /// The peer sent this number of bytes beyond its answer, in plain text (CVE-2011-0411).
    case injectedText(count: Int)
    /// The proxy makes no connection.
    case proxy(ProxyFailure)
}
