internal import Arguments
internal import CommandSupport
internal import Encodings
internal import Fetching
internal import FileConflicts
internal import Pinning

/// The validated options of `init`. All checks that need no server are made before pinctl contacts a host.
struct InitPlan {
    let targets: [Target]
    let identities: [ServerIdentity]
    let policy: InitPolicy
    let backups: [PinSet.PinnedKey]
    let output: OutputFile?
    let overwrites: Bool
    let options: ConnectionOptions
    let trust: TrustSource
    /// Paths of the trust anchors that the set names, relative to the set's folder.
    let anchors: [String]
    /// The paths of ``anchors`` as they were given.
    private let anchorFiles: [String]
    /// The options for connections, as words of a command line.
    private let connecting: [String]
    /// The options for trust, as words of a command line.
    private let trusting: [String]
    /// Whether the names of the set alone do not lead to the same servers: a target has a port, a protocol before TLS, or a server name.
    private let namesHosts: Bool
    let subdomains: PinSet.Subdomains
    /// The time at which the pins expire; nil if they do not.
    let expires: Timestamp?
    let load: LoadLimits
    /// Validation time; nil for the current time.
    let time: Timestamp?
    let warnings: [String]

    init(_ values: Values, _ console: Console) throws(CommandError) {
        try StandardInput.checkReadOnce(
            [("--anchors", values[TrustFlags.anchors])] + BackupFlags.files(in: values)
                + ConnectionFlags.files(in: values))
        targets = try TargetFlags.targets(of: values[InitCommand.hosts], in: values)
        time = values[TrustFlags.time]
        overwrites = values[InitCommand.overwrite]
        let hasNoBackup = values[InitCommand.noBackup]
        let chosen = values[InitCommand.policy]
        if let chosen, chosen.requiresBackup, hasNoBackup {
            throw CommandError(
                "\"--policy \(chosen.text)\" requires a backup, and \"--no-backup\" excludes it",
                hint: "use \"--policy \(chosen.textWithoutBackup)\", or name a backup key in place of \"--no-backup\"")
        }
        policy = chosen ?? .default
        backups = try BackupFlags.keys(in: values, at: time ?? .now, console)
        guard !backups.isEmpty || hasNoBackup else {
            // With a policy that requires a backup, --no-backup is an error.
            throw CommandError(
                "init needs a backup key",
                hint: policy.requiresBackup
                    ? "use --from-csr FILE (create one with pinctl keygen) or --backup-authority CA"
                    : "use --from-csr FILE (create one with pinctl keygen), --backup-authority CA, or --no-backup"
            )
        }
        if overwrites, [nil, "-"].contains(values[InitCommand.output]) {
            throw CommandError("\"--overwrite\" needs \"--output FILE\"")
        }
        output = try Self.output(values[InitCommand.output], overwrites: overwrites)
        let serverName = values[ConnectionFlags.serverName]
        guard serverName == nil || targets.count == 1 else {
            throw CommandError("\"--servername\" is for one host, and \(targets.count) hosts were given")
        }
        identities = targets.map { $0.serverName ?? serverName ?? $0.identity }
        var options = try ConnectionFlags.options(in: values, console, keyTypes: .all)
        options.asksEveryAddress = true
        // A backup must not be in use by clients that build another path, and each path needs a pin.
        options.findsAllPaths = true
        self.options = options
        var warnings: [String]
        (trust, warnings) = try TrustFlags.source(in: values, console)
        anchors = Self.anchors(in: values)
        anchorFiles = anchors.isEmpty ? [] : values[TrustFlags.anchors]
        if anchors.isEmpty, values.contains(TrustFlags.anchors) {
            warnings.append("the set does not name the trust anchors: verify and refresh need --anchors, too")
        }
        let proxies = targets.compactMap { options.proxies?.proxy(for: $0) }
        if let proxy = proxies.first(where: \.kind.resolvesNames) {
            warnings.append(
                "the proxy \(proxy) selects the address of each host: the set has no pins of a host's other addresses")
        }
        if let time {
            warnings.append(
                "the chains are validated for \(time.description): verify and refresh need valid chains now")
        }
        self.warnings = warnings
        subdomains = values[EntryFlags.subdomains] ?? .none
        expires = values[EntryFlags.expires]
        try EntryFlags.check(values, for: identities, at: time ?? .now)
        connecting = ConnectionFlags.words(in: values)
        trusting = TrustFlags.words(in: values)
        namesHosts = zip(targets, identities).contains { $0 != Target(named: $1.text) }
        load = try LoadFlags.load(in: values, hosts: targets.count, asksEveryAddress: true)
        try OutputFile.checkConflicts()
    }

    /// Reads the files that the set names as trust anchors again. With other certificates than when the run began, the set would not match
    /// its own hosts.
    func checkAnchors() throws(CommandError) {
        // A pipe, which a shell creates for `<(…)`, can be read only once.
        guard !anchorFiles.isEmpty, !anchorFiles.contains(where: OutputFile.isSpecial) else { return }
        var current: [TrustAnchor] = []
        for path in anchorFiles { current += try AnchorFiles.anchors(at: path) }
        guard TrustAnchors(anchors: current).anchors == trust.anchors?.anchors else {
            throw CommandError(
                "nothing was written: the files of \"--anchors\" changed during the run", hint: "run init again",
                status: .undecided)
        }
    }

    /// The settings of the run and of the searches of further chains and addresses.
    var settings: RunSettings { RunSettings(options, trust: TrustPolicy(trust), at: time, load: load) }

    /// The command line of `verify` for the written set that connects to the same servers.
    var verification: String { verification([], of: namesHosts ? targets : []) }

    /// The command line of `verify` for the chains of a target for all types of keys.
    func verification(ofAllChainsOf target: Target) -> String { verification(["--key-type", "all"], of: [target]) }

    private func verification(_ options: [String], of targets: [Target]) -> String {
        ShellCommand.line(
            ["pinctl", "verify", "--pins", ShellCommand.path(output?.path ?? "FILE")] + options
                + (anchors.isEmpty ? trusting : []) + connecting,
            operands: targets.map(\.description))
    }

    /// The command line of `fetch` for the valid paths of the chain of a target.
    func listing(ofPathsTo target: Target) -> String {
        ShellCommand.line(
            ["pinctl", "fetch", "--paths"] + trusting + connecting, operands: [target.description])
    }

    private static func output(_ path: String?, overwrites: Bool) throws(CommandError) -> OutputFile? {
        guard let path, path != "-" else { return nil }
        if !overwrites, try !NewFile.isFree(path) {
            throw CommandError(
                "the file \(path.quoted) exists",
                hint:
                    "use \(ShellCommand.line(["pinctl", "refresh", "--pins", ShellCommand.path(path), "--write"])) to update the set,"
                    + " or --overwrite to replace it"
            )
        }
        return try OutputFile(path)
    }

    /// The paths of the anchors that the set names. There are none for standard input, which has no path, and none with
    /// --system-anchors, which a set cannot express.
    private static func anchors(in values: Values) -> [String] {
        let paths = values[TrustFlags.anchors]
        guard !values[TrustFlags.systemAnchors], !paths.contains("-") else { return [] }
        let folder = values[InitCommand.output].map(FilePath.parent) ?? "."
        return paths.map { RelativePath.of($0, from: folder) }
    }
}
