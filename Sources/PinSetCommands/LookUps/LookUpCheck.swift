internal import CommandSupport
internal import Fetching
internal import Pinning

/// Looks up hosts again, because name resolution may have returned only some of their addresses, and contacts the others.
struct LookUpCheck {
    struct Findings {
        /// The reason, for each target that may have an address that was not contacted.
        fileprivate(set) var problems: [Target: LookUpProblem] = [:]
        /// The further addresses of targets.
        fileprivate var further: [Target: [AddressResult]] = [:]

        /// The result with the further addresses of its target.
        func completed(_ result: FetchResult) -> FetchResult { further[result.target].map(result.adding) ?? result }

        func hasFurtherAddresses(of target: Target) -> Bool { further[target] != nil }
    }

    let options: ConnectionOptions
    let trust: TrustPolicy
    /// The time at which certificates must be valid; nil for now.
    let time: Timestamp?
    let load: LoadLimits

    /// - Parameter addresses: All addresses that name resolution returned for the targets.
    func findings(for addresses: [AddressHandshake]) throws(CommandError) -> Findings {
        var findings = Findings()
        var missing = MissingFamily.all(in: addresses, options)
        if NameAnswer.hidesIPv6 {
            for family in missing where family.family == .ipv6 {
                findings.problems[family.target] = LookUpProblem(
                    reason: "the resolver option no-aaaa hides the IPv6 addresses of \(family.target.hostText)",
                    cause: .setting)
            }
            missing.removeAll { $0.family == .ipv6 }
        }
        let failures = try MissingFamily.problems(
            of: missing, options, trust: trust, at: time, load: load)
        findings.problems.merge(failures) { first, _ in first }
        guard options.connectTo == nil else { return findings }
        // Name servers that answered before can stop answering, and can answer with other addresses than before.
        var queries: [Target: NameAnswerCheck.Query] = [:]
        var known: [Target: Set<[UInt8]>] = [:]
        for address in addresses
        where findings.problems[address.target]?.family != nil || findings.problems[address.target] == nil {
            guard case .name(let name) = address.target.host, let endpoint = address.endpoint else { continue }
            queries[address.target] = NameAnswerCheck.Query(name: name, family: options.family)
            known[address.target, default: []].insert(endpoint.address)
        }
        let answers = NameAnswerCheck.answers(to: queries.values, timeout: options.timeout)
        var further: [Target: [Endpoint]] = [:]
        for (target, query) in queries {
            switch answers[query] {
            case nil: continue
            case .incomplete(let reason)?: findings.problems[target] = LookUpProblem(reason: reason)
            case .complete(let endpoints)?:
                var contacted = known[target] ?? []
                let found = endpoints.filter { contacted.insert($0.address).inserted }
                // /etc/hosts can have lines of both families, of which getaddrinfo(3) returns the first line without "multi on".
                if let family = findings.problems[target]?.family {
                    guard found.contains(where: { $0.isIPv6 == (family == .ipv6) }) else { continue }
                    findings.problems[target] = nil
                }
                guard !found.isEmpty else { continue }
                if contacted.count > AddressLimits.maximumAddresses {
                    findings.problems[target] = LookUpProblem(
                        reason: "\(target.hostText) has more than \(AddressLimits.maximumAddresses) addresses",
                        cause: .tooManyAddresses)
                } else {
                    further[target] = found.compactMap { Endpoint(address: $0.address, port: target.port) }
                }
            }
        }
        try contact(further, &findings)
        return findings
    }

    private func contact(_ further: [Target: [Endpoint]], _ findings: inout Findings) throws(CommandError) {
        guard !further.isEmpty else { return }
        var options = options
        options.knownEndpoints = further
        let fetcher = try Fetcher.started(
            options, trust: trust, at: time, load: load, targets: Array(further.keys))
        while let result = fetcher.nextResult() { findings.further[result.target] = result.addresses }
        for (target, endpoints) in further where findings.further[target]?.count != endpoints.count {
            let contacted = Set((findings.further[target] ?? []).map(\.endpoint.address))
            let missing = endpoints.first { !contacted.contains($0.address) }
            let text = missing.map(\.host) ?? target.hostText
            findings.problems[target] = LookUpProblem(
                reason: "\(target.hostText) also has the address \(text), which was not contacted",
                cause: .notContacted)
        }
    }
}
