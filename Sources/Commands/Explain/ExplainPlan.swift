internal import Arguments
internal import CommandSupport
internal import ConnectionFailures
internal import Encodings
internal import Fetching
internal import PinSetCodec
internal import PinSetFormats
internal import Pinning

/// The validated input of `explain`. Its initializer reads the log and the pin set, and contacts no host.
struct ExplainPlan {
    /// The path of the log.
    let path: String
    let log: FailureLog
    let pins: PinSetFile?
    let host: Target?
    /// Whether `--host` names a port or a scheme.
    private let namesPort: Bool
    let isOffline: Bool
    let names: AuthorityNames
    let warnings: [String]
    /// The options for trust, and those for connections, as words of a command line.
    let words: (trust: [String], connection: [String])
    private let settings: RunSettings
    /// The configuration of Apple's systems, if the set is a file of Apple.
    private let appleConfiguration: PlatformConfiguration?
    /// The time at which chains are validated.
    private let time: Timestamp

    var connection: ConnectionOptions { settings.options }

    /// Maximum number of hosts that pinctl connects to.
    static let maximumHosts = 64
    /// Maximum size of a log in bytes.
    private static let maximumSize = 32 << 20

    init(_ values: Values, _ console: Console) throws(CommandError) {
        path = values[ExplainCommand.log]
        isOffline = values[ExplainCommand.offline]
        try StandardInput.checkReadOnce(
            [
                (nil, [path]), ("--pins", [values[ExplainCommand.pins]]), ("--anchors", values[TrustFlags.anchors]),
            ] + ConnectionFlags.files(in: values))
        namesPort = values[ExplainCommand.host]?.namesPort ?? false
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
        var connection = try ConnectionFlags.options(in: values, console, keyTypes: .all)
        // The addresses of a host can serve different chains.
        connection.asksEveryAddress = true
        connection.findsAllPaths = true
        pins = try values[ExplainCommand.pins].map { path throws(CommandError) in try PinSetFile.read(path, console) }
        appleConfiguration = pins?.ownConfiguration.flatMap { $0.platform == .apple ? $0 : nil }
        time = values[TrustFlags.time] ?? .now
        let load = try LoadFlags.load(in: values, hosts: Self.maximumHosts, asksEveryAddress: true)
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
        let trust: TrustPolicy
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
        settings = RunSettings(connection, trust: trust, at: values[TrustFlags.time], load: load)
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
    var hostWords: [String] {
        host.map { $0.description.begins(with: "-") ? ["--host=\($0)"] : ["--host", $0.description] } ?? []
    }

    private func unlistedAnchor(of chain: CertificateChain, for target: Target) -> String? {
        let source = settings.trust.sources[settings.trust.sourceIndex(for: target)]
        return UnlistedAuthority(of: chain, source).map { ($0.anchor.subject?.displayName ?? "").quoted }
    }

    /// The keys of the log that a person named.
    private var knownKeys: KnownKeys {
        KnownKeys(
            of: Set(log.failures.flatMap(\.failure.seenPins)), in: pins?.set,
            anchors: settings.trust.sources.flatMap { $0.anchors?.certificates ?? [] })
    }

    /// The rule by which the program's platform rejects a chain; nil if it accepts it, or if the set is no file of the platform.
    private func refusal(
        of chain: CertificateChain, for target: Target, _ failure: ConnectionFailure
    ) -> PlatformRefusal? {
        guard failure.source == .urlsession, let pins, let configuration = appleConfiguration else { return nil }
        return PlatformRefusal(of: chain, name(of: target), configuration, pins.set, at: time)
    }

    /// The name whose entry of the set applies to a target.
    func name(of target: Target) -> String { Self.name(of: target, connection) }

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

    /// The entry of the set for a host.
    private func entry(for target: Target?) -> PinSet.Entry? {
        target.flatMap { pins?.set.entry(for: Self.name(of: $0, connection)) }
    }

    /// Connects to the hosts, and draws the conclusions.
    func explanations() throws(CommandError) -> [Explanation] {
        let targets = log.failures.map { Self.target(of: $0.failure, host) }
        var asked: [Target] = []
        for target in targets {
            if let target, !asked.contains(target), asked.count < Self.maximumHosts { asked.append(target) }
        }
        var results: [FetchResult] = []
        if !isOffline, !asked.isEmpty {
            let fetcher = try settings.fetcher(for: asked)
            while let result = fetcher.nextResult() { results.append(result) }
        }
        let hosts = try HostResults.all(results, by: settings)
        let known = knownKeys
        return zip(log.failures, targets).map { item, target in
            let results = target.flatMap { hosts[$0] }
            let entry = entry(for: target)
            let isGuess = item.failure.hostLine != nil && host == nil
            let setPins = (entry?.pins ?? []).filter { $0.state != .retired }.map(\.pin)
            // A refresh writes goneSince, and makes such a pin active again.
            let withdrawn = Set((entry?.pins ?? []).filter { $0.state == .retired && $0.goneSince == nil }.map(\.pin))
            let expected = item.failure.expected.isEmpty ? setPins : item.failure.expected
            func refusal(of live: HostEvidence.Live) -> PlatformRefusal? {
                live.chain.flatMap { chain in target.flatMap { self.refusal(of: chain, for: $0, item.failure) } }
            }
            func draw(_ live: HostEvidence.Live, _ hasPinnedKeyElsewhere: Bool) -> Conclusion.Draw {
                let unlisted = live.chain.flatMap { chain in target.flatMap { unlistedAnchor(of: chain, for: $0) } }
                let evidence = HostEvidence(
                    live, expected: expected, setPins: setPins, withdrawnPins: withdrawn, unlistedAnchor: unlisted,
                    knownKey: known.phrase(for: item.failure.seenPins, of: entry), anchorNames: known.anchorNames,
                    hasPinnedKeyElsewhere: hasPinnedKeyElsewhere,
                    crossCertificate: live.chain?.crossCertificate(at: time), refusal: refusal(of: live),
                    isGuess: isGuess, lacksEntry: pins != nil && entry == nil)
                return (live, Conclusion(of: item.failure, with: evidence))
            }
            let keys = HostComparison.Keys(of: item.failure, pinned: Set(expected + setPins)) {
                refusal(of: .chain($0)) != nil
            }
            let comparison = HostComparison(results, keys, rule: draw)
            return Explanation(
                failure: item.failure, count: item.count, target: target, expected: expected, setPins: setPins,
                host: results, comparison: comparison, isGuess: isGuess,
                conclusion: results.map { conclusion(from: comparison, of: $0, for: item.failure) }
                    ?? comparison.conclusion)
        }
    }

    /// Why the contacted server can be another one than that of a failure, as a clause; nil without a doubt.
    func doubt(about target: Target, of failure: ConnectionFailure) -> String? {
        if requestsOtherName(for: target) {
            return
                "but --servername requested the chain of \(name(of: target)), and not that of \(target.identity.text)"
        }
        // The port of --host applies only to its own host.
        let isNamed = host?.host == target.host
        guard failure.port == nil, !(isNamed && namesPort), let entry = pins?.set.entry(for: name(of: target)) else {
            return nil
        }
        let endpoints = entry.endpoints.map { Target($0) }.filter { $0.host == target.host }
        guard let other = endpoints.first(where: { $0 != target }) else { return nil }
        return
            "but \(isNamed ? "neither the message nor --host names a port" : "the message names no port"), and the set has the endpoint"
            + " \(other) for the host: name the port with --host"
    }

    /// Whether `--servername` is the name of another host. The name for an IP address does not count.
    func requestsOtherName(for target: Target) -> Bool {
        guard case .name = target.host, target.serverName == nil, let name = connection.serverName else { return false }
        return name.text != target.identity.text
    }
}
