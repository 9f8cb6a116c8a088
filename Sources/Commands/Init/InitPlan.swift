internal import Arguments
internal import Fetching
internal import Pinning

/// An `init` that can be carried out: whatever can be refused has been, before a packet leaves.
struct InitPlan {
    let targets: [Target]
    let identities: [ServerIdentity]
    let policy: InitPolicy
    let backups: [PinSet.PinnedKey]
    let output: String?
    let overwrites: Bool
    let options: ConnectionOptions
    let trust: TrustSource
    /// What the set is to name as the only authorities of its hosts, as it names files.
    let anchors: [String]
    private let connectTo: String?
    let load: Fetcher.Load
    /// The moment to validate at; nil for now.
    let time: Timestamp?
    let warnings: [String]

    init(_ values: Values, _ console: Console) throws(CommandError) {
        try StandardInput.checkReadOnce(
            [("--anchors", values[TrustFlags.anchors])] + BackupFlags.files(in: values))
        targets = try TargetFlags.targets(of: values[InitCommand.hosts])
        time = values[TrustFlags.time]
        output = values[InitCommand.output]
        overwrites = values[InitCommand.overwrite]
        let doesWithout = values[InitCommand.noBackup]
        let chosen = values[InitCommand.policy]
        if let chosen, chosen.wantsBackup, doesWithout {
            throw CommandError(
                "\"--policy \(chosen.text)\" wants a backup, and \"--no-backup\" does without",
                hint: "leave one of them out")
        }
        policy = chosen ?? .usual
        backups = try BackupFlags.keys(in: values, at: time ?? .now, console)
        guard !backups.isEmpty || doesWithout else {
            throw CommandError(
                "no host is left without a backup, and none is given",
                hint:
                    "pinctl keygen makes a key that no server uses: give it with --from-key, or with --from-csr; --no-backup does without"
            )
        }
        if overwrites, output == nil {
            throw CommandError("\"--overwrite\" is for \"--output\", which is not given")
        }
        if let output { try Self.checkOutput(output, overwrites: overwrites) }
        let serverName = values[ConnectionFlags.serverName]
        guard serverName == nil || targets.count == 1 else {
            throw CommandError("\"--servername\" is the name of one host, and \(targets.count) were given")
        }
        identities = targets.map { $0.serverName ?? serverName ?? $0.identity }
        var options = try ConnectionFlags.options(in: values)
        options.asksEveryAddress = true
        self.options = options
        var warnings: [String]
        (trust, warnings) = try TrustFlags.source(in: values, console)
        anchors = Self.anchors(in: values)
        if anchors.isEmpty, values.contains(TrustFlags.anchors) {
            warnings.append("the set does not name the anchors: whoever uses it must give --anchors again")
        }
        self.warnings = warnings
        connectTo = values[ConnectionFlags.connectTo]?.text
        load = try LoadFlags.load(in: values, hosts: targets.count)
    }

    /// What whoever asks the same hosts again has to give: where to connect, and the hosts where a port says more than the set can.
    var operands: String {
        let isUsual = targets.allSatisfy { $0.port == Target.defaultPort }
        return (connectTo.map { " --connect-to \($0)" } ?? "") + (isUsual ? "" : targets.map { " \($0)" }.joined())
    }

    static func checkOutput(_ path: String, overwrites: Bool) throws(CommandError) {
        guard overwrites || !InputFile.exists(at: path) else {
            throw CommandError(
                "there is a file \(path.quoted) already",
                hint:
                    "pinctl refresh --pins \(path) --write brings a set up to date; --overwrite puts a new one in its place"
            )
        }
        try OutputFile.check(path)
        if InputFile.exists(at: path), !OutputFile.isSpecial(path) { try OutputFile.checkReplacing(path) }
    }

    /// An authority of somebody's own has to be trusted whenever the set is used. What comes from standard input has no name to give,
    /// and a set cannot say that the system's count as well.
    private static func anchors(in values: Values) -> [String] {
        let paths = values[TrustFlags.anchors]
        guard !values[TrustFlags.systemAnchors], !paths.contains("-") else { return [] }
        let folder = values[InitCommand.output].map(OutputFile.parent) ?? "."
        return paths.map { RelativePath.of($0, from: folder) }
    }
}
