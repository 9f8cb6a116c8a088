internal import Arguments
internal import Fetching
internal import Pinning

/// A `verify` that can be carried out: whatever can be refused has been, before a packet leaves.
struct VerifyPlan {
    /// Where chains come from.
    enum Source {
        case hosts(ConnectionOptions, TargetSource, LoadLimits)
        /// A file's certificates, and its name in messages.
        case saved([Certificate], file: String)
    }

    let pins: PinSetFile
    /// Those that are known beforehand, which the hosts of a list are not.
    let checks: [Verification.Check]
    let source: Source
    let serverName: ServerIdentity?
    let trust: VerifyTrust
    /// The moment to validate at; nil for now.
    let time: Timestamp?
    /// The same, or the moment at which the run began.
    let now: Timestamp
    let format: CheckFormat
    /// Those whose verdicts were asked for.
    let platforms: [Platform]
    /// Those that may be needed; nil for hosts without one.
    private let entries: [PinSet.Entry?]
    /// Sentences about the set and the trust.
    private let remarks: [String]

    init(_ values: Values, _ console: Console) throws(CommandError) {
        try StandardInput.checkReadOnce([
            ("--pins", [values[VerifyCommand.pins]]), ("--chain", [values[VerifyCommand.chain]]),
            ("--from", values[TargetFlags.from]), ("--anchors", values[TrustFlags.anchors]),
        ])
        pins = try PinSetFile.read(values[VerifyCommand.pins], console)
        time = values[TrustFlags.time]
        now = time ?? .now
        format = try Self.format(values)
        platforms = PlatformChoice.platforms(of: values[VerifyCommand.platforms])
        serverName = values[ConnectionFlags.serverName]
        let targets = try Self.targets(values, pins, console)
        source = try Self.source(values, targets, console)
        let (set, name) = (pins.set, serverName)
        checks =
            targets.isList
            ? []
            : targets.given.enumerated().map { index, range in
                Self.check(range.first, at: index, in: set, serverName: name)
            }
        // Which entries a list needs shows only as it is read.
        entries = targets.isList ? set.entries + [nil] : checks.map(\.entry)
        trust = try VerifyTrust(values, pins, for: entries, console)
        remarks = pins.losses + trust.warnings
    }

    /// Whole lines for standard error. Where pins end soon, a document for continuous integration says so itself.
    var warnings: [String] {
        remarks.map { Message.warning($0) } + (format.document == nil ? expiryWarnings() : [])
    }

    /// Whether there is no host but a file.
    var isSaved: Bool { if case .saved = source { true } else { false } }

    /// Whether more hosts than one may come.
    var hasSeveral: Bool {
        if case .hosts(_, let targets, _) = source, targets.isList { return true }
        return checks.count > 1
    }

    /// What is to be verified of a target.
    ///
    /// - Parameter index: its place among all.
    func check(_ target: Target, at index: Int) -> Verification.Check {
        Self.check(target, at: index, in: pins.set, serverName: serverName)
    }

    static func check(
        _ target: Target, at index: Int, in set: PinSet, serverName: ServerIdentity?
    ) -> Verification.Check {
        let identity = target.serverName ?? serverName ?? target.identity
        return Verification.Check(
            index: index, target: target, identity: identity, entry: set.entry(for: identity.text))
    }

    /// Judges the chain of a file, as the one host's.
    func verification(ofSaved certificates: [Certificate], from file: String) throws(CommandError) -> Verification {
        guard let check = checks.first else { throw CommandError("there is no host to verify") }
        do throws(ChainError) {
            let chain = try Chain(
                validating: certificates, by: trust.source(for: check), for: check.identity, at: time
            )
            return Verification(check, of: chain, presentation: nil, by: self)
        } catch {
            throw CommandError("cannot judge the chain in \(file): \(error)")
        }
    }

    private static func targets(
        _ values: Values, _ pins: PinSetFile, _ console: Console
    ) throws(CommandError) -> TargetSource {
        let targets = try TargetSource(values, console)
        let ofSet = pins.set.entries.map(Target.init(of:))
        if let chain = values[VerifyCommand.chain] {
            let hosts = targets.isEmpty ? TargetSource(ofSet) : targets
            guard hosts.bound == 1 else {
                let number = hosts.bound.map { "\($0)" } ?? "many"
                let count = targets.isEmpty ? "\(pins.name) has \(number) hosts" : "\(number) were given"
                throw CommandError(
                    "\"--chain \(chain)\" is the chain of one host, and \(count)",
                    hint: "give the HOST that the chain is for"
                )
            }
            return hosts
        }
        guard targets.isEmpty else { return targets }
        guard !ofSet.isEmpty else { throw CommandError("\(pins.name) has no hosts to verify") }
        guard !values.contains(ConnectionFlags.serverName) || ofSet.count == 1 else {
            throw CommandError(
                "\"--servername\" needs a HOST: without one, every host of \(pins.name) would be checked for one name"
            )
        }
        return targets.with(ofSet)
    }

    private static func source(
        _ values: Values, _ targets: TargetSource, _ console: Console
    ) throws(CommandError) -> Source {
        if let path = values[VerifyCommand.chain] {
            let certificates = try CertificateFile.certificates(at: path, each: "certificate", console)
            return .saved(certificates, file: InputFile.name(of: path))
        }
        let options = try ConnectionFlags.options(in: values)
        return .hosts(options, targets, try LoadFlags.load(in: values, hosts: targets.bound))
    }

    private static func format(_ values: Values) throws(CommandError) -> CheckFormat {
        guard let path = values[TargetFlags.resume] else { return values[CheckFormat.option] }
        let format = values[CheckFormat.option]
        guard !values.contains(CheckFormat.option) || format == .ndjson else {
            throw CommandError(
                "\"--resume \(path)\" is written as ndjson, and not as \"\(format.rawValue)\"",
                hint: "leave --format out"
            )
        }
        return .ndjson
    }

    private func expiryWarnings() -> [String] {
        var warned: Set<String> = []
        return entries.compactMap { $0 }.compactMap { entry in
            guard let warning = expiryWarning(on: entry), warned.insert(entry.name).inserted else { return nil }
            return Message.warning(warning.message, hint: warning.hint)
        }
    }

    /// What is to be said of pins that end soon.
    func expiryWarning(on entry: PinSet.Entry) -> (message: String, hint: String)? {
        guard let expires = entry.expires, !entry.isExpired(at: now) else { return nil }
        guard now.days(until: expires) <= CheckRun.daysOfWarning else { return nil }
        return (
            "the pins of \(entry.host.quoted) expire on \(expires.date), \(now.left(until: expires))",
            "give them a later \"expires\" at \(pins.place(of: entry)), once you know that they still hold"
        )
    }
}
