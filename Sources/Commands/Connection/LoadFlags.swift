internal import Arguments
internal import Fetching

/// How much a command does at once, and how often.
enum LoadFlags {
    static let jobs = Option.optional(
        "jobs", short: "j", takes: .integer("N", in: 1...100_000),
        help: "connect to so many hosts at once; 256, or what the limit of open files allows, where it is left out"
    )

    static let threads = Option.optional(
        "threads", takes: .integer("N", in: 1...256),
        help: "share the work among so many threads; one for each processor where it is left out"
    )

    static let rate = Option.optional(
        "rate", takes: .integer("N", in: 1...1_000_000),
        help: "begin with no more than N hosts a second, spread evenly"
    )

    static let retries = Option.single(
        "retries", takes: .integer("N", in: 0...100), default: 0,
        help: "try a host up to N times more that did not answer; each try has the whole --timeout"
    )

    static let declared: [any AnyOption] = [jobs, threads, rate, retries]

    private static let defaultJobs = 256

    /// Beside its sockets, the process has its standard streams, the loops' own, look-ups of names, and files that it reads.
    private static let reserve = 64

    /// Settles how much is done at once, and makes room for its sockets.
    ///
    /// - Parameter bound: how many hosts there are at the most; nil where nobody knows.
    static func load(in values: Values, hosts bound: Int?) throws(CommandError) -> LoadLimits {
        let bound = max(1, bound ?? .max)
        var load = LoadLimits(jobs: 1)
        if let given = values[jobs] {
            load.jobs = min(given, bound)
            try makeRoom(forJobs: load.jobs)
        } else {
            load.jobs = min(defaultJobs, bound)
            // A host with several addresses may take more than one socket.
            if let available = DescriptorLimit.raise(to: 2 * load.jobs + reserve) {
                load.jobs = max(1, min(load.jobs, (available - reserve) / 2))
            }
        }
        load.threads = values[threads] ?? (bound == 1 ? 1 : Processors.count)
        load.rate = values[rate]
        load.retries = values[retries]
        return load
    }

    private static func makeRoom(forJobs jobs: Int) throws(CommandError) {
        let needed = jobs + reserve
        guard let available = DescriptorLimit.raise(to: needed), available < needed else { return }
        throw CommandError(
            "\"--jobs \(jobs)\" needs \(needed) open files, and this process may have \(available)",
            hint: "raise the limit with ulimit -n, or "
                + (available > reserve ? "give --jobs \(available - reserve)" : "leave --jobs to pinctl")
        )
    }
}
