extension ServerTrust {
    /// Validates the chain for an evaluator.
    ///
    /// - Parameters:
    ///   - anchors: the only anchors. A chain may end in any of them. Nil for the anchors of the ``ServerTrust``.
    ///   - validateHost: whether the server's certificate must be valid for the host.
    func validated(
        for evaluator: any ServerTrustEvaluator, _ host: String, to anchors: TrustAnchors? = nil, validateHost: Bool
    ) throws(ServerTrustError) -> CertificateChain {
        guard !certificates.isEmpty else { throw ServerTrustError(evaluator, host, .noCertificates) }
        var identity: ServerIdentity?
        if validateHost {
            do throws(HostNameError) {
                let name = try HostName.normalized(host)
                identity = IPAddress(name) == nil ? .name(name) : .address(name)
            } catch {
                throw ServerTrustError(evaluator, host, .host(error))
            }
        }
        let source = anchors.map { TrustSource(anchors: $0) } ?? TrustSource(bundle: { [own = self.anchors] in own })
        let chain: CertificateChain
        do throws(CertificateChainError) {
            chain = try CertificateChain(validating: certificates, by: source, for: identity, at: time)
        } catch {
            throw ServerTrustError(evaluator, host, .chain(error))
        }
        guard chain.isTrusted else { throw ServerTrustError(evaluator, host, .untrusted(chain.failures)) }
        return chain
    }

    /// The certificates with which pins may be compared: those of the validated chain.
    ///
    /// If the chain is not validated, this is only the server's own certificate. The handshake proves that the server has the key
    /// of this certificate. It may have copied all other certificates from another server (CVE-2016-2402).
    func pinnable(
        for evaluator: any ServerTrustEvaluator, _ host: String, to anchors: TrustAnchors? = nil,
        performDefaultValidation: Bool, validateHost: Bool
    ) throws(ServerTrustError) -> [CertificateChain.Entry] {
        guard performDefaultValidation || validateHost else {
            guard let leaf = certificates.first else { throw ServerTrustError(evaluator, host, .noCertificates) }
            return [CertificateChain.Entry(certificate: leaf, role: .leaf, position: 0, source: .served)]
        }
        return try validated(for: evaluator, host, to: anchors, validateHost: validateHost).entries
    }
}
