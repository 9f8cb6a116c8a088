internal import Arguments
internal import Fetching

/// Which hosts a command goes to, and how many at once.
enum TargetFlags {
    static let value = Value<Target>("HOST[:PORT]", expected: "a host, with a port or without") {
        text throws(Refusal) in
        do throws(TargetError) {
            return try Target(parsing: text)
        } catch {
            throw Refusal(error.reason, hint: error.hint)
        }
    }

    static let hosts = Operand.any(value, help: "a name or an address; the port is 443 where none is given")

    static let from = Option.repeated(
        "from", takes: Value.path("FILE"),
        help: "take more hosts from FILE, one a line, after those of the command line; - is standard input"
    )

    static let jobs = Option.single(
        "jobs", short: "j", takes: .integer("N", in: 1...10_000), default: 64,
        help: "connect to so many hosts at once"
    )

    static let group = OptionGroup("Many hosts", [from, jobs])

    /// The hosts of the command line and of the files, in that order.
    static func targets(in values: Values) throws(CommandError) -> [Target] {
        var targets = values[hosts]
        for path in values[from] { targets += try TargetList.read(path) }
        return targets
    }

    /// Makes room for the sockets of so many jobs.
    static func reserveDescriptors(forJobs jobs: Int) throws(CommandError) {
        // Beside its sockets, the process has its standard streams, the loop's own, and files that it reads.
        let needed = jobs + 64
        guard let available = DescriptorLimit.raise(to: needed), available < needed else { return }
        throw CommandError(
            "\"--jobs \(jobs)\" needs \(needed) open files, and this process may have \(available)",
            hint: "raise the limit with ulimit -n, or give --jobs \(max(1, available - 64))"
        )
    }
}
