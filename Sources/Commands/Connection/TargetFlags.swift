internal import Arguments
internal import Fetching

/// Which hosts a command goes to.
enum TargetFlags {
    static let value = Value<TargetRange>("HOST[:PORT]", expected: "a host, with a port or without") {
        text throws(ValueError) in
        do throws(TargetError) {
            return try TargetRange(parsing: text)
        } catch {
            throw ValueError(error.reason, hint: error.hint)
        }
    }

    static let hosts = Operand.any(
        value, help: "a name, an address or a range (10.0.0.0/24); the port is 443 where none is given")

    static let from = Option.repeated(
        "from", takes: Value.path("FILE"),
        help: "take more hosts from FILE, one a line, after those of the command line; - is standard input"
    )

    static let shard = Option.optional(
        "shard",
        takes: Value<Shard>("I/N", expected: "a part from 0 and the number of parts, such as 0/4 for the first of four")
        {
            text in
            let parts = text.split(separator: "/", omittingEmptySubsequences: false)
            guard parts.count == 2, let index = Int(parts[0]), let count = Int(parts[1]) else { return nil }
            return Shard(index: index, count: count)
        },
        help: "take part I of N of the hosts alone, the same part whatever the order of the list"
    )

    static let resume = Option.optional(
        "resume", takes: Value.path("FILE"),
        help: "add the results to FILE, as ndjson, and leave out the hosts that have one there already"
    )

    static let allAddresses = Option.flag(
        "all-addresses", help: "ask every address of a name, and tell which of them present something else"
    )

    static let group = OptionGroup("Many hosts", [from, allAddresses, shard, resume] + LoadFlags.declared)

    /// Every target of the command line, for commands that need all of them before the first is asked.
    static func targets(of ranges: [TargetRange]) throws(CommandError) -> [Target] {
        var targets: [Target] = []
        for range in ranges {
            guard range.count <= mostAtOnce - targets.count else {
                throw CommandError(
                    "there are more than \(mostAtOnce) hosts, and this command looks at all of them together")
            }
            targets += range
        }
        return targets
    }

    private static let mostAtOnce = 65_536
}
