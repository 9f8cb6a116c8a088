internal import Arguments
internal import CommandSupport
internal import Encodings
internal import Fetching
internal import PinSetCodec
internal import PinSetFormats
internal import PinSetMaintenance
internal import Pinning

/// The validated input of `refresh`. Its initializer reports every usage error before the first connection.
struct RefreshPlan {
    enum Mode {
        case report, check, write
    }

    /// An entry of the set, and the hosts that pinctl contacts for it.
    struct Subject {
        /// The index of the entry in the set.
        let index: Int
        let entry: PinSet.Entry
        /// Indices in ``RefreshPlan/checks``.
        var checks: [Int]
    }

    let mode: Mode
    let path: String
    /// The contents of the file at ``path``.
    let bytes: [UInt8]
    let pins: PinSetFile
    let platforms: SetPlatforms
    private(set) var rules: RefreshRules
    /// The hosts of `--accept-new`.
    private let accepted: Set<String>
    let checks: [TargetCheck]
    let subjects: [Subject]
    let trust: PinSetTrust
    let options: ConnectionOptions
    let load: LoadLimits
    /// Validation time; nil for now.
    let time: Timestamp?
    let format: CheckFormat
    /// The file for the summary of a pull request; nil if none is wanted.
    let markdown: OutputFile?
    /// The file of the report for people; nil without `--html`.
    let html: HTMLFile?
    /// The given hosts and the options that decide about the changes, to repeat them in a hint.
    let connecting: [String]
    /// Whether the contacted addresses are all servers of the hosts (`--assume-complete`).
    let assumesComplete: Bool
    /// Why this run or an earlier one had a wrong clock; nil if no date in the set shows it.
    private(set) var clockGap: RefreshGap?
    /// Warnings as sentences.
    let warnings: [String]

    init(_ values: Values, _ console: Console) throws(CommandError) {
        mode = values[RefreshCommand.write] ? .write : values[RefreshCommand.check] ? .check : .report
        path = values[RefreshCommand.pins]
        let files =
            [("--pins", [path]), ("--anchors", values[TrustFlags.anchors])] + BackupFlags.files(in: values)
            + ConnectionFlags.files(in: values)
        try StandardInput.checkReadOnce(files)
        html = try HTMLFile.file(in: values)
        bytes = try InputFile.bytes(at: path, console)
        pins = try PinSetFile(
            bytes, path: path, with: ConversionInputs(host: TargetFlags.onlyHost(in: values)),
            steps: [.host: TargetFlags.stepForHost])
        if mode == .write { try Self.checkWritable(path, bytes) }
        time = values[TrustFlags.time]
        if mode == .write, time != nil {
            throw CommandError(
                "\"--write\" cannot be used with \"--at\": the file would get the dates of another time, and pins would be learned"
                    + " from chains that are not valid now",
                hint: "use --at without --write for a report, or --retain DAYS for another retention period")
        }
        var manifestWarnings: [String] = []
        platforms = try SetPlatforms(of: pins) { manifestWarnings.append($0) }
        assumesComplete = values[RefreshCommand.assumeComplete]
        format = values[CheckFormat.option]
        markdown = try Self.markdown(values)
        let set = pins.set
        let targets = try Self.targets(values, pins)
        let serverName = values[ConnectionFlags.serverName]
        var checks: [TargetCheck] = []
        var subjects: [Subject] = []
        var known: [String: Int] = [:]
        let indices = Dictionary(
            set.entries.enumerated().map { ($1.name, $0) }, uniquingKeysWith: { first, _ in first })
        for (index, target) in targets.enumerated() {
            let identity = target.serverName ?? serverName ?? target.identity
            guard let entry = set.entry(for: identity.text), let entryIndex = indices[entry.name] else {
                throw CommandError(
                    "\(pins.name) has no entry that covers \(identity.text.quoted)",
                    hint: UncoveredHostHints(set).hint(for: identity.text)
                )
            }
            checks.append(TargetCheck(index: index, target: target, identity: identity, entry: entry))
            if let known = known[entry.name] {
                subjects[known].checks.append(index)
            } else {
                known[entry.name] = subjects.count
                subjects.append(Subject(index: entryIndex, entry: entry, checks: [index]))
            }
        }
        self.checks = checks
        self.subjects = subjects
        let now = time ?? .now
        let backups = try BackupFlags.keys(in: values, at: now, console)
        guard backups.isEmpty || subjects.count == 1 || !values[TargetFlags.hosts].isEmpty else {
            throw CommandError(
                "\(pins.name) has \(subjects.count) hosts: a backup key needs the HOST that it is for",
                hint: "add the HOST or hosts of the key"
            )
        }
        rules = RefreshRules(
            now: now, retainedDays: values[RefreshCommand.retain], backups: backups
        )
        rules.active = Self.activePins(of: set)
        clockGap = time == nil ? Self.clockGap(in: pins.set, of: pins, at: now) : nil
        accepted = try Self.accepted(values, checks, pins)
        trust = try PinSetTrust(values, pins, for: checks.map(\.entry), serverName: serverName, console)
        var options = try ConnectionFlags.options(in: values, console, keyTypes: .all)
        options.asksEveryAddress = true
        // A backup must not be in use by clients that build another path. Another path has the same leaf.
        options.findsAllPaths =
            !backups.isEmpty
            || subjects.contains { $0.entry.pins.contains { $0.state == .backup && $0.role != .leaf } }
        self.options = options
        load = try LoadFlags.load(in: values, hosts: checks.count, asksEveryAddress: true)
        let proxies: [Proxy.Kind?] = checks.compactMap { check in
            guard case .name = check.target.host else { return nil }
            return .some(options.proxies?.proxy(for: check.target)?.kind)
        }
        var warnings =
            pins.warnings + manifestWarnings + trust.warnings + HiddenAddresses.warnings(options, proxies: proxies)
        let hasAnchors = checks.contains { $0.entry?.anchors.isEmpty == false }
        if !accepted.isEmpty, hasAnchors, values.contains(TrustFlags.anchors) {
            warnings.append(
                "--anchors replaces the \"anchors\" of the set: verify trusts the learned chain only if the set's anchors include"
                    + " the new CA")
        }
        self.warnings = warnings
        connecting = Self.connecting(values)
        try OutputFile.checkConflicts()
    }

    /// The settings of the run and of the searches of further chains and addresses.
    var settings: RunSettings { RunSettings(options, trust: trust.policy, at: time, load: load) }

    private static func connecting(_ values: Values) -> [String] {
        var words = TrustFlags.words(in: values) + ConnectionFlags.words(in: values)
        if let type = values[ConnectionFlags.keyType] { words += ["--key-type", type.rawValue] }
        if values[RefreshCommand.assumeComplete] { words.append("--assume-complete") }
        if values.contains(RefreshCommand.retain) { words += ["--retain", "\(values[RefreshCommand.retain])"] }
        for name in values[RefreshCommand.acceptNew] { words += ["--accept-new", name] }
        words += BackupFlags.words(in: values)
        let targets = (try? TargetFlags.targets(of: values[TargetFlags.hosts], in: values)) ?? []
        if targets.isEmpty, let scheme = values[ConnectionFlags.startTLS] { words += ["--starttls", scheme.rawValue] }
        return words + targets.map(\.description)
    }

    /// Why pinctl did not contact all addresses of an entry's host; nil if it contacted all of them.
    ///
    /// The entry applies to every address and every port of its host. A pin that no contacted address uses may be in use at
    /// another address or port.
    ///
    /// - Parameters:
    ///   - entry: The entry in the version of the set that the run changes.
    ///   - skipped: The addresses to which this machine has no route.
    func gap(of entry: PinSet.Entry, in subject: Subject, skipped: [AddressHandshake]) -> RefreshGap? {
        guard !assumesComplete, let reason = reasonForGap(of: entry, in: subject, skipped: skipped) else { return nil }
        return RefreshGap(
            reason: reason, hint: "use --assume-complete if the contacted addresses are all servers of the host")
    }

    /// Why a pin that was not seen may be in a chain that pinctl did not request; nil if it requested all.
    ///
    /// - Parameter entry: the entry in the version of the set that the run changes.
    func selectionGap(of entry: PinSet.Entry) -> RefreshGap? {
        if let name = options.serverName?.text, name != entry.name {
            return RefreshGap(
                reason: "--servername \(name) requests the chains of that name, and not those of \(entry.host)",
                hint: "run refresh without --servername")
        }
        if options.keyTypes != .all {
            return RefreshGap(
                reason:
                    "--key-type \(options.keyTypes.rawValue) leaves out the server's chains with other types of keys",
                hint: "run refresh without --key-type")
        }
        // A server may have another chain for old clients. Without these options, pinctl offers TLS 1.2 and 1.3.
        let narrowed = [
            ("--tls-min", options.minimumVersion.flatMap { $0 > .tls12 ? $0 : nil }),
            ("--tls-max", options.maximumVersion.flatMap { $0 < .tls13 ? $0 : nil }),
        ]
        for (name, version) in narrowed {
            guard let version else { continue }
            return RefreshGap(
                reason: "\(name) \(version.rawValue) leaves out the server's chain for other versions of TLS",
                hint: "run refresh without \(name)")
        }
        return nil
    }

    /// A refresh writes no date that is later than its day. One day more is allowed, because people write local dates.
    ///
    /// - Parameters:
    ///   - set: the contents of the file, which can be newer than those that the run read first.
    private static func clockGap(in set: PinSet, of pins: PinSetFile, at now: Timestamp) -> RefreshGap? {
        var latest: (date: Timestamp, key: PinSet.PinnedKey)?
        for key in set.entries.lazy.flatMap(\.pins) {
            guard let date = [key.added, key.goneSince].compactMap(\.self).max() else { continue }
            if latest.map({ date > $0.date }) ?? true { latest = (date, key) }
        }
        guard let latest, now.days(until: latest.date) >= 1 else { return nil }
        let line = latest.key.position.map { ":\($0.line)" } ?? ""
        return RefreshGap(
            reason: "the set has a date in the future: \(latest.date.date)",
            hint: "check the clock of this machine; if it is correct, correct the date at \(pins.path)\(line)",
            hidden: .nothing)
    }

    /// Returns this plan for a newer version of the set, with its dates and its active pins.
    func checking(_ set: PinSet) -> RefreshPlan {
        var plan = self
        plan.rules.active = Self.activePins(of: set)
        if time == nil { plan.clockGap = Self.clockGap(in: set, of: pins, at: rules.now) }
        return plan
    }

    private static func activePins(of set: PinSet) -> Set<Pin> {
        Set(set.entries.lazy.flatMap(\.pins).filter { $0.state == .active }.map(\.pin))
    }

    private func reasonForGap(of entry: PinSet.Entry, in subject: Subject, skipped: [AddressHandshake]) -> String? {
        if options.connectTo != nil { return "--connect-to contacts another address than the host's" }
        switch options.family {
        case .ipv4: return "-4 leaves out the IPv6 addresses"
        case .ipv6: return "-6 leaves out the IPv4 addresses"
        case .any: break
        }
        let contacted = Set(subject.checks.map { checks[$0].target })
        // Clients use port 443 of a host without endpoints, also if --starttls selects another port for this run.
        let usual = Target.all(of: entry, scheme: .https)
        if let missing = usual.first(where: { !contacted.contains($0) }) { return "\(missing) was not contacted" }
        for target in usual {
            if let proxy = options.proxies?.proxy(for: target), proxy.kind.resolvesNames {
                return "the proxy \(proxy) selects the address of \(target), and others may exist"
            }
        }
        return skipped.first.map { "\($0.name) was not contacted" }
    }

    /// Returns this plan with the pins that all hosts serve. A key that one host uses cannot be a backup for another host.
    func addingServedPins(of observed: [RefreshObservation]) -> RefreshPlan {
        var plan = self
        let addresses = observed.flatMap(\.addresses)
        let chains =
            addresses.compactMap(\.chain) + addresses.flatMap { $0.otherChains?.results.map(\.chain) ?? [] }
            + observed.flatMap { $0.otherClientChains.map(\.chain) }
        plan.rules.served = Set(chains.flatMap(\.keys))
        return plan
    }

    /// Maximum number of targets in the name of an entry, which each finding repeats.
    private static let maximumNames = 4

    /// The display name of an entry: its host. If the targets differ from that host at the default port, the first targets.
    func name(of subject: Subject) -> String {
        let targets = subject.checks.map { checks[$0].target }
        let isPlain = targets.count == 1 && targets.first.map { $0 == Target(of: subject.entry) } ?? false
        guard !isPlain else { return subject.entry.host }
        let names = targets.prefix(Self.maximumNames).map(\.description).joined(separator: ", ")
        let rest = targets.count - Self.maximumNames
        return rest > 0 ? "\(names) and \(rest) more" : names
    }

    private static func targets(_ values: Values, _ pins: PinSetFile) throws(CommandError) -> [Target] {
        let ranges = try TargetFlags.ranges(of: values[TargetFlags.hosts], in: values)
        let targets = try TargetFlags.targets(of: TargetFlags.ranges(of: ranges, in: pins.set, values), in: values)
        if !targets.isEmpty { return targets }
        guard !pins.set.entries.isEmpty else { throw CommandError("\(pins.name) has no hosts to refresh") }
        guard !values.contains(ConnectionFlags.serverName) || pins.set.entries.count == 1 else {
            throw CommandError(
                "\"--servername\" needs a HOST: otherwise all hosts of \(pins.name) would be asked for one name"
            )
        }
        let scheme = TargetFlags.bareScheme(in: values)
        return Target.all(of: pins.set, scheme: scheme)
    }

    /// Whether pinctl learns a host's chain even if no pin matches (`--accept-new`).
    func accepts(_ target: Target) -> Bool { accepted.contains(identity(of: target).text) }

    /// The server name that a target's certificate must match.
    func identity(of target: Target) -> ServerIdentity { target.serverName ?? options.serverName ?? target.identity }

    private static func accepted(
        _ values: Values, _ checks: [TargetCheck], _ pins: PinSetFile
    ) throws(CommandError) -> Set<String> {
        let names = values[RefreshCommand.acceptNew]
        for name in names where !checks.contains(where: { $0.identity.text == name }) {
            let isInSet = pins.set.entry(for: name) != nil
            throw CommandError(
                "\"--accept-new \(name)\" is not \(isInSet ? "one of the refreshed hosts" : "in \(pins.name)")",
                hint: isInSet ? "add it as a HOST" : UncoveredHostHints(pins.set).hint(for: name)
            )
        }
        return Set(names)
    }

    private static func markdown(_ values: Values) throws(CommandError) -> OutputFile? {
        guard let path = values[RefreshCommand.markdown] else { return nil }
        guard path != "-" else {
            throw CommandError("\"--markdown -\": the summary needs a file", hint: "use a file name such as summary.md")
        }
        return try OutputFile(path)
    }

    private static func checkWritable(_ path: String, _ bytes: [UInt8]) throws(CommandError) {
        guard path != "-" else {
            throw CommandError("\"--write\" needs a file: \"--pins -\" is standard input")
        }
        guard let format = try? PinSetFormat.recognized(in: bytes), format != .pins else {
            return try FileEditor.check(path)
        }
        throw CommandError(
            "\"--write\" needs a pins.json: \(path.quoted) has the format \(format.rawValue.quoted)",
            hint:
                "convert the set with pinctl convert --to pins, refresh pins.json, and update this file with pinctl sync"
        )
    }
}
