internal import Pinning

/// The rules for a chain of the host that cannot be compared.
extension ConclusionRules {
    /// The host serves a chain that does not validate here, or only with an unlisted anchor.
    func onUntrusted(_ chain: CertificateChain) -> Conclusion {
        if let anchor = evidence.unlistedAnchor, chain.isTrusted {
            let sight =
                !seen.isEmpty && sawHost(chain.entries.map(\.certificate.pin))
                ? "the program saw the same chain, and " : ""
            return Conclusion(
                .undecided, .fetch,
                "\(sight)the host's chain ends here in \(anchor), which is in the trust store of this machine but not in pinctl's list of"
                    + " public CAs: if that CA is not yours, this connection may be intercepted; if it is yours, use --anchors with its"
                    + " certificate"
            )
        }
        guard let cause = chain.failures.first(where: failure.isExplained) else {
            return Conclusion(
                .undecided, .fetch,
                "the host's chain is not trusted here, but for another reason than in the message: \(chain.reasonText); the host changed its"
                    + " chain since, the program has another clock or trust store, or the connection was intercepted")
        }
        if showsOtherCertificate(than: chain) { return onOtherCertificate(chain) }
        let start = "the host's chain is not trusted here either: \(chain.reasonText)"
        switch cause.code {
        case "expired", "not-yet-valid": return Conclusion(.expiredCertificate, .inspect, start)
        case "missing-intermediate":
            // Certificates of public CAs say where their issuer is (RFC 5280, section 4.2.2.1).
            let names = chain.entries.first?.certificate.issuerURLs ?? []
            guard names.isEmpty else {
                return Conclusion(.serverError, .fetchIssuers, start)
            }
            return Conclusion(
                .undecided, .fetch,
                "\(start): the server omits the certificate of an intermediate CA, or the connections are intercepted by a private CA"
            )
        case "name-mismatch":
            return Conclusion(
                .serverError, .inspect,
                "\(start), unless a captive portal or a proxy answers in both networks")
        case "weak-key", "weak-signature", "wrong-purpose", "revoked", "bad-signature":
            return Conclusion(.serverError, .inspect, start)
        default:
            return Conclusion(
                .undecided, .fetch, "\(start); it has a private CA, or this connection is intercepted too")
        }
    }

    /// The log shows another certificate than that of the host, whose chain has a defect of the same kind.
    func onOtherCertificate(_ chain: CertificateChain) -> Conclusion {
        Conclusion(
            .undecided, .fetch,
            "the log shows another certificate than the host serves here, so a defect of the host's chain does not explain the message"
                + " (\(chain.reasonText)): another server answered, the host changed its certificate since, or the connection was"
                + " intercepted")
    }

    /// Whether the log shows a server's certificate with another key or other names than that of a chain, or another date.
    func showsOtherCertificate(than chain: CertificateChain) -> Bool {
        guard failure.hasTexts(of: chain) else { return true }
        guard let leaf = chain.entries.first?.certificate, let first = failure.seen.first else { return false }
        // Programs differ in what they write for a name without a common name.
        let hasNames = leaf.subject?.commonName != nil && leaf.issuer?.commonName != nil
        guard first.pin != nil || hasNames else { return false }
        return !failure.canBeAbout(chain)
    }

    func onMissingHost(_ sentence: String) -> Conclusion {
        if case .unreachable(let reason) = evidence.live {
            return Conclusion(.undecided, .connect, "\(sentence), and the host does not answer: \(reason)")
        }
        return Conclusion(.undecided, failure.host == nil ? .nameHost : .connect, sentence)
    }
}

extension CertificateChain {
    /// The reasons why the chain does not validate, in one line.
    fileprivate var reasonText: String { failures.map(\.reason).joined(separator: "; ") }
}
