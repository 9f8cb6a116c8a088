internal import Arguments
internal import CheckReports
internal import CommandSupport
internal import Encodings
internal import Fetching
internal import PinSetCodec
internal import Pinning

/// The validated input of `verify`. Its initializer reports every usage error before the first connection.
struct VerifyPlan {
    /// The source of the chains.
    enum Source {
        case hosts(ConnectionOptions, TargetSource, LoadLimits)
        /// The certificates of a file, and its name in messages.
        case saved([Certificate], file: String)
    }

    let pins: PinSetFile
    /// The checks that are known in advance; hosts of a list are not.
    let checks: [TargetCheck]
    let source: Source
    let serverName: ServerIdentity?
    let trust: PinSetTrust
    /// Validation time; nil for now.
    let time: Timestamp?
    /// The validation time, or the start time of the run if no validation time is given.
    let now: Timestamp
    let format: CheckFormat
    /// The file of the report for people; nil without `--html`.
    let html: HTMLFile?
    let uncoveredHostHints: UncoveredHostHints
    /// The configurations of the platforms of `--as`.
    let platforms: [PlatformConfiguration]
    /// Whether `--as`, the format of the set or a manifest names the platforms.
    let namesPlatforms: Bool
    /// The entries that the run may need. The element nil means hosts that no entry covers.
    private let entries: [PinSet.Entry?]
    /// Whether a result names its address even if the host has only one.
    let namesSingleAddresses: Bool
    /// Whole lines about the manifest that names the platforms.
    private let manifestNotes: [String]
    /// Warnings about the set and the trust anchors.
    private let remarks: [String]
    /// The options for connections and trust, to repeat them in a hint.
    private let connecting: [String]

    init(_ values: Values, _ console: Console) throws(CommandError) {
        let files: [(option: String?, paths: [String?])] = [
            ("--pins", [values[VerifyCommand.pins]]), ("--chain", [values[VerifyCommand.chain]]),
            ("--from", values[TargetFlags.from]), ("--anchors", values[TrustFlags.anchors]),
            ("--certificates", values[VerifyCommand.certificates]),
        ]
        try StandardInput.checkReadOnce(files + ConnectionFlags.files(in: values))
        pins = try PinSetFile.read(
            values[VerifyCommand.pins], with: Self.inputs(values, console),
            steps: [.host: TargetFlags.stepForHost, .certificates: "use --certificates FILE|DIR"], console)
        uncoveredHostHints = UncoveredHostHints(pins.set)
        time = values[TrustFlags.time]
        now = time ?? .now
        format = try Self.format(values)
        html = try HTMLFile.file(in: values)
        var manifestNotes: [String] = []
        platforms = try Self.platforms(values, pins, format) { manifestNotes.append($0) }
        self.manifestNotes = manifestNotes
        namesPlatforms = values.contains(VerifyCommand.platforms) || !platforms.isEmpty
        serverName = values[ConnectionFlags.serverName]
        namesSingleAddresses = values[VerifyCommand.allAddresses]
        let targets = try Self.targets(values, pins, console)
        source = try Self.source(values, targets, console)
        let set = pins.set
        let name = serverName
        checks =
            targets.isList
            ? []
            : targets.given.enumerated().map { index, range in
                Self.check(range.first, at: index, in: set, serverName: name)
            }
        // Which entries a list needs is unknown until the list has been read.
        entries = targets.isList ? set.entries + [nil] : checks.map(\.entry)
        trust = try PinSetTrust(values, pins, for: entries, serverName: serverName, console)
        // The set names its anchors, which are no options.
        try OutputFile.checkConflicts()
        remarks = pins.warnings + trust.warnings + Self.addressWarnings(source, targets)
        connecting = TrustFlags.words(in: values) + ConnectionFlags.words(in: values)
    }

    /// Whole lines for standard error. Pins that expire soon are findings in CI documents, so the warning is left out there.
    var warnings: [String] {
        remarks.map { Message.warning($0) } + manifestNotes + (format.document == nil ? expiryWarnings() : [])
    }

    /// The platforms of `--as`, otherwise those whose file the set is, or those of the manifest that names it.
    ///
    /// - Parameter report: Receives whole lines for standard error.
    private static func platforms(
        _ values: Values, _ pins: PinSetFile, _ format: CheckFormat, report: (String) -> Void
    ) throws(CommandError) -> [PlatformConfiguration] {
        guard !values.contains(VerifyCommand.platforms) else {
            var configurations: [PlatformConfiguration] = []
            for platform in PlatformChoice.platforms(of: values[VerifyCommand.platforms].flatMap { $0 }) {
                configurations.append(try pins.configuration(of: platform))
            }
            return configurations
        }
        // The set that is read from a platform's own file does not show what this platform never matches or rejects.
        guard pins.format.traits.isNative else { return [pins.ownConfiguration].compactMap(\.self) }
        guard let manifest = ManifestPlatforms(of: pins.path, warn: { report(Message.warning($0)) }),
            !manifest.members.isEmpty
        else { return [] }
        let names = manifest.members.map(\.platform.rawValue)
        if format == .text {
            report(
                Message.note(
                    "the verdicts of \(names.joined(conjunction: "and")) follow, because \(manifest.path.quoted) has copies for"
                        + " \(names.count == 1 ? "it" : "them")"))
        }
        return manifest.members.map { $0.platform.configuration(of: pins.set.filtered($0.covers)) }
    }

    /// Whether the chain comes from a file.
    var isSaved: Bool { if case .saved = source { true } else { false } }

    /// Whether the run may have more than one host.
    var hasSeveral: Bool {
        if case .hosts(_, let targets, _) = source, targets.isList { return true }
        return checks.count > 1
    }

    /// The next step if the pins should include those of a chain that does not match. A person must check the chain first.
    func update(afterMismatch check: TargetCheck) -> String {
        guard pins.namesAnchors, pins.path != "-" else { return "add a seen pin to the pin set" }
        guard !isSaved else { return "add a seen pin to \(pins.name)" }
        let words = ["pinctl", "refresh", "--pins", pins.path, "--accept-new", check.identity.text, "--write"]
        return "run \(ShellCommand.line(words + connecting, operands: [check.target.description]))"
    }

    /// The check of a target.
    ///
    /// - Parameter index: The target's index in the input.
    func check(_ target: Target, at index: Int) -> TargetCheck {
        Self.check(target, at: index, in: pins.set, serverName: serverName)
    }

    static func check(
        _ target: Target, at index: Int, in set: PinSet, serverName: ServerIdentity?
    ) -> TargetCheck {
        let identity = target.serverName ?? serverName ?? target.identity
        return TargetCheck(
            index: index, target: target, identity: identity, entry: set.entry(for: identity.text))
    }

    /// Verifies the chain of a file for the only host.
    func verification(ofSaved certificates: [Certificate], from file: String) throws(CommandError) -> Verification {
        guard let check = checks.first else { throw CommandError("no host to verify") }
        do throws(CertificateChainError) {
            let chain = try CertificateChain(
                validating: certificates, by: trust.source(for: check.entry), for: check.identity, at: time
            )
            return Verification(check, of: chain, presentation: nil, by: self)
        } catch {
            throw CommandError("cannot validate the chain in \(file): \(error)")
        }
    }

    /// The additional inputs that some formats need: the certificates of fingerprints, and the host of a header or a string.
    private static func inputs(_ values: Values, _ console: Console) throws(CommandError) -> ConversionInputs {
        var inputs = ConversionInputs()
        for path in values[VerifyCommand.certificates] {
            inputs.certificates += try AnchorFiles.certificates(at: path, console)
        }
        inputs.host = TargetFlags.onlyHost(in: values)
        return inputs
    }

    private static func targets(
        _ values: Values, _ pins: PinSetFile, _ console: Console
    ) throws(CommandError) -> TargetSource {
        let targets = try TargetSource(values, of: .verify, console)
        let scheme = TargetFlags.bareScheme(in: values)
        let ofSet = Target.all(of: pins.set, scheme: scheme)
        if let chain = values[VerifyCommand.chain] {
            let ofHosts = pins.set.entries.map { Target(of: $0) }
            let hosts = targets.isEmpty ? TargetSource(ofHosts) : targets
            guard hosts.bound == 1 else {
                let number = hosts.bound.map { "\($0)" } ?? "many"
                let count = targets.isEmpty ? "\(pins.name) has \(number)" : "\(number) were given"
                throw CommandError(
                    "\"--chain \(chain)\" is the chain of one host: \(count)",
                    hint: "add the HOST that the chain is for"
                )
            }
            return hosts
        }
        guard targets.isEmpty else {
            return targets.with(TargetFlags.ranges(of: targets.given, in: pins.set, values))
        }
        guard !ofSet.isEmpty else { throw CommandError("\(pins.name) has no hosts to verify") }
        guard !values.contains(ConnectionFlags.serverName) || ofSet.count == 1 else {
            throw CommandError(
                "\"--servername\" needs a HOST: otherwise all hosts of \(pins.name) would be checked for one name"
            )
        }
        return targets.with(ofSet.map { TargetRange($0) })
    }

    private static func source(
        _ values: Values, _ targets: TargetSource, _ console: Console
    ) throws(CommandError) -> Source {
        if let path = values[VerifyCommand.chain] {
            let certificates = try CertificateFile.certificates(at: path, each: "certificate", console)
            return .saved(certificates, file: InputFile.name(of: path))
        }
        var options = try ConnectionFlags.options(in: values, console)
        options.asksEveryAddress = !values[TargetFlags.firstAddress]
        return .hosts(
            options, targets,
            try LoadFlags.load(in: values, hosts: targets.bound, asksEveryAddress: options.asksEveryAddress))
    }

    /// A warning if this machine hides addresses that the run should verify. Applications on other machines use them.
    private static func addressWarnings(_ source: Source, _ targets: TargetSource) -> [String] {
        guard case .hosts(let options, _, _) = source else { return [] }
        // The hosts of a list are not known yet.
        let proxies: [Proxy.Kind?] =
            (targets.isList ? options.proxies.map { $0.proxies.map(\.kind) } ?? [nil] : [])
            + targets.given.compactMap { range in
                guard case .name = range.first.host else { return nil }
                return .some(options.proxies?.proxy(for: range.first)?.kind)
            }
        return HiddenAddresses.warnings(options, proxies: proxies)
    }

    private static func format(_ values: Values) throws(CommandError) -> CheckFormat {
        guard let path = values[TargetFlags.resume] else { return values[CheckFormat.option] }
        let format = values[CheckFormat.option]
        guard !values.contains(CheckFormat.option) || format == .ndjson else {
            throw CommandError(
                "\"--resume \(path)\" is written as ndjson: \"--format \(format.rawValue)\" is not possible",
                hint: "omit --format"
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

    /// A warning if the leaf of a trusted chain expires soon.
    func expiryWarning(on chain: CertificateChain) -> String? {
        guard chain.isTrusted, let leaf = chain.entries.first?.certificate, let end = leaf.notAfter,
            now.days(until: end) < CheckRun.expiryWarningDays
        else { return nil }
        return "the server's certificate expires on \(end.date), \(now.left(until: end))"
    }

    /// A warning and a hint if the pins of an entry expire soon.
    func expiryWarning(on entry: PinSet.Entry) -> (message: String, hint: String)? {
        guard let expires = entry.expires, !entry.isExpired(at: now) else { return nil }
        guard now.days(until: expires) < CheckRun.expiryWarningDays else { return nil }
        return (
            "the pins of \(entry.host.quoted) expire on \(expires.date), \(now.left(until: expires))",
            "set a later \"expires\" at \(pins.location(of: entry)) after checking that the pins still match"
        )
    }
}
