/// What a server presented in its handshake, and what it is judged by unless an evaluator knows better.
///
/// The handshake must have been completed: that is what proves that the server holds the key of the first certificate.
public struct ServerTrust: Sendable {
    /// As the server sent them: its own certificate first, the others in any order.
    public var certificates: [Certificate]
    /// The authorities that are trusted by default, such as the system's. An evaluator may have its own instead.
    ///
    /// A chain ends only in one that is self-signed, or that its trust settings trust for servers. To accept an intermediate or a
    /// server's own certificate as an anchor, use ``AnchorsTrustEvaluator``.
    public var anchors: TrustAnchors
    /// The OCSP response that the server stapled (RFC 6066, section 8), in DER; nil where it stapled none.
    public var stapledResponse: [UInt8]?
    /// The moment to judge at.
    public var time: Timestamp

    public init(
        certificates: [Certificate], anchors: TrustAnchors, stapledResponse: [UInt8]? = nil, at time: Timestamp
    ) {
        (self.certificates, self.anchors) = (certificates, anchors)
        (self.stapledResponse, self.time) = (stapledResponse, time)
    }
}

/// Decides whether a server is the one that it should be.
public protocol ServerTrustEvaluator: Sendable {
    /// Returns where the server is to be trusted.
    ///
    /// - Parameter host: the name or the address that the connection was meant for, without a port.
    /// - Throws: ``ServerTrustError`` where it is not, with the evaluator that refused and the reason.
    func evaluate(_ trust: ServerTrust, forHost host: String) throws(ServerTrustError)
}
