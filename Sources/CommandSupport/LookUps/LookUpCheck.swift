package import Fetching
internal import Pinning

/// Looks up hosts again, because name resolution may have returned only some of their addresses, and contacts the others.
package struct LookUpCheck {
    package struct Findings {
        /// The reason, for each target that may have an address that was not contacted.
        package fileprivate(set) var problems: [Target: LookUpProblem] = [:]
        /// The further addresses of targets.
        fileprivate var further: [Target: [AddressResult]] = [:]

        /// The result with the further addresses of its target.
        package func completed(_ result: FetchResult) -> FetchResult {
            further[result.target].map(result.adding) ?? result
        }

        package func hasFurtherAddresses(of target: Target) -> Bool { further[target] != nil }
    }

    private let settings: RunSettings

    private var options: ConnectionOptions { settings.options }

    /// - Parameter settings: The settings of the run that contacted the hosts.
    package init(_ settings: RunSettings) { self.settings = settings }

    /// - Parameter addresses: All addresses that name resolution returned for the targets.
    package func findings(for addresses: [AddressHandshake]) throws(CommandError) -> Findings {
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
        guard options.connectTo == nil else { return findings }
        let queries = queries(about: addresses, findings)
        let answers = NameAnswerCheck.answers(to: queries.values, timeout: options.timeout)
        // A look-up of one family would continue with the next domain of resolv.conf(5), and find another host.
        missing.removeAll { family in
            queries[family.target].flatMap { answers[$0] }?.otherNames.contains(family.family) ?? false
        }
        let families = try MissingFamily.findings(of: missing, settings)
        findings.problems.merge(families.problems) { first, _ in first }
        findings.further = families.further
        try contact(addressesOfLaterAnswers(answers, to: queries, about: addresses, &findings), &findings)
        return findings
    }

    /// The questions to the name servers about the targets without a problem.
    private func queries(
        about addresses: [AddressHandshake], _ findings: Findings
    ) -> [Target: NameAnswerCheck.Query] {
        var queries: [Target: NameAnswerCheck.Query] = [:]
        for address in addresses where findings.problems[address.target] == nil {
            guard case .name(let name) = address.target.host, address.endpoint != nil else { continue }
            queries[address.target] = NameAnswerCheck.Query(name: name, family: options.family)
        }
        return queries
    }

    /// Reads the name servers' answers: they can fail after earlier answers, and can contain other addresses.
    ///
    /// - Parameter addresses: The addresses of the first look-up.
    /// - Returns: The addresses of each target that were not contacted.
    private func addressesOfLaterAnswers(
        _ answers: [NameAnswerCheck.Query: NameAnswer.Addresses], to queries: [Target: NameAnswerCheck.Query],
        about addresses: [AddressHandshake], _ findings: inout Findings
    ) -> [Target: [Endpoint]] {
        var contacted: [Target: AddressList] = [:]
        /// The addresses of each name. Two targets with one name can have different answers.
        var shown: [NameAnswerCheck.Query: AddressList] = [:]
        for address in addresses where findings.problems[address.target] == nil {
            let target = address.target
            guard let query = queries[target], let endpoint = address.endpoint else { continue }
            let further = contacted[target] == nil ? (findings.further[target] ?? []).map(\.endpoint) : []
            for endpoint in [endpoint] + further {
                contacted[target, default: AddressList()].insert(endpoint)
                shown[query, default: AddressList()].insert(endpoint)
            }
        }
        var missing: [Target: [Endpoint]] = [:]
        for (target, var known) in contacted {
            guard let query = queries[target] else { continue }
            if let reason = answers[query]?.reason { findings.problems[target] = LookUpProblem(reason: reason) }
            let all = (shown[query]?.endpoints ?? []) + (answers[query]?.known ?? [])
            let found = all.filter { known.insert($0) }
            if known.endpoints.count > AddressLimits.maximumAddresses {
                findings.problems[target] = LookUpProblem(
                    reason: "\(target.hostText) has more than \(AddressLimits.maximumAddresses) addresses",
                    cause: .tooManyAddresses)
            } else if !found.isEmpty {
                missing[target] = found.map { $0.with(port: target.port) }
            }
        }
        return missing
    }

    private func contact(_ further: [Target: [Endpoint]], _ findings: inout Findings) throws(CommandError) {
        guard !further.isEmpty else { return }
        var options = options
        options.knownEndpoints = further
        let fetcher = try settings.with(options).fetcher(for: Array(further.keys))
        while let result = fetcher.nextResult() { findings.further[result.target, default: []] += result.addresses }
        for (target, endpoints) in further {
            let contacted = Set((findings.further[target] ?? []).map(\.endpoint.address))
            guard let missing = endpoints.first(where: { !contacted.contains($0.address) }) else { continue }
            findings.problems[target] = LookUpProblem(
                reason: "\(target.hostText) also has the address \(missing.host), which was not contacted",
                cause: .notContacted)
        }
    }
}

/// Different addresses in their order. Their ports do not matter.
private struct AddressList {
    private(set) var endpoints: [Endpoint] = []
    private var known: Set<[UInt8]> = []

    /// - Returns: whether the address is new.
    @discardableResult mutating func insert(_ endpoint: Endpoint) -> Bool {
        guard known.insert(endpoint.address).inserted else { return false }
        endpoints.append(endpoint)
        return true
    }
}
