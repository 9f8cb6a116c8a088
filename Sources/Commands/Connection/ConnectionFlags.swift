internal import Arguments
internal import Fetching
internal import Pinning

/// How a command connects.
enum ConnectionFlags {
    struct Address: Sendable {
        let host: Target.Host
        let port: UInt16?

        /// As it can be given again.
        var text: String {
            let whole = Target(host: host, port: port ?? Target.defaultPort).description
            return port == nil ? String(whole.dropLast(":\(Target.defaultPort)".count)) : whole
        }
    }

    static let serverName = Option.optional(
        "servername",
        takes: Value<ServerIdentity>("NAME", expected: "a host name") { text throws(ValueError) in
            let (host, port) = try address(text)
            guard port == nil else { throw ValueError("a port has no place in it", hint: "give the name alone") }
            return Target(host: host).identity
        },
        help: "ask for NAME and check the certificate for it, instead of the host's own name"
    )

    static let connectTo = Option.optional(
        "connect-to",
        takes: Value<Address>("ADDR[:PORT]", expected: "an address or a name") { text throws(ValueError) in
            let (host, port) = try address(text)
            return Address(host: host, port: port)
        },
        help: "connect there instead; what is asked for and checked stays the host's own name"
    )

    static let ipv4 = Option.flag("ipv4", short: "4", help: "use IPv4 addresses only")
    static let ipv6 = Option.flag("ipv6", short: "6", conflicts: [ipv4], help: "use IPv6 addresses only")

    static let timeout = Option.single(
        "timeout",
        takes: Value<Duration>("SECONDS", expected: "a number of seconds from 0.001 to 86400") { seconds($0) },
        default: .seconds(10), defaultText: "10",
        help: "give a host up after so long, all its addresses and steps together; each try of --retries anew"
    )

    static let tlsMinimum = Option.optional(
        "tls-min", takes: .choice(TLSVersion.self, "VERSION"), help: "the lowest version of TLS to accept"
    )
    static let tlsMaximum = Option.optional(
        "tls-max", takes: .choice(TLSVersion.self, "VERSION"), help: "the highest version of TLS to offer"
    )

    static let applicationProtocols = Option.repeated(
        "alpn",
        takes: Value<[String]>("NAME[,NAME]", expected: "protocol names of 1 to 255 bytes") { text in
            let names = text.split(separator: ",", omittingEmptySubsequences: false).map(String.init)
            return names.allSatisfy { (1...255).contains($0.utf8.count) } ? names : nil
        },
        help: "application protocols to offer, most wanted first, such as h2,http/1.1"
    )

    private static let grouped: [any AnyOption] = [
        serverName, connectTo, ipv4, ipv6, timeout, tlsMinimum, tlsMaximum, applicationProtocols,
    ]

    /// Every option that means nothing where nobody is connected to.
    static let declared: [any AnyOption] = grouped + LoadFlags.declared

    static let group = OptionGroup("Connection", grouped)

    static func options(in values: Values) throws(CommandError) -> ConnectionOptions {
        var options = ConnectionOptions()
        options.serverName = values[serverName]
        options.connectTo = values[connectTo].map { ($0.host, $0.port) }
        if values[ipv4] { options.family = .ipv4 }
        if values[ipv6] { options.family = .ipv6 }
        options.asksEveryAddress = values.contains(TargetFlags.allAddresses)
        options.timeout = values[timeout]
        options.minimumVersion = values[tlsMinimum]
        options.maximumVersion = values[tlsMaximum]
        if let low = values[tlsMinimum], let high = values[tlsMaximum], low > high {
            throw CommandError("\"--tls-min \(low.rawValue)\" is above \"--tls-max \(high.rawValue)\"")
        }
        options.applicationProtocols = values[applicationProtocols].flatMap { $0 }
        return options
    }

    private static func address(_ text: String) throws(ValueError) -> (Target.Host, UInt16?) {
        do throws(TargetError) {
            return try Target.hostAndOptionalPort(parsing: text)
        } catch {
            throw ValueError(error.reason, hint: error.hint)
        }
    }

    /// A day is more than any handshake takes, and keeps the arithmetic of deadlines far from its end.
    private static let longestTimeout = 86_400.0

    private static func seconds(_ text: String) -> Duration? {
        guard text.allSatisfy({ $0.isASCII && ($0.isNumber || $0 == ".") }), let seconds = Double(text),
            seconds >= 0.001, seconds <= longestTimeout
        else { return nil }
        return .milliseconds(Int64((seconds * 1000).rounded()))
    }
}
