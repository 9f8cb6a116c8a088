internal import CommandSupport
internal import Fetching
internal import Pinning

/// An address family of which name resolution returned no address for a host.
///
/// getaddrinfo(3) succeeds if it finds addresses of one family, even if the look-up of the other family failed. Then the host may
/// have servers that pinctl does not know.
struct MissingFamily {
    let target: Target
    let family: AddressFamily

    /// - Parameters:
    ///   - addresses: All addresses that name resolution returned for the targets.
    ///   - options: The connection options of the run.
    /// - Returns: The families to look up again; none if the options select an address or a family.
    static func all(in addresses: [AddressHandshake], _ options: ConnectionOptions) -> [MissingFamily] {
        guard options.connectTo == nil, options.family == .any else { return [] }
        var known: [Target: Set<Bool>] = [:]
        for address in addresses {
            if case .name = address.target.host, let endpoint = address.endpoint {
                known[address.target, default: []].insert(endpoint.isIPv6)
            }
        }
        return known.filter { $0.value.count == 1 }.map { target, families in
            MissingFamily(target: target, family: families.contains(true) ? .ipv4 : .ipv6)
        }
    }

    /// Looks up each family without the other one, so that a failure of its look-up is reported.
    ///
    /// - Returns: The problem of each target that may have addresses of its missing family.
    static func problems(
        of missing: [MissingFamily], _ options: ConnectionOptions, trust: TrustPolicy, at time: Timestamp?,
        load: LoadLimits
    ) throws(CommandError) -> [Target: LookUpProblem] {
        var problems: [Target: LookUpProblem] = [:]
        for family in [AddressFamily.ipv4, .ipv6] {
            let targets = missing.filter { $0.family == family }.map(\.target)
            guard !targets.isEmpty else { continue }
            var options = options
            options.family = family
            options.asksEveryAddress = false
            options.keyTypes = .any
            let fetcher = try Fetcher.started(options, trust: trust, at: time, load: load, targets: targets)
            let noun = family == .ipv4 ? "IPv4" : "IPv6"
            for target in targets {
                problems[target] = LookUpProblem(
                    reason: "the look-up of the \(noun) addresses of \(target.hostText) was interrupted",
                    cause: .notContacted)
            }
            while let result = fetcher.nextResult() {
                problems[result.target] = problem(of: result, noun, options)
            }
        }
        return problems
    }

    private static func problem(
        of result: FetchResult, _ noun: String, _ options: ConnectionOptions
    ) -> LookUpProblem? {
        let host = result.target.hostText
        if case .failure(let error) = result.outcome {
            if let reason = error.lookUpFailure {
                return LookUpProblem(reason: "the look-up of the \(noun) addresses of \(host) failed: \(reason)")
            }
            guard error.code != .resolve else { return nil }
        }
        // The first look-up of a run with such a proxy asks for IPv4 addresses only.
        if options.family == .ipv6, options.proxies?.proxy(for: result.target)?.kind == .socks4 {
            return LookUpProblem(
                reason: "\(host) has an IPv6 address, to which a SOCKS 4 proxy cannot connect", cause: .proxy)
        }
        return LookUpProblem(
            reason: "\(host) has an \(noun) address that was not contacted", cause: .furtherFamily(options.family))
    }
}
