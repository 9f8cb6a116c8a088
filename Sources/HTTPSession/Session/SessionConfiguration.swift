public import Authentication
package import Fetching
public import Pinning

/// The settings of a ``Session``.
public struct SessionConfiguration: Sendable {
    /// The trust anchors; nil for those of the system.
    public var anchors: TrustAnchors?
    /// The pin set that trusted chains must match under the default handling. A host without an entry is not compared.
    public var pins: PinSet?
    public var storage = CredentialStorage()
    /// Whether Basic may send a password without TLS. Basic always sends the password in the URL of a proxy, and FTP never logs in
    /// without TLS.
    public var allowsPlaintextPasswords = false
    /// Time limit for one task with all its redirects, without the time that a handler needs.
    public var timeout: Duration {
        get { options.timeout }
        set { options.timeout = newValue }
    }
    /// Maximum number of bytes of a body that are kept. A value outside 0…2³⁰ means the nearest one of this range.
    public var maximumBodyLength = 1 << 20
    public var maximumRedirects = 10
    /// The time at which certificates must be valid; nil for now.
    public var time: Timestamp?
    /// The settings of connections. `connectTo` and `serverName` apply to the origin of the first URL of a task.
    package var options = ConnectionOptions()
    /// The trust anchors by target; nil for ``anchors``.
    package var trust: TrustPolicy?

    public init() {}

    /// Uses a proxy for all requests.
    ///
    /// - Parameters:
    ///   - url: a URL of the form `http://HOST:PORT`, with the scheme `http`, `https`, `socks4`, `socks4a`, `socks5` or `socks5h`.
    ///   - anchors: the trust anchors for an `https` proxy; nil for those of the system.
    /// - Throws: ``SessionError`` if the URL is malformed.
    public mutating func useProxy(_ url: String, anchors: TrustAnchors? = nil) throws(SessionError) {
        let trust = if let anchors { TrustSource(anchors: anchors) } else { try SystemAnchors.source() }
        do throws(ProxyURLError) {
            let proxy = try Proxy(parsing: url)
            options.proxies = ProxyRules(
                https: nil, general: proxy, exempt: NoProxyList(parsing: ""), trust: trust, pins: nil,
                at: time ?? SystemClock.now)
        } catch {
            throw SessionError(.configuration, "the URL of the proxy: \(error.reason)")
        }
    }
}
