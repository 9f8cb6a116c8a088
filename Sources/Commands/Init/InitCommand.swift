internal import Arguments
internal import Fetching
internal import Pinning

/// `pinctl init`: a first pin set from live hosts.
enum InitCommand {
    static let hosts = Operand.some(
        TargetFlags.value, help: "a name or an address; the port is 443 where none is given")

    static let policy = Option.optional(
        "policy", takes: InitPolicy.value,
        help:
            "what to pin: leaf, intermediate, root or ca, several joined by +, and +backup; ca+backup where none is given"
    )
    static let noBackup = Option.flag(
        "no-backup", conflicts: BackupFlags.declared,
        help: "do without a backup: whoever loses the keys in use locks every app out"
    )
    static let output = Option.optional(
        "output", short: "o", takes: Value.path("FILE"), help: "write to FILE, which must not be there yet"
    )
    static let overwrite = Option.flag(
        "overwrite", help: "write to FILE even if it is there, in the place of what it holds")

    static let command = Command(
        "init", summary: "a first pin set from live hosts", operands: hosts,
        options: [
            OptionGroup("What to pin", [policy] + BackupFlags.declared + [noBackup]),
            OptionGroup("Output", [output, overwrite]),
            OptionGroup("Trust", [TrustFlags.anchors, TrustFlags.systemAnchors, TrustFlags.time]),
            ConnectionFlags.group,
            OptionGroup("Several hosts", LoadFlags.declared),
        ],
        examples: [
            Example(
                "pinctl init api.example.com --from-key spare.key --output pins.json",
                "the authorities of today's chain, and a key in reserve"),
            Example(
                "pinctl init api.example.com --policy leaf+backup --from-csr spare.csr", "the server's key, and a spare"
            ),
            Example("pinctl init api.example.com --policy root --no-backup", "the root alone, for a start"),
        ],
        notes: [
            Note(
                "Policies",
                "What each pins of the chain, as it validates at every address of the host:",
                rows: [
                    "leaf": "the server's own key",
                    "intermediate": "the authority that issued its certificate",
                    "root": "the trust anchor",
                    "ca": "both authorities, so that either may change",
                    "backup": "the keys of --from-key and --from-csr, which must not be in the chain",
                ]
            ),
            Note(
                "Backups",
                "Nothing in a live chain is a backup: what is there is lost together. A backup is a key that is kept"
                    + " elsewhere, and for which a certificate can be had on the day when it is needed."
            ),
            Note(
                "Anchors",
                "The set names those of --anchors as the only authorities of its hosts, so that verify and refresh know them; not"
                    + " with --system-anchors."
            ),
            ExitStatus.note(
                yes: "the set was written",
                no:
                    "a chain does not validate or lacks what the policy pins, or a backup is in use; nothing was written"
            ),
        ]
    )

    static func run(_ values: Values, _ console: Console) throws(CommandError) -> ExitStatus {
        let plan = try InitPlan(values, console)
        for warning in plan.warnings { console.writeError(Message.warning(warning)) }
        do throws(CommandError) {
            return try run(plan, console)
        } catch {
            throw error.with(.unknown)
        }
    }

    private static func run(_ plan: InitPlan, _ console: Console) throws(CommandError) -> ExitStatus {
        let fetcher = try Fetcher.started(
            plan.options, trust: TrustPolicy(plan.trust), at: plan.time, load: plan.load, targets: plan.targets
        )
        var results: [Int: Fetcher.Result] = [:]
        while !console.isClosed, let result = fetcher.nextResult() { results[result.index] = result }
        var set = InitSet(plan)
        var status = ExitStatus.yes
        for place in plan.targets.indices {
            guard let result = results[place] else { continue }
            for problem in set.take(result) {
                console.writeError(Message.error(about: result.target, problem.message, hint: problem.hint))
                status = status.combined(with: problem.status)
            }
        }
        guard status == .yes else {
            console.writeError(Message.closing("nothing was written: a set is made of all its hosts, or not at all"))
            return status
        }
        let bytes = try set.bytes()
        guard let path = plan.output else {
            console.write(bytes)
            return .yes
        }
        try InitPlan.checkOutput(path, overwrites: plan.overwrites)
        if plan.overwrites, OutputFile.isSpecial(path) {
            try OutputFile.write(bytes, to: path)
        } else if plan.overwrites, InputFile.exists(at: path) {
            try OutputFile.replace(path, with: bytes)
        } else {
            try NewFile.create(path, bytes, .usual)
        }
        let next = "pinctl verify --pins \(path)" + plan.operands
        console.writeError(Message.closing("\(set.summary) in \(path.quoted); next: \(next)"))
        return .yes
    }
}
