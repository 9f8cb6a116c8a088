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

    /// What look-ups of missing families found.
    struct Findings {
        /// The problem of each target that may have more addresses of its missing family.
        fileprivate(set) var problems: [Target: LookUpProblem] = [:]
        /// The results of the addresses of each target that has some.
        fileprivate(set) var further: [Target: [AddressResult]] = [:]
    }

    /// Looks up each family without the other one, so that a failure of its look-up is reported, and contacts the addresses.
    static func findings(
        of missing: [MissingFamily], _ settings: RunSettings
    ) throws(CommandError) -> Findings {
        var findings = Findings()
        for family in [AddressFamily.ipv4, .ipv6] {
            let targets = missing.filter { $0.family == family }.map(\.target)
            guard !targets.isEmpty else { continue }
            var options = settings.options
            options.family = family
            let fetcher = try settings.with(options).fetcher(for: targets)
            let noun = family == .ipv4 ? "IPv4" : "IPv6"
            for target in targets {
                findings.problems[target] = LookUpProblem(
                    reason: "the look-up of the \(noun) addresses of \(target.hostText) was interrupted",
                    cause: .notContacted)
            }
            while let result = fetcher.nextResult() {
                findings.problems[result.target] = problem(of: result, noun, options)
                if findings.problems[result.target] == nil, !result.addresses.isEmpty {
                    findings.further[result.target] = result.addresses
                }
            }
        }
        return findings
    }

    /// - Returns: nil if the addresses of the result, which can be empty, are all that the look-up found.
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
        guard result.addresses.isEmpty else { return nil }
        return LookUpProblem(
            reason: "\(host) may have an \(noun) address that was not contacted", cause: .notContacted)
    }
}
