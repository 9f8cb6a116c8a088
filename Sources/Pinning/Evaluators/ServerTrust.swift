/// The certificates that a server presented in its handshake, with the default trust anchors.
///
/// The handshake must be complete, because only this proves that the server has the key of the first certificate.
public struct ServerTrust: Sendable {
    /// The certificates as the server sent them: its own certificate first, the others in any order.
    public var certificates: [Certificate]
    /// The CAs that are trusted by default, such as the system's. An evaluator may use others instead.
    ///
    /// A chain can end in one of them only if it is self-signed, or if its trust settings trust it for servers. To accept an
    /// intermediate or a server's own certificate as an anchor, use ``AnchorsTrustEvaluator``.
    public var anchors: TrustAnchors
    /// The OCSP response that the server stapled (RFC 6066, section 8), in DER; nil if it stapled no response.
    public var stapledResponse: [UInt8]?
    /// The moment of validation.
    public var time: Timestamp

    public init(
        certificates: [Certificate], anchors: TrustAnchors, stapledResponse: [UInt8]? = nil, at time: Timestamp
    ) {
        (self.certificates, self.anchors) = (certificates, anchors)
        (self.stapledResponse, self.time) = (stapledResponse, time)
    }
}

/// Decides whether a program should trust a server.
public protocol ServerTrustEvaluator: Sendable {
    /// Returns normally if the program should trust the server.
    ///
    /// - Parameter host: the host name or IP address of the connection, without a port.
    /// - Throws: ``ServerTrustError`` if not, with the evaluator that refused the server and the reason.
    func evaluate(_ trust: ServerTrust, forHost host: String) throws(ServerTrustError)
}
