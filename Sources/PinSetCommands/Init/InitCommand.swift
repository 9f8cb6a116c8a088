internal import Arguments
internal import CommandSupport
internal import Encodings
internal import Fetching
internal import PinSetCodec
internal import PinSetMaintenance
internal import Pinning

/// `pinctl init`: creates a first pin set from live hosts.
enum InitCommand {
    static let hosts = Operand.some(
        TargetFlags.value,
        help: "host name or address with an optional port (default: 443), or URL such as smtp://mail.example.com")

    static let policy = Option.optional(
        "policy", takes: InitPolicy.value,
        help:
            "what to pin: leaf, intermediate, root or ca, several joined by +, and +backup (default: ca+backup)"
    )
    static let noBackup = Option.flag(
        "no-backup", conflicts: BackupFlags.declared,
        help: "write a set without a backup pin; if the keys in use are lost, apps cannot connect any more"
    )
    static let output = Option.optional(
        "output", short: "o", takes: Value.outputPath("FILE"), help: "write to FILE, which must not exist"
    )
    static let overwrite = Option.flag(
        "overwrite", help: "replace FILE if it exists")

    static let command = Command(
        "init", summary: "create a first pin set from live hosts", operands: hosts,
        options: [
            OptionGroup("Pins", [policy] + BackupFlags.declared + [noBackup] + EntryFlags.declared),
            OptionGroup("Output", [output, overwrite]),
            OptionGroup("Trust", [TrustFlags.anchors, TrustFlags.systemAnchors, TrustFlags.time]),
            ConnectionFlags.group, ProxyFlags.group,
            OptionGroup("Several hosts", LoadFlags.declared),
        ],
        mostUsed: [policy, BackupFlags.key, BackupFlags.request, BackupFlags.authority, output, overwrite],
        examples: [
            Example(
                "pinctl init api.example.com --from-key spare.key --output pins.json",
                "the intermediate and the root of the current chain, and a backup key"),
            Example(
                "pinctl init api.example.com --policy leaf+backup --from-csr spare.csr",
                "the server's key and a backup key"
            ),
            Example(
                "pinctl init api.example.com --backup-authority \"GTS Root R4\"",
                "the current CA, and another one as a backup, which works on every platform"),
            Example("pinctl init api.example.com --policy root --no-backup", "only the root"),
        ],
        notes: [
            Note(
                "Policies",
                "The certificates that a policy pins, in the validated chains of every address of the host, one for each type of key:",
                rows: [
                    "leaf": "the server's key",
                    "intermediate": "the CA certificate that issued the leaf",
                    "root": "the trust anchor",
                    "ca": "intermediate and root, so that either may change",
                    "backup":
                        "the keys of --from-key, --from-csr and --backup-authority, which must not be in the chain",
                ]
            ),
            Note(
                "Backups",
                "A backup pin is the pin of a key that no server uses. Store the key separately from the server's key, so that"
                    + " both are not lost together. pinctl keygen creates such a key. On Apple's systems it cannot replace pinned CAs:"
                    + " use another CA as the backup (--backup-authority), or pin only leaf keys (--policy leaf+backup)."
            ),
            Note(
                "Anchors",
                "With --anchors, the set names these files as the only trust anchors of its hosts, and verify and refresh use them."
                    + " With --system-anchors as well, it does not name them."
            ),
            ExitStatus.note(
                success: "pinctl wrote the set",
                failure:
                    "a chain does not validate, lacks a role that the policy pins, or contains a backup key; pinctl wrote nothing",
                writesFiles: true
            ),
        ]
    )

    static func run(_ values: Values, _ console: Console) throws(CommandError) -> ExitStatus {
        let plan = try InitPlan(values, console)
        for warning in plan.warnings { console.writeError(Message.warning(warning)) }
        do throws(CommandError) {
            return try run(plan, console)
        } catch {
            throw error.with(.undecided)
        }
    }

    private static func run(_ plan: InitPlan, _ console: Console) throws(CommandError) -> ExitStatus {
        let fetcher = try plan.settings.fetcher(for: plan.targets)
        var results: [Int: FetchResult] = [:]
        while !console.isClosed, let result = fetcher.nextResult() { results[result.index] = result }
        let lookUps = try lookUpAgain(results, plan)
        results = results.mapValues(lookUps.completed)
        var set = InitSet(plan)
        var status = ExitStatus.success
        var causes: Set<InitSet.Problem.Cause> = []
        for index in plan.targets.indices {
            guard let result = results[index] else { continue }
            for address in AddressHandshake.all(of: result).skipped {
                console.writeError(InitSet.warning(onSkipped: address))
            }
            for problem in set.add(result) {
                console.writeError(Message.error(about: result.target, problem.message, hint: problem.hint))
                status = status.combined(with: problem.status)
                causes.insert(problem.cause)
            }
        }
        for target in plan.targets {
            guard let problem = lookUps.problems[target], problem.cause == .tooManyAddresses else { continue }
            console.writeError(Message.error(about: target, problem.reason, hint: problem.step(for: "init")))
            status = status.combined(with: .undecided)
            causes.insert(.chain)
        }
        if status == .success, plan.options.keyTypes == .all {
            let found = plan.targets.indices.compactMap { results[$0] }
            let search = try OtherClientSearch(
                of: found.flatMap { AddressHandshake.all(of: $0).contacted }, by: plan.settings)
            for result in found {
                for problem in set.add(search, of: result) {
                    console.writeError(Message.error(about: result.target, problem.message, hint: problem.hint))
                    status = status.combined(with: problem.status)
                    causes.insert(problem.cause)
                }
            }
        }
        for warning in set.warnings { console.writeError(warning) }
        for target in plan.targets where status == .success {
            if let problem = lookUps.problems[target] {
                console.writeError(InitSet.warning(about: target, problem, backups: plan.backups))
            }
        }
        guard status == .success else {
            console.writeError(Message.closing("nothing was written: init needs \(requirement(after: causes))"))
            return status
        }
        try plan.checkAnchors()
        let bytes = try set.bytes()
        guard let output = plan.output, case let path = output.path else {
            console.write(bytes)
            return .success
        }
        if plan.overwrites {
            try output.write(bytes)
        } else {
            try NewFile.create(path, bytes)
        }
        console.writeError(Message.closing("\(set.summary) in \(path.quoted); next: \(plan.verification)"))
        return .success
    }

    /// What a run needs that failed for these causes.
    private static func requirement(after causes: Set<InitSet.Problem.Cause>) -> String {
        var needs: [String] = []
        if causes.contains(.chain) { needs.append("a valid chain from every host") }
        if causes.contains(.pinnedRole) { needs.append("chains with every role of the policy") }
        if causes.contains(.unusedBackup) { needs.append("backups whose keys no host uses") }
        return needs.joined(conjunction: "and")
    }

    /// Searches and contacts addresses that name resolution did not return, if every host answered.
    private static func lookUpAgain(
        _ results: [Int: FetchResult], _ plan: InitPlan
    ) throws(CommandError) -> LookUpCheck.Findings {
        let found = plan.targets.indices.compactMap { results[$0] }
        let addresses = found.flatMap { result in
            let all = AddressHandshake.all(of: result)
            return all.contacted + all.skipped
        }
        let isAnswered =
            found.count == plan.targets.count
            && found.allSatisfy { result in AddressHandshake.all(of: result).contacted.contains { $0.chain != nil } }
        return try LookUpCheck(plan.settings).findings(for: isAnswered ? addresses : [])
    }
}
