package import OpenSSL
internal import Pinning
package import PlaintextProtocols

/// The settings of TLS connections to HTTPS proxies, for one thread. A class, because optional noncopyable values cannot be passed on.
package final class ProxyTLS {
    package let context: ClientContext
    let validator: ChainValidator
    let rules: ProxyRules

    /// Nil if no proxy needs TLS.
    package init?(_ rules: ProxyRules) throws(OpenSSLError) {
        guard rules.mayUseTLS else { return nil }
        var settings = ClientContext.Settings()
        settings.carriesApplicationData = true
        settings.applicationProtocols = ["http/1.1"]
        context = try ClientContext(settings)
        validator = try ChainValidator(rules.trust)
        self.rules = rules
    }

    /// Validates the chain of a proxy, then compares it with the pins.
    package func validate(_ served: borrowing PeerChain, of proxy: Proxy) throws(ProxyFailure) {
        let chain: CertificateChain
        do {
            chain = try validator.validate(served, for: proxy.target.identity)
        } catch {
            throw .untrusted("a certificate cannot be parsed: \(error)")
        }
        if let failure = chain.failures.first { throw .untrusted(failure.reason) }
        guard rules.accept(chain, of: proxy) else { throw .pinMismatch }
    }
}
