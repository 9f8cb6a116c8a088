package import Arguments
internal import Encodings
package import Fetching
package import Pinning

/// Options and operands for the targets of a command.
package enum TargetFlags {
    package static let value = Value<TargetRange>("HOST[:PORT]", expected: "a host with or without a port") {
        text throws(ValueError) in
        guard !HostValue.isPin(text) else {
            throw ValueError(
                "it is a pin, but a host is expected", hint: "use pinctl hash PIN to find the CA of a pin")
        }
        do throws(TargetError) {
            return try TargetRange(parsing: text)
        } catch {
            throw ValueError(error.reason(about: text), hint: error.hint, isAboutTarget: true)
        }
    }

    package static let hosts = Operand.any(
        value,
        help:
            "host name, address, range such as 10.0.0.0/24, or URL such as smtp://mail.example.com (default port: 443)")

    package static let from = Option.repeated(
        "from", takes: Value.path("FILE"),
        help: "read more hosts from FILE, one per line; - is standard input"
    )

    package static let shard = Option.optional(
        "shard",
        takes: Value<Shard>("I/N", expected: "an index from 0 and a number of parts, such as 0/4") {
            text in
            let parts = text.parts(separatedBy: "/")
            guard parts.count == 2, let index = Int(parts[0]), let count = Int(parts[1]) else { return nil }
            return Shard(index: index, count: count)
        },
        help: "process only part I (from 0) of N of the hosts; the order of the list does not matter"
    )

    package static let resume = Option.optional(
        "resume", takes: Value.outputPath("FILE"),
        help:
            "append results to FILE as ndjson, and skip hosts that already have a result there; the exit status does not include these"
    )

    package static let allAddresses = Option.flag(
        "all-addresses",
        help: "connect to every address of a name, at most 256, and report addresses with different chains"
    )

    /// The option of commands that connect to every address by default.
    package static let firstAddress = Option.flag(
        "first-address", help: "connect to one address of each name, the first that answers, as an app does"
    )

    /// - Parameter addresses: The options that select which addresses of a name pinctl connects to.
    package static func group(addresses: [any AnyOption]) -> OptionGroup {
        OptionGroup("Many hosts", [from] + addresses + [shard, resume] + LoadFlags.declared)
    }

    /// The scheme of hosts without one.
    package static func bareScheme(in values: Values) -> TargetScheme { values[ConnectionFlags.startTLS] ?? .https }

    /// The targets of the command line, with the protocol of `--starttls`.
    package static func ranges(
        of hosts: [TargetRange], in values: Values
    ) throws(CommandError) -> [TargetRange] {
        guard let scheme = values[ConnectionFlags.startTLS] else { return hosts }
        if let other = hosts.first(where: \.hasScheme) {
            throw CommandError(
                "\"--starttls \(scheme.rawValue)\" applies to hosts without a scheme: \(other.first.description.quoted) has one",
                hint: "remove --starttls, or use \(other.first.hostText) without a scheme")
        }
        return hosts.map { $0.with(scheme: scheme) }
    }

    /// All targets of the command line, for commands that need them before the first connection.
    package static func targets(of hosts: [TargetRange], in values: Values) throws(CommandError) -> [Target] {
        let ranges = try ranges(of: hosts, in: values)
        var targets: [Target] = []
        for range in ranges {
            guard range.count <= maximumTargets - targets.count else {
                throw CommandError(
                    "too many hosts: this command takes at most \(maximumTargets)")
            }
            targets += range
        }
        return targets
    }

    private static let maximumTargets = 65_536
}
