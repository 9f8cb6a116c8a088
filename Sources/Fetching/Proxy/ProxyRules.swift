package import Pinning

/// Which proxy pinctl uses for a target, and how it validates HTTPS proxies.
package struct ProxyRules: Sendable {
    /// The proxy for HTTPS targets; nil for ``general``.
    private let https: Proxy?
    /// The proxy for URLs with the scheme `http`; nil for ``general``.
    private let http: Proxy?
    /// The proxy for all targets.
    private let general: Proxy?
    private let exempt: NoProxyList
    /// The trust anchors for the certificates of HTTPS proxies.
    let trust: TrustSource
    /// The pins of HTTPS proxies; nil to compare no pins. An HTTPS proxy without an entry is refused.
    private let pins: PinSet?
    /// The moment at which the expiry of pins is checked.
    private let time: Timestamp

    /// - Parameters:
    ///   - https: the proxy for HTTPS targets only; nil if `general` applies to them, too.
    ///   - http: the proxy for URLs with the scheme `http` only; nil if `general` applies to them, too.
    ///   - general: the proxy for all targets.
    ///   - exempt: the targets that are reached without a proxy.
    ///   - trust: the trust anchors for the certificates of HTTPS proxies.
    ///   - pins: the pins of HTTPS proxies; nil to compare no pins.
    ///   - time: the moment at which the expiry of pins is checked.
    package init(
        https: Proxy?, http: Proxy? = nil, general: Proxy?, exempt: NoProxyList, trust: TrustSource, pins: PinSet?,
        at time: Timestamp
    ) {
        self.http = http
        (self.https, self.general, self.exempt, self.trust, self.pins) = (https, general, exempt, trust, pins)
        self.time = time
    }

    /// The proxy for a target; nil if it is reached without one.
    package func proxy(for target: Target) -> Proxy? {
        // As in curl, https_proxy does not apply to the protocols with STARTTLS.
        let special = target.startTLS == nil ? https : nil
        guard let proxy = special ?? general, !exempt.contains(target) else { return nil }
        return proxy
    }

    /// The proxy for a URL with the scheme `http`, whose requests need no tunnel; nil if it is reached without one.
    package func proxy(forPlainHTTP target: Target) -> Proxy? { exempt.contains(target) ? nil : http ?? general }

    /// All proxies.
    package var proxies: [Proxy] { [https, http, general].compactMap(\.self) }

    /// Whether a target may need a TLS connection to a proxy.
    var mayUseTLS: Bool { https?.kind == .https || http?.kind == .https || general?.kind == .https }

    /// Whether the validated chain of a proxy matches a pin.
    func accept(_ chain: CertificateChain, of proxy: Proxy) -> Bool {
        guard let pins else { return true }
        let entry = pins.entry(for: proxy.target.identity.text)
        let evaluation = PinEvaluation(of: chain.pins, by: entry, at: time)
        if case .match = evaluation.verdict { return true }
        return false
    }
}
