internal import Arguments
internal import CommandSupport
internal import ConnectionFailures
internal import Encodings
internal import Fetching
internal import Pinning

/// The validated input of `explain`. Its initializer reads the log and the pin set, and contacts no host.
struct ExplainPlan {
    /// The path of the log.
    let path: String
    let log: FailureLog
    let pins: PinSetFile?
    let host: Target?
    let isOffline: Bool
    let names: AuthorityNames
    let warnings: [String]
    /// The options for trust, and those for connections, as words of a command line.
    fileprivate let words: (trust: [String], connection: [String])
    private let connection: ConnectionOptions
    private let trust: TrustPolicy
    private let time: Timestamp?
    private let load: LoadLimits

    /// Maximum number of hosts that pinctl connects to.
    static let maximumHosts = 64
    /// Maximum size of a log in bytes.
    private static let maximumSize = 32 << 20

    init(_ values: Values, _ console: Console) throws(CommandError) {
        path = values[ExplainCommand.log]
        isOffline = values[ExplainCommand.offline]
        time = values[TrustFlags.time]
        try StandardInput.checkReadOnce(
            [
                (nil, [path]), ("--pins", [values[ExplainCommand.pins]]), ("--anchors", values[TrustFlags.anchors]),
            ] + ConnectionFlags.files(in: values))
        host = try values[ExplainCommand.host].map { range throws(CommandError) in
            let targets = try TargetFlags.targets(of: [range], in: values)
            guard let target = targets.first, targets.count == 1 else {
                throw CommandError("\"--host\" takes one host, and this range has \(targets.count)")
            }
            return target
        }
        var connecting = ConnectionFlags.words(in: values)
        if let time = values[TrustFlags.time] { connecting += ["--at", time.description] }
        if let type = values[ConnectionFlags.keyType] { connecting += ["--key-type", type.rawValue] }
        words = (TrustFlags.words(in: values), connecting)
        connection = try ConnectionFlags.options(in: values, console)
        pins = try values[ExplainCommand.pins].map { path throws(CommandError) in try PinSetFile.read(path, console) }
        load = try LoadFlags.load(in: values, hosts: Self.maximumHosts)
        let bytes = try InputFile.bytes(at: path, console)
        guard bytes.count <= Self.maximumSize else {
            throw CommandError(
                "\(InputFile.name(of: path)) is larger than \(Self.maximumSize >> 20) MiB, the limit for a log",
                hint: "use only the part with the error message")
        }
        guard !bytes.isEmpty else {
            throw CommandError("\(InputFile.name(of: path)) is empty", hint: "use a log with the error message")
        }
        log = FailureLog(bytes)
        guard !log.failures.isEmpty else {
            throw CommandError(
                "\(InputFile.name(of: path)) contains no message about certificates or pins that pinctl knows",
                hint: log.hasUnreadReports
                    ? Self.unreadReports : "run \"pinctl help explain\" for the messages")
        }
        var warnings: [String]
        if let pins {
            // Only the entries of the hosts that pinctl connects to need their anchors.
            let entries =
                isOffline
                ? []
                : log.failures.compactMap { [host, connection] in
                    Self.target(of: $0.failure, host).map { pins.set.entry(for: Self.name(of: $0, connection)) }
                }
            let setTrust = try PinSetTrust(
                values, pins, for: entries + [nil], serverName: connection.serverName, console)
            (trust, warnings) = (setTrust.policy, setTrust.warnings + pins.warnings)
            names = AuthorityNames(setTrust.sources)
        } else {
            let (source, sourceWarnings) = try TrustFlags.source(in: values, console)
            (trust, warnings) = (TrustPolicy(source), sourceWarnings)
            names = AuthorityNames([source])
        }
        if log.isCutShort {
            warnings.append(
                "the log has more than \(FailureLog.maximumFailures) different failures, \(FailureLog.maximumMessages) messages,"
                    + " \(FailureLog.maximumReports) JSON reports or \(FailureLog.maximumLines) lines: the rest is ignored"
            )
        }
        if log.hasUnreadReports { warnings.append("some reports of TrustKit were not read: \(Self.unreadReports)") }
        let targets = Set(log.failures.compactMap { [host] in Self.target(of: $0.failure, host) })
        if !isOffline, targets.count > Self.maximumHosts {
            warnings.append(
                "the log names \(targets.count) hosts: pinctl connects to the first \(Self.maximumHosts) only")
        }
        self.warnings = warnings
    }

    private static let unreadReports =
        "pinctl reads complete JSON reports without other lines; put them alone in a file"

    /// The option `--host` as words of a command line.
    fileprivate var hostWords: [String] {
        host.map { $0.description.begins(with: "-") ? ["--host=\($0)"] : ["--host", $0.description] } ?? []
    }

    private func unlistedAnchor(_ result: FetchResult?) -> String? {
        guard let result, let chain = try? result.outcome.get().chain else { return nil }
        let source = trust.sources[trust.sourceIndex(for: result.target)]
        return UnlistedAuthority(of: chain, source).map { ($0.anchor.subject?.displayName ?? "").quoted }
    }

    /// The name whose entry of the set applies to a target.
    fileprivate func name(of target: Target) -> String { Self.name(of: target, connection) }

    /// The name whose entry of the set applies to a target.
    private static func name(of target: Target, _ connection: ConnectionOptions) -> String {
        (target.serverName ?? connection.serverName ?? target.identity).text
    }

    /// The host of a failure: that of the log, otherwise that of `--host`.
    private static func target(of failure: ConnectionFailure, _ host: Target?) -> Target? {
        // A host from another line is only a guess.
        if failure.hostLine != nil, let host { return host }
        guard let name = failure.host, let found = try? TargetRange(parsing: name), found.isSingle else { return host }
        let scheme = failure.scheme
        let target =
            scheme.map { Target(host: found.first.host, port: $0.defaultPort, startTLS: $0.startTLS) } ?? found.first
        // The messages of many programs contain no port.
        if failure.port == nil, let host, host.host == target.host { return host }
        guard let port = failure.port.flatMap({ UInt16(exactly: $0) }), port > 0 else { return target }
        return Target(host: target.host, port: port, startTLS: target.startTLS)
    }

    /// The pins of the set for a host; nil if it has no entry for it.
    private func setPins(of target: Target?) -> [Pin]? {
        guard let target, let entry = pins?.set.entry(for: Self.name(of: target, connection)) else { return nil }
        return entry.pins.filter { $0.state != .retired }.map(\.pin)
    }

    /// Connects to the hosts, and draws the conclusions.
    func explanations() throws(CommandError) -> [Explanation] {
        let targets = log.failures.map { Self.target(of: $0.failure, host) }
        var asked: [Target] = []
        for target in targets {
            if let target, !asked.contains(target), asked.count < Self.maximumHosts { asked.append(target) }
        }
        var results: [Target: FetchResult] = [:]
        if !isOffline, !asked.isEmpty {
            let fetcher = try Fetcher.started(
                connection, trust: trust, at: time, load: load, targets: asked)
            while let result = fetcher.nextResult() { results[result.target] = result }
        }
        return zip(log.failures, targets).map { item, target in
            let result = target.flatMap { results[$0] }
            let entryPins = setPins(of: target)
            let isGuess = item.failure.hostLine != nil && host == nil
            let setPins = entryPins ?? []
            let expected = item.failure.expected.isEmpty ? setPins : item.failure.expected
            let live: HostEvidence.Live =
                switch result?.outcome {
                case .success(let handshake)?: .chain(handshake.chain)
                case .failure(let error)?: .unreachable(error.message)
                case nil: .notAsked
                }
            return Explanation(
                failure: item.failure, count: item.count, target: target, expected: expected, setPins: setPins,
                result: result, isGuess: isGuess,
                conclusion: Conclusion(
                    of: item.failure,
                    with: HostEvidence(
                        live, expected: expected, setPins: setPins, unlistedAnchor: unlistedAnchor(result),
                        isGuess: isGuess,
                        lacksEntry: pins != nil && entryPins == nil)))
        }
    }
}

/// A failure of the log with its conclusion.
struct Explanation {
    let failure: ConnectionFailure
    let count: Int
    /// Nil if the host is unknown.
    let target: Target?
    let expected: [Pin]
    /// The pins of the set for the host.
    let setPins: [Pin]
    /// Nil if pinctl did not connect.
    let result: FetchResult?
    /// Whether the host is that of a URL in another line than the message.
    let isGuess: Bool
    let conclusion: Conclusion

    /// The next step. A host that the log does not name can have been given with `--host`.
    private var step: Conclusion.Step {
        guard conclusion.step == .nameHost, target != nil, !isGuess else { return conclusion.step }
        return failure.hasRepeatedParts ? .separate : .connect
    }

    /// The pins that pinctl compares with the chain of the host.
    var comparedPins: Set<Pin> { Set(expected + setPins) }

    var chain: CertificateChain? { (try? result?.outcome.get())?.chain }

    /// Whether name resolution does not know the host.
    private var isUnresolved: Bool {
        if case .failure(let error)? = result?.outcome { error.nextStep == .checkName } else { false }
    }

    /// The option for an address of a host whose name does not resolve here.
    private var address: [String] { isUnresolved ? ["--connect-to", "ADDRESS"] : [] }

    /// The option of refresh with the name whose entry of the set applies to the host.
    private func acceptance(_ plan: ExplainPlan) -> [String] {
        let name = target.map(plan.name) ?? "HOST"
        return name.begins(with: "-") ? ["--accept-new=\(name)"] : ["--accept-new", name]
    }

    /// The command to run next. It contains only words that pinctl has parsed, because a log can contain any text.
    func command(_ plan: ExplainPlan) -> String {
        let host = target?.description ?? "HOST"
        // Standard input can be read only once.
        let set = plan.pins.map { $0.path == "-" ? "PINS" : ShellCommand.path($0.path) } ?? "PINS"
        let log = plan.path == "-" ? "LOG" : ShellCommand.path(plan.path)
        let pins = plan.pins != nil || step == .namePins ? ["--pins", set] : []
        let connecting = plan.words.trust + plan.words.connection
        let words =
            switch step {
            case .fetch: ["fetch", host] + connecting
            case .inspect: ["inspect", host, "--select", "leaf"] + connecting
            case .fetchIssuers: ["fetch", "--fetch-issuers", host] + connecting
            case .verify: ["verify", "--pins", set, host] + connecting
            // The set can have other hosts, for which an address or a server name is wrong. No pin matches, so refresh learns the chain
            // only with --accept-new; without --write, it changes nothing.
            case .refresh: ["refresh", "--pins", set] + acceptance(plan) + [host] + connecting
            case .lint: ["lint", set]
            case .connect where plan.isOffline || isUnresolved:
                ["explain", log] + plan.hostWords + pins + connecting + address
            case .connect: ["fetch", host] + connecting
            case .nameHost: ["explain", log, "--host", "HOST"] + pins + connecting + address
            case .namePins: ["explain", log] + plan.hostWords + pins + connecting
            case .nameOwnPins: ["explain", log, "--pins", "PINS"] + plan.hostWords + connecting
            case .separate: ["explain", "LOG"] + plan.hostWords + pins + connecting
            }
        // A host of a log can look like an option.
        guard host.begins(with: "-"), words.contains(host) else { return ShellCommand.line(["pinctl"] + words) }
        return ShellCommand.line(["pinctl"] + words.filter { $0 != host }, operands: [host])
    }

    /// What the command does.
    var purpose: String {
        switch step {
        case .fetch where conclusion.verdict == .interception:
            "run it in the network of the device, and compare the chain with the one here"
        case .fetch where conclusion.verdict == .undecided:
            "run it here, in another network, and in that of the device, and compare the chains"
        case .fetch: "look at the chain of the host"
        case .inspect: "look at the server's certificate"
        case .fetchIssuers: "find the certificate that the server must send"
        case .verify: "compare the pins of the program with the host"
        case .refresh:
            "show which changes the pin set needs; if the keys were changed on purpose, add --write, and release the app with them"
        case .lint: "find the wrong pin"
        case .connect where isUnresolved:
            "repeat with an address of the host, because its name does not resolve here"
        case .connect: "compare with the chain that the host serves now"
        case .nameHost where isUnresolved:
            "repeat with the host of the failure, and with an address if its name does not resolve here"
        case .nameHost: "repeat with the host of the failure"
        case .namePins: "repeat with the pin set of the program"
        case .nameOwnPins:
            "repeat with the pin set of the program's own version; if it is this set, compare the chain in the network of the device"
        case .separate: "repeat with the part of the log of this failure alone"
        }
    }
}
