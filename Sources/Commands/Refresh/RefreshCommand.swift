internal import Arguments
internal import Fetching
internal import Pinning

/// `pinctl refresh`: what should the set say now?
enum RefreshCommand {
    static let pins = Option.required(
        "pins", short: "p", takes: Value.path("FILE"),
        help: "the pin set: pins.json; without --write any format that convert reads, or - for standard input"
    )
    static let check = Option.flag("check", help: "fail where --write would change the set, and change nothing")
    static let write = Option.flag(
        "write", conflicts: [check], help: "change the set in its file: new pins in, gone ones retired after --retain"
    )
    static let retain = Option.single(
        "retain", takes: .integer("DAYS", in: 0...3650), default: RefreshRules.usualRetention,
        help: "keep a pin active for so many days after it was last served"
    )
    static let acceptNew = Option.repeated(
        "accept-new",
        takes: Value<String>("HOST", expected: "a host of the set, without a port") { text in
            try? HostName.normalized(text)
        },
        help: "learn the chain of HOST though no pin matches it: you know that its keys were changed"
    )

    static let command = Command(
        "refresh", summary: "what should the set say now?", operands: TargetFlags.hosts,
        options: [
            OptionGroup("What to do", [pins, check, write, retain, acceptNew]),
            OptionGroup("Backups", BackupFlags.declared),
            OptionGroup("Report", [CheckFormat.option, ColorChoice.option]),
            OptionGroup("Trust", [TrustFlags.anchors, TrustFlags.systemAnchors, TrustFlags.time]),
            ConnectionFlags.group,
            OptionGroup("Several hosts", LoadFlags.declared),
        ],
        examples: [
            Example("pinctl refresh --pins pins.json", "what changed, and what would survive the next rotation"),
            Example(
                "pinctl refresh --pins pins.json --check", "in continuous integration: 1 where the set is out of date"),
            Example("pinctl refresh --pins pins.json --write", "bring the set up to date"),
            Example(
                "pinctl refresh --pins pins.json --write --from-csr spare.csr api.example.com", "and add a backup key"),
        ],
        notes: [
            Note(
                "What is learnt",
                "Every address of every host is asked. A pin is learnt only from a chain that validates and that a pin of the"
                    + " set matches already, and only for the places in the chain that the entry pins: an entry that pins"
                    + " authorities learns no leaf. Any other chain may be an interception, and changes nothing; --accept-new"
                    + " takes one that validates. A backup is never removed."
            ),
            Note(
                "Pins",
                rows: [
                    "served": "it is in the chain",
                    "new": "the chain has it where the set's own pin was",
                    "gone": "another key has its place, at every address; it is retired after --retain",
                    "unserved": "active and not in the chain, and nothing is known to have taken its place",
                    "backup": "held ready, and not in the chain",
                ]
            ),
            ExitStatus.note(
                success: "the set is up to date, or --write made it so; without --check a difference is only reported",
                failure:
                    "--check and a difference, a chain without a match, a host that is untrusted or whose pins have expired,"
                    + " a backup that is in use"
            ),
        ]
    )

    static func run(_ values: Values, _ console: Console) throws(CommandError) -> ExitStatus {
        let plan = try RefreshPlan(values, console)
        for warning in plan.warnings { console.writeError(Message.warning(warning)) }
        let report = RefreshReport(plan, style: Style(values[ColorChoice.option], on: console), width: console.width)
        // Whether a key may be a backup is known when every host has answered.
        let streams = plan.format == .ndjson && plan.mode != .write && plan.rules.backups.isEmpty
        let status: ExitStatus
        do throws(CommandError) {
            let observed = try observe(plan, console) { outcome in
                if streams { console.write(report.line(for: outcome)) }
            }
            let outcomes = try outcomes(of: observed, by: plan.rules.backups.isEmpty ? plan : plan.knowing(observed))
            let closing = report.closing(of: outcomes)
            if !streams {
                console.write(report.text(for: outcomes, closing: closing))
            }
            if closing.isWorthTelling { console.writeError(Message.closing(closing.text)) }
            status = outcomes.reduce(.success) { $0.combined(with: $1.status) }
        } catch {
            throw error.with(error.status == .usageError ? .undecided : error.status)
        }
        return status
    }

    private static func outcomes(
        of observed: [RefreshObservation], by plan: RefreshPlan
    ) throws(CommandError) -> [RefreshOutcome] {
        let outcomes = observed.map { observation in
            plan.rules.served.isEmpty
                ? observation.outcome : observation.outcome(in: plan.pins.set, by: plan) ?? observation.outcome
        }
        return plan.mode == .write ? try RefreshWriting.write(observed, outcomes, by: plan) : outcomes
    }

    /// Asks every host.
    ///
    /// - Parameter take: gets each entry as all of its hosts are done.
    private static func observe(
        _ plan: RefreshPlan, _ console: Console, take: (RefreshOutcome) -> Void
    ) throws(CommandError) -> [RefreshObservation] {
        let fetcher = try Fetcher.started(
            plan.options, trust: plan.trust.policy, at: plan.time, load: plan.load, targets: plan.checks.map(\.target)
        )
        var places: [Int: Int] = [:]
        for (place, subject) in plan.subjects.enumerated() { for check in subject.checks { places[check] = place } }
        var waiting = plan.subjects.map(\.checks.count)
        var results: [Int: FetchResult] = [:]
        var observed: [Int: RefreshObservation] = [:]
        while !console.isClosed, let result = fetcher.nextResult() {
            results[result.index] = result
            guard let place = places[result.index] else { continue }
            waiting[place] -= 1
            guard waiting[place] == 0 else { continue }
            let subject = plan.subjects[place]
            let observation = RefreshObservation(subject, of: subject.checks.compactMap { results[$0] }, by: plan)
            observed[place] = observation
            take(observation.outcome)
        }
        return plan.subjects.indices.compactMap { observed[$0] }
    }
}
