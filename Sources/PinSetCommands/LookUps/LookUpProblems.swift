internal import CommandSupport
internal import Fetching
internal import Pinning

/// Searches hosts of which name resolution may have returned only some addresses.
struct LookUpProblems {
    let options: ConnectionOptions
    let trust: TrustPolicy
    /// The time at which certificates must be valid; nil for now.
    let time: Timestamp?
    let load: LoadLimits

    /// - Parameter addresses: All addresses that name resolution returned for the targets.
    /// - Returns: For each target that may have another address, the reason.
    func all(in addresses: [AddressHandshake]) throws(CommandError) -> [Target: LookUpProblem] {
        var problems: [Target: LookUpProblem] = [:]
        var missing = MissingFamily.all(in: addresses, options)
        if NameAnswer.hidesIPv6 {
            for family in missing where family.family == .ipv6 {
                problems[family.target] = LookUpProblem(
                    reason: "the resolver option no-aaaa hides the IPv6 addresses of \(family.target.hostText)",
                    cause: .setting)
            }
            missing.removeAll { $0.family == .ipv6 }
        }
        let failures = try MissingFamily.problems(
            of: missing, options, trust: trust, at: time, load: load)
        problems.merge(failures) { first, _ in first }
        guard options.connectTo == nil else { return problems }
        // Name servers that answered before can stop to answer.
        var queries: [Target: NameAnswerCheck.Query] = [:]
        for address in addresses where address.endpoint != nil && problems[address.target] == nil {
            guard case .name(let name) = address.target.host else { continue }
            queries[address.target] = NameAnswerCheck.Query(name: name, family: options.family)
        }
        let incomplete = NameAnswerCheck.problems(of: queries.values, timeout: options.timeout)
        problems.merge(queries.compactMapValues { incomplete[$0].map { LookUpProblem(reason: $0) } }) { first, _ in
            first
        }
        return problems
    }
}
