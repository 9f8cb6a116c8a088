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
    /// - Returns: For each target that may have another address, the reason as a clause.
    func all(in addresses: [AddressHandshake]) throws(CommandError) -> [Target: String] {
        var problems = try MissingFamily.problems(
            of: MissingFamily.all(in: addresses, options), options, trust: trust, at: time, load: load)
        guard options.connectTo == nil else { return problems }
        // Name servers that answered before can stop to answer.
        let deadline = MonotonicTime.now + options.timeout
        for target in Set(addresses.filter { $0.endpoint != nil }.map(\.target)) where problems[target] == nil {
            guard case .name(let name) = target.host else { continue }
            problems[target] =
                MonotonicTime.now < deadline
                ? NameAnswer.problem(of: name, options.family)
                : "the name server did not answer within \(options.timeout.inSeconds)"
        }
        return problems
    }
}
