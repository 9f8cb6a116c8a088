package import Arguments
internal import Encodings
package import Fetching
internal import KeyFiles
package import Pinning

/// Options for connections.
package enum ConnectionFlags {
    package struct Address: Sendable {
        package let host: Target.Host
        package let port: UInt16?

        /// The address as it is written on the command line.
        package var text: String {
            let whole = Target(host: host, port: port ?? Target.defaultPort).description
            return port == nil ? String(whole.dropLast(":\(Target.defaultPort)".count)) : whole
        }
    }

    package static let serverName = Option.optional(
        "servername",
        takes: Value<ServerIdentity>("NAME", expected: "a host name") { text throws(ValueError) in
            let (host, port) = try address(text)
            guard port == nil else {
                throw ValueError("a server name has no port", hint: "use the name without the port")
            }
            return Target(host: host).identity
        },
        help: "server name (SNI) that is sent and that the certificate must match, instead of the host"
    )

    package static let connectTo = Option.optional(
        "connect-to",
        takes: Value<Address>("ADDR[:PORT]", expected: "an address or a name") { text throws(ValueError) in
            let (host, port) = try address(text)
            return Address(host: host, port: port)
        },
        help: "connect to this address; the server name stays the host"
    )

    package static let startTLS = Option.optional(
        "starttls",
        takes: .choice(TargetScheme.withStartTLS, "PROTOCOL"),
        help: "protocol that precedes TLS, such as smtp, for hosts without a scheme; it selects the default port"
    )

    package static let ipv4 = Option.flag("ipv4", short: "4", help: "use IPv4 addresses only")
    package static let ipv6 = Option.flag("ipv6", short: "6", conflicts: [ipv4], help: "use IPv6 addresses only")

    package static let timeout = Option.single(
        "timeout",
        takes: Value<Duration>("SECONDS", expected: "a number of seconds from 0.001 to 86400") { seconds($0) },
        default: .seconds(10), defaultText: "10",
        help: "time limit for each attempt, covering DNS, connect, proxy and handshake of all addresses"
    )

    package static let tlsMinimum = Option.optional(
        "tls-min", takes: .choice(TLSVersion.self, "VERSION"), help: "minimum TLS version"
    )
    package static let tlsMaximum = Option.optional(
        "tls-max", takes: .choice(TLSVersion.self, "VERSION"), help: "maximum TLS version"
    )

    package static let applicationProtocols = Option.repeated(
        "alpn",
        takes: Value<[String]>("NAME[,NAME]", expected: "protocol names of 1 to 255 bytes") { text in
            let names = text.parts(separatedBy: ",").map(String.init)
            return names.allSatisfy { (1...255).contains($0.utf8.count) } ? names : nil
        },
        help: "application protocols to offer, in order of preference, such as h2,http/1.1"
    )

    package static let keyType = Option.optional(
        "key-type", takes: .choice(KeyTypeSelection.self, "TYPE"),
        help:
            "types of server keys to accept; with all, one chain for each type that the server has (default: any; init,"
            + " refresh and explain: all)"
    )

    package static let certificate = Option.optional(
        "cert", takes: Value.path("FILE"),
        help:
            "client certificate for servers that request one, with its key and issuers if the file has them (PEM, DER or PKCS#12)"
    )
    package static let key = Option.optional(
        "key", takes: Value.path("FILE"), help: "private key of the client certificate, if --cert does not contain it")
    package static let keyPasswordFile = Option.optional(
        "key-password-file", takes: Value.passwordPath("FILE"),
        help: "decrypt the client's key or PKCS#12 file with the first line of FILE")

    /// The files that these options read, for the check of standard input.
    package static func files(in values: Values) -> [(option: String?, paths: [String?])] {
        [
            ("--cert", [values[certificate]]), ("--key", [values[key]]),
            ("--key-password-file", [values[keyPasswordFile]]),
        ]
    }

    private static func clientCredential(
        in values: Values, _ console: Console
    ) throws(CommandError) -> ClientCredential? {
        guard let certificate = values[certificate] else {
            if let path = values[key] { throw CommandError("\"--key \(path)\" needs \"--cert FILE\"") }
            // A password in the place of its file is a mistake that no error should show.
            if values.contains(keyPasswordFile) {
                throw CommandError("\"--key-password-file FILE\" needs \"--cert FILE\"")
            }
            return nil
        }
        return try ClientCredentialFiles(
            certificate: certificate, key: values[key], passwordFile: values[keyPasswordFile]
        ).credential(console)
    }

    private static let grouped: [any AnyOption] = [
        startTLS, serverName, connectTo, ipv4, ipv6, timeout, tlsMinimum, tlsMaximum, applicationProtocols, keyType,
        certificate, key, keyPasswordFile,
    ]

    /// The options that have no effect without a connection.
    package static let declared: [any AnyOption] = grouped + ProxyFlags.declared + LoadFlags.declared

    package static let group = OptionGroup("Connection", grouped)

    /// The options for requests of HTTP, which select their protocol themselves.
    package static let declaredForRequests: [any AnyOption] = [
        serverName, connectTo, ipv4, ipv6, timeout, tlsMinimum, tlsMaximum, certificate, key, keyPasswordFile,
    ]

    /// The settings of ``declaredForRequests`` and of the proxies.
    package static func optionsForRequests(
        in values: Values, _ console: Console
    ) throws(CommandError) -> ConnectionOptions {
        var options = ConnectionOptions()
        try setAddresses(in: values, &options)
        options.proxies = try ProxyFlags.rules(in: values, forPlainHTTP: true, console)
        options.clientCredential = try clientCredential(in: values, console)
        return options
    }

    /// - Parameter keyTypes: The selection without `--key-type`.
    package static func options(
        in values: Values, _ console: Console, keyTypes: KeyTypeSelection = .any
    ) throws(CommandError) -> ConnectionOptions {
        var options = ConnectionOptions()
        options.keyTypes = values[keyType] ?? keyTypes
        try setAddresses(in: values, &options)
        options.asksEveryAddress = values.contains(TargetFlags.allAddresses)
        options.applicationProtocols = values[applicationProtocols].flatMap { $0 }
        options.proxies = try ProxyFlags.rules(in: values, console)
        options.clientCredential = try clientCredential(in: values, console)
        return options
    }

    /// The settings of the address, the time limit and the TLS versions.
    private static func setAddresses(
        in values: Values, _ options: inout ConnectionOptions
    ) throws(CommandError) {
        options.serverName = values[serverName]
        options.connectTo = values[connectTo].map { ($0.host, $0.port) }
        if values[ipv4] { options.family = .ipv4 }
        if values[ipv6] { options.family = .ipv6 }
        options.timeout = values[timeout]
        options.minimumVersion = values[tlsMinimum]
        options.maximumVersion = values[tlsMaximum]
        if let low = values[tlsMinimum], let high = values[tlsMaximum], low > high {
            throw CommandError("\"--tls-min \(low.rawValue)\" is higher than \"--tls-max \(high.rawValue)\"")
        }
    }

    /// The options that select an address or a server name, or that the connection needs, as words of a command line.
    package static func words(in values: Values) -> [String] {
        var words: [String] = []
        if values[ipv4] { words.append("-4") }
        if values[ipv6] { words.append("-6") }
        if let endpoint = values[connectTo] { words += ["--connect-to", endpoint.text] }
        if let name = values[serverName] { words += ["--servername", name.text] }
        if values.contains(timeout) { words += ["--timeout", values[timeout].numberOfSeconds] }
        if let version = values[tlsMinimum] { words += ["--tls-min", version.rawValue] }
        if let version = values[tlsMaximum] { words += ["--tls-max", version.rawValue] }
        for names in values[applicationProtocols] {
            words += ["--alpn", names.joined(separator: ",").withoutUserInfoInURLs]
        }
        for (option, path) in [
            ("cert", values[certificate]), ("key", values[key]), ("key-password-file", values[keyPasswordFile]),
        ] {
            if let path { words += ["--\(option)", path] }
        }
        return words + ProxyFlags.words(in: values)
    }

    private static func address(_ text: String) throws(ValueError) -> (Target.Host, UInt16?) {
        do throws(TargetError) {
            return try Target.hostAndOptionalPort(parsing: text)
        } catch {
            throw ValueError(error.reason(about: text), hint: error.hint, isAboutTarget: true)
        }
    }

    /// One day in seconds. It is longer than any handshake, and keeps deadlines far below the limit of their type.
    private static let maximumTimeout = 86_400.0

    private static func seconds(_ text: String) -> Duration? {
        guard text.allSatisfy({ $0.isASCII && ($0.isNumber || $0 == ".") }), let seconds = Double(text),
            seconds >= 0.001, seconds <= maximumTimeout
        else { return nil }
        return .milliseconds(Int64((seconds * 1000).rounded()))
    }
}
