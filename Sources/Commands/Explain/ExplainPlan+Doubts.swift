internal import CommandSupport
internal import ConnectionFailures
internal import Fetching
internal import Pinning

/// What pinctl did not compare, as clauses of a conclusion.
extension ExplainPlan {
    /// The conclusion with the reasons why the host may have addresses and chains that were not compared.
    ///
    /// A rotation and an interception are conclusions from a key that was not found, and an expired certificate that the host does not serve
    /// was not found either. So they need every chain of the host. The other verdicts are conclusions from what was found.
    func conclusion(
        from comparison: HostComparison, of host: HostResults, for failure: ConnectionFailure
    ) -> Conclusion {
        let conclusion = comparison.conclusion
        guard !host.addresses.isEmpty else { return conclusion }
        let total = host.result.addresses.count
        let hasTooManyAddresses = host.result.addresses.contains {
            if case .failure(let error) = $0.outcome { error.code == .tooManyAddresses } else { false }
        }
        if hasTooManyAddresses {
            return conclusion.undecided(
                "; the host has more than \(AddressLimits.maximumAddresses) addresses, which were not all compared")
        }
        let isAboutKeys = [.rotation, .interception].contains(conclusion.verdict)
        let needsEveryChain =
            isAboutKeys || conclusion.verdict == .expiredCertificate && comparison.chain?.isTrusted == true
        if isAboutKeys, let reason = doubt(about: host.result.target, of: failure) {
            return conclusion.undecided("; \(reason)", next: .fetch)
        }
        let isComparison =
            needsEveryChain || conclusion.verdict == .undecided && [.fetch, .fetchPaths].contains(conclusion.step)
        var clauses: [String] = []
        if isComparison { clauses += host.gaps }
        if host.unansweredCount > 0 {
            clauses.append("\(host.unansweredCount) of the \(total) addresses of the host did not answer")
        }
        if host.unroutableCount > 0 {
            clauses.append("this machine has no route to \(host.unroutableCount) of the \(total) addresses of the host")
        }
        if isComparison {
            clauses += [host.limit].compactMap(\.self) + limits(for: host.result.target, of: conclusion.verdict)
        }
        guard !clauses.isEmpty else { return conclusion }
        let text = clauses.map { "; \($0)" }.joined()
        guard needsEveryChain, host.isIncomplete else { return conclusion.adding(text) }
        return conclusion.undecided("; but this is not certain" + text, next: .again)
    }

    /// Which addresses and chains the options leave out, as clauses.
    private func limits(for target: Target, of verdict: Conclusion.Verdict) -> [String] {
        let key =
            switch verdict {
            case .rotation: "the pinned key"
            case .interception: "the keys that the program saw"
            case .expiredCertificate: "the expired certificate"
            default: "other keys"
            }
        var clauses: [String] = []
        if connection.connectTo != nil {
            clauses.append("only the address of --connect-to was compared, and an address of the host can serve \(key)")
        } else {
            switch connection.family {
            case .ipv4: clauses.append("-4 leaves out the IPv6 addresses of the host, and one of them can serve \(key)")
            case .ipv6: clauses.append("-6 leaves out the IPv4 addresses of the host, and one of them can serve \(key)")
            case .any: break
            }
            if let proxy = connection.proxies?.proxy(for: target), proxy.kind.resolvesNames {
                clauses.append("the proxy \(proxy) selects the address of the host, and another one can serve \(key)")
            }
        }
        if connection.keyTypes != .all {
            clauses.append(
                "--key-type \(connection.keyTypes.rawValue) leaves out other chains of the host, which can contain \(key)"
            )
        }
        // Without these options, pinctl offers TLS 1.2 and 1.3.
        let versions = [
            ("--tls-min", connection.minimumVersion.flatMap { $0 > .tls12 ? $0 : nil }),
            ("--tls-max", connection.maximumVersion.flatMap { $0 < .tls13 ? $0 : nil }),
        ]
        for (option, version) in versions {
            guard let version else { continue }
            clauses.append(
                "\(option) \(version.rawValue) leaves out the chain of the host for other versions of TLS, which can contain \(key)"
            )
        }
        return clauses
    }
}
