package import Arguments
package import Fetching

/// Options for concurrency, rate and retries.
package enum LoadFlags {
    package static let jobs = Option.optional(
        "jobs", short: "j", takes: .integer("N", in: 1...100_000),
        help: "maximum number of hosts in flight (default: 256, or less if a limit of the process requires it)"
    )

    package static let threads = Option.optional(
        "threads", takes: .integer("N", in: 1...256),
        help: "number of threads (default: one per processor)"
    )

    package static let rate = Option.optional(
        "rate", takes: .integer("N", in: 1...1_000_000),
        help: "start at most N hosts per second, evenly spaced"
    )

    package static let retries = Option.single(
        "retries", takes: .integer("N", in: 0...100), default: 0,
        help: "retry a host without an answer up to N times, each time with the whole --timeout"
    )

    package static let declared: [any AnyOption] = [jobs, threads, rate, retries]

    private static let defaultJobs = 256

    /// Number of descriptors for standard streams, event loops, name resolution and input files.
    private static let reserve = 64
    /// Minimum number of descriptors of a run with one host. With fewer, OpenSSL cannot open the files of the trust store, and
    /// reports only that the authority is unknown.
    private static let minimum = 16
    /// Number of descriptors for each additional thread, of which two are for its event loop.
    private static let threadDescriptors = 4

    /// Determines the load, and raises the open-file limit for its sockets.
    ///
    /// - Parameters:
    ///   - bound: Maximum number of hosts; nil if unknown.
    ///   - asksEveryAddress: Whether the run connects to every address of a host, to several at the same time.
    package static func load(
        in values: Values, hosts bound: Int?, asksEveryAddress: Bool = false
    ) throws(CommandError) -> LoadLimits {
        let bound = max(1, bound ?? .max)
        var load = LoadLimits(jobs: 1)
        if let given = values[jobs] {
            load.jobs = min(given, bound)
            try makeRoom(forJobs: load.jobs)
        } else {
            load.jobs = min(defaultJobs, bound)
            if let available = DescriptorLimit.raise(to: maximumDescriptors(forJobs: load.jobs)) {
                // Otherwise few hosts need more than two connections, and a host that needs more waits for them.
                let connections = asksEveryAddress ? AddressLimits.maximumConnections : 2
                load.jobs = max(1, min(load.jobs, (available - reserve) / connections))
            }
        }
        load.threads = values[threads] ?? (bound == 1 || MemoryLimit.available != nil ? 1 : Processors.count)
        try checkDescriptors(minimum + (load.threads - 1) * threadDescriptors)
        if bound > 1, let available = MemoryLimit.available {
            let connections = asksEveryAddress ? AddressLimits.maximumConnections : 1
            try fit(&load, into: available, connections, mayReduce: values[jobs] == nil)
        }
        load.rate = values[rate]
        load.retries = values[retries]
        return load
    }

    /// Number of bytes for the results of several hosts while they wait to be written.
    private static let resultMemory = 24 << 20
    /// Number of bytes for a host in flight. Measured: 75 kB.
    private static let jobMemory = 128 << 10
    /// Number of bytes for each additional thread: its stack, its OpenSSL library context, and the memory that the allocator keeps
    /// for it.
    private static let threadMemory = 8 << 20

    /// Maximum number of bytes for a connection whose server sends as much as pinctl accepts.
    private static let connectionMemory = 512 << 10

    private static func fit(
        _ load: inout LoadLimits, into available: Int, _ connections: Int, mayReduce: Bool
    ) throws(CommandError) {
        let fixed = resultMemory + (load.threads - 1) * threadMemory
        if mayReduce { load.jobs = max(1, min(load.jobs, (available - fixed) / (connections * connectionMemory))) }
        let needed = fixed + load.jobs * jobMemory
        guard needed > available else { return }
        throw CommandError(
            "several hosts with \"--jobs \(load.jobs)\" and \"--threads \(load.threads)\" need \(needed >> 20) MiB of memory: the"
                + " limit of this process leaves \(available >> 20) MiB",
            hint: "raise the limit with ulimit -v or ulimit -d")
    }

    private static func checkDescriptors(_ needed: Int) throws(CommandError) {
        guard let limit = DescriptorLimit.raise(to: needed + reserve), limit < needed + reserve else { return }
        let open = DescriptorLimit.countOpen(below: limit)
        guard limit - open < needed else { return }
        throw CommandError(
            "a connection needs up to \(needed) open files: the limit of this process is \(limit), and \(open) are open",
            hint: "raise the limit of open files with ulimit -n")
    }

    /// Number of descriptors if each host has as many addresses as are contacted at the same time.
    private static func maximumDescriptors(forJobs jobs: Int) -> Int {
        jobs * AddressLimits.maximumConnections + reserve
    }

    private static func makeRoom(forJobs jobs: Int) throws(CommandError) {
        let needed = jobs + reserve
        guard let available = DescriptorLimit.raise(to: maximumDescriptors(forJobs: jobs)), available < needed
        else { return }
        throw CommandError(
            "\"--jobs \(jobs)\" needs \(needed) open files: the limit of this process is \(available)",
            hint: "raise the limit with ulimit -n, or "
                + (available > reserve ? "use --jobs \(available - reserve)" : "omit --jobs")
        )
    }
}
