internal import Arguments
internal import Fetching
internal import Pinning

/// A `refresh` that can be carried out: whatever can be refused has been, before a packet leaves.
struct RefreshPlan {
    enum Mode {
        case report, check, write
    }

    /// An entry of the set, and the hosts that are asked for it.
    struct Subject {
        /// In the set.
        let index: Int
        let entry: PinSet.Entry
        /// Places in ``RefreshPlan/checks``.
        var checks: [Int]
    }

    let mode: Mode
    let path: String
    let pins: PinSetFile
    private(set) var rules: RefreshRules
    /// Hosts whose new keys a person vouches for.
    private let accepted: Set<String>
    let checks: [Verification.Check]
    let subjects: [Subject]
    let trust: VerifyTrust
    let options: ConnectionOptions
    let load: LoadLimits
    /// The moment to validate at; nil for now.
    let time: Timestamp?
    let format: CheckFormat
    /// Hosts and options as they were given that decide who is asked and trusted, to be given again.
    let connecting: String
    /// Sentences.
    let warnings: [String]

    init(_ values: Values, _ console: Console) throws(CommandError) {
        mode = values[RefreshCommand.write] ? .write : values[RefreshCommand.check] ? .check : .report
        path = values[RefreshCommand.pins]
        try StandardInput.checkReadOnce(
            [("--pins", [path]), ("--anchors", values[TrustFlags.anchors])] + BackupFlags.files(in: values))
        let bytes = try InputFile.bytes(at: path, console)
        pins = try PinSetFile(bytes, path: path)
        if mode == .write { try Self.checkWritable(path, bytes) }
        time = values[TrustFlags.time]
        format = values[CheckFormat.option]
        let set = pins.set
        let targets = try Self.targets(values, pins)
        let serverName = values[ConnectionFlags.serverName]
        var checks: [Verification.Check] = []
        var subjects: [Subject] = []
        var known: [String: Int] = [:]
        let indices = Dictionary(
            set.entries.enumerated().map { ($1.name, $0) }, uniquingKeysWith: { first, _ in first })
        for (index, target) in targets.enumerated() {
            let identity = target.serverName ?? serverName ?? target.identity
            guard let entry = set.entry(for: identity.text), let place = indices[entry.name] else {
                throw CommandError(
                    "\(pins.name) has no entry that covers \(identity.text.quoted)",
                    hint: set.hint(forUncovered: identity.text)
                )
            }
            checks.append(Verification.Check(index: index, target: target, identity: identity, entry: entry))
            if let known = known[entry.name] {
                subjects[known].checks.append(index)
            } else {
                known[entry.name] = subjects.count
                subjects.append(Subject(index: place, entry: entry, checks: [index]))
            }
        }
        self.checks = checks
        self.subjects = subjects
        let now = time ?? .now
        let backups = try BackupFlags.keys(in: values, at: now, console)
        guard backups.isEmpty || subjects.count == 1 || !values[TargetFlags.hosts].isEmpty else {
            throw CommandError(
                "\(pins.name) has \(subjects.count) hosts, and a backup key is for some of them",
                hint: "name the HOST, or the hosts, that the key is for"
            )
        }
        rules = RefreshRules(
            now: now, retainedDays: values[RefreshCommand.retain], backups: backups
        )
        accepted = try Self.accepted(values, checks, pins)
        trust = try VerifyTrust(values, pins, for: checks.map(\.entry), console)
        var options = try ConnectionFlags.options(in: values)
        options.asksEveryAddress = true
        self.options = options
        load = try LoadFlags.load(in: values, hosts: checks.count)
        var warnings = pins.losses + trust.warnings
        let hasAnchors = checks.contains { $0.entry?.anchors.isEmpty == false }
        if !accepted.isEmpty, hasAnchors, values.contains(TrustFlags.anchors) {
            warnings.append(
                "--anchors stand in for the \"anchors\" that the set names: verify will trust what is learnt if the new authority is"
                    + " among those, too")
        }
        self.warnings = warnings
        connecting = Self.connecting(values)
    }

    private static func connecting(_ values: Values) -> String {
        var words = values[TrustFlags.anchors].flatMap { ["--anchors", $0] }
        if values[TrustFlags.systemAnchors] { words.append("--system-anchors") }
        if let endpoint = values[ConnectionFlags.connectTo] { words += ["--connect-to", endpoint.text] }
        if let name = values[ConnectionFlags.serverName] { words += ["--servername", name.text] }
        words += ((try? TargetFlags.targets(of: values[TargetFlags.hosts])) ?? []).map(\.description)
        return words.map { " \($0)" }.joined()
    }

    /// The same, knowing what all hosts serve: a key that one of them uses is no backup for another.
    func knowing(_ observed: [RefreshObservation]) -> RefreshPlan {
        var plan = self
        let chains = observed.flatMap(\.addresses).compactMap(\.chain)
        plan.rules.served = Set(chains.flatMap { $0.pins.map(\.pin) + $0.unused.map(\.pin) })
        return plan
    }

    /// The host of an entry as reports call it, with the ports that are not the usual one.
    func name(of subject: Subject) -> String {
        let targets = subject.checks.map { checks[$0].target }
        let isPlain = targets.count == 1 && targets.first.map { $0 == Target(of: subject.entry) } ?? false
        return isPlain ? subject.entry.host : targets.map(\.description).joined(separator: ", ")
    }

    private static func targets(_ values: Values, _ pins: PinSetFile) throws(CommandError) -> [Target] {
        let targets = try TargetFlags.targets(of: values[TargetFlags.hosts])
        if !targets.isEmpty { return targets }
        guard !pins.set.entries.isEmpty else { throw CommandError("\(pins.name) has no hosts to refresh") }
        guard !values.contains(ConnectionFlags.serverName) || pins.set.entries.count == 1 else {
            throw CommandError(
                "\"--servername\" needs a HOST: without one, every host of \(pins.name) would be asked for one name"
            )
        }
        return pins.set.entries.map(Target.init(of:))
    }

    /// Whether the keys of a host are to be learnt though no pin matches them.
    func accepts(_ target: Target) -> Bool { accepted.contains(identity(of: target).text) }

    /// Whom a target's certificate must be for.
    func identity(of target: Target) -> ServerIdentity { target.serverName ?? options.serverName ?? target.identity }

    private static func accepted(
        _ values: Values, _ checks: [Verification.Check], _ pins: PinSetFile
    ) throws(CommandError) -> Set<String> {
        let names = values[RefreshCommand.acceptNew]
        for name in names where !checks.contains(where: { $0.identity.text == name }) {
            let isInSet = pins.set.entry(for: name) != nil
            throw CommandError(
                "\"--accept-new \(name)\" names a host that is not \(isInSet ? "refreshed" : "in \(pins.name)")",
                hint: isInSet ? "give it as a HOST too" : pins.set.hint(forUncovered: name)
            )
        }
        return Set(names)
    }

    private static func checkWritable(_ path: String, _ bytes: [UInt8]) throws(CommandError) {
        guard path != "-" else {
            throw CommandError("\"--write\" changes a file, and \"--pins -\" is standard input")
        }
        guard let format = try? PinSetFormat.recognized(in: bytes), format != .pins else {
            return try OutputFile.checkReplacing(path)
        }
        throw CommandError(
            "\"--write\" changes a pins.json, and \(path.quoted) is in the format \(format.rawValue.quoted)",
            hint:
                "keep the set in pins.json (pinctl convert --to pins), refresh that, and bring this file in line with "
                + "pinctl sync"
        )
    }
}
