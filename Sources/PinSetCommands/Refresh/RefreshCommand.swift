internal import Arguments
internal import CommandSupport
internal import Encodings
internal import Fetching
internal import PinSetCodec
internal import PinSetMaintenance
internal import Pinning

/// `pinctl refresh`: compares a pin set with its live hosts and updates it.
enum RefreshCommand {
    static let pins = Option.required(
        "pins", short: "p", takes: Value.path("FILE"),
        help: "the pin set: pins.json; without --write also other formats that convert reads, or - for standard input"
    )
    static let check = Option.flag(
        "check", help: "fail if --write would change more than the end dates of certificates; change nothing")
    static let write = Option.flag(
        "write", conflicts: [check],
        help: "update the file: add new pins, retire pins that are gone for longer than --retain"
    )
    static let retain = Option.single(
        "retain", takes: .integer("DAYS", in: 0...3650), default: RefreshRules.defaultRetention,
        help: "number of days that a pin stays active after it was last served"
    )
    static let assumeComplete = Option.flag(
        "assume-complete",
        help: "treat the contacted addresses as all servers of the hosts, so that -4, -6, HOST:PORT, --connect-to and a"
            + " failed look-up can retire pins"
    )
    static let acceptNew = Option.repeated(
        "accept-new",
        takes: Value<String>("HOST", expected: "a host of the set, without a port") { text in
            try? HostName.normalized(text)
        },
        help: "learn the chain of HOST even if no pin matches; use it only if you know that its keys changed"
    )
    static let markdown = Option.optional(
        "markdown", takes: Value.outputPath("FILE"),
        help:
            "also write a summary for a pull request to FILE, in Markdown; shorter than 60,000 bytes for any number of hosts"
    )

    static let command = Command(
        "refresh", summary: "compare a pin set with its live hosts and update it", operands: TargetFlags.hosts,
        options: [
            OptionGroup("Action", [pins, check, write, retain, assumeComplete, acceptNew]),
            OptionGroup("Backups", BackupFlags.declared),
            OptionGroup("Report", [CheckFormat.option, markdown, HTMLFile.option, ColorChoice.option]),
            OptionGroup("Trust", [TrustFlags.anchors, TrustFlags.systemAnchors, TrustFlags.time]),
            ConnectionFlags.group, ProxyFlags.group,
            OptionGroup("Several hosts", LoadFlags.declared),
        ],
        mostUsed: [pins, check, write, acceptNew, CheckFormat.option],
        examples: [
            Example("pinctl refresh --pins pins.json", "show what changed, and whether pins survive the next rotation"),
            Example(
                "pinctl refresh --pins pins.json --check", "in CI: exit status 1 if the set is out of date"),
            Example("pinctl refresh --pins pins.json --write", "update the set"),
            Example(
                "pinctl refresh --pins pins.json --write --from-csr spare.csr api.example.com",
                "update the set and add a backup key"),
        ],
        notes: [
            Note(
                "Learning",
                "pinctl connects to every address that the look-up of a host returns. It learns a pin only from a valid chain that already matches"
                    + " a pin of the set, and only for the roles that the entry pins: an entry that pins CAs learns no leaf."
                    + " Any other chain may come from an interceptor and changes nothing; --accept-new accepts one that is valid."
                    + " A pin is gone only if no look-up failed (except with --assume-complete), and every address of the host was"
                    + " contacted and answered with a valid chain. A backup is never removed."
            ),
            Note(
                "Pins",
                rows: [
                    "served": "the chain contains it",
                    "new": "the chain contains it in place of a pin of the set",
                    "gone": "every address presents another key in its place; it is retired after --retain",
                    "unserved": "it is active and not in the chain, and no known key replaces it",
                    "backup": "it is a backup; the chain contains it only if the line says so",
                ]
            ),
            ExitStatus.note(
                success: "the set is up to date, or --write updated it; without --check a difference is only reported",
                failure:
                    "--check found a difference, no pin matches, a chain is not trusted, pins have expired, or a backup is in use and no other one is left",
                writesFiles: true
            ),
        ]
    )

    static func run(_ values: Values, _ console: Console) throws(CommandError) -> ExitStatus {
        let plan = try RefreshPlan(values, console)
        for warning in plan.warnings { console.writeError(Message.warning(warning)) }
        let report = RefreshReport(plan, style: Style(values[ColorChoice.option], on: console), width: console.width)
        // Only when all hosts have answered does pinctl know whether a key can be a backup.
        let streams = plan.format == .ndjson && plan.mode != .write && plan.rules.backups.isEmpty
        var status: ExitStatus
        do throws(CommandError) {
            let observed = try observe(plan, console) { outcome in
                if streams { console.write(report.line(for: outcome)) }
            }
            var isIncomplete = false
            let outcomes = try outcomes(
                of: observed, by: plan.rules.backups.isEmpty ? plan : plan.addingServedPins(of: observed)
            ) { name in
                isIncomplete = true
                console.writeError(
                    Message.warning("\(name) was not refreshed: it was removed from \(plan.path.quoted) during the run")
                )
            }
            let summary = report.summary(of: outcomes)
            var hasMarkdown = true
            do throws(CommandError) {
                try plan.markdown?.write(Array(report.markdown(of: outcomes).utf8))
            } catch {
                // The other outputs are still written: --write may have changed the set.
                console.writeError(Message.error(error.message, hint: error.hint))
                hasMarkdown = false
            }
            if !streams {
                console.write(report.text(for: outcomes, summary: summary))
            }
            console.flush()
            if let loss = console.loss {
                console.writeError(Message.incomplete(loss))
            } else if summary.isInformative {
                console.writeError(Message.closing(summary.text))
            }
            status = outcomes.reduce(isIncomplete ? .undecided : .success) { $0.combined(with: $1.status) }
            try plan.html?.write(
                RefreshPage(plan, console).report(on: outcomes, summary: summary.text, console), console)
            if !hasMarkdown { status = .undecided }
        } catch {
            throw error.with(error.status == .usageError ? .undecided : error.status)
        }
        return status
    }

    private static func outcomes(
        of observed: [RefreshObservation], by plan: RefreshPlan, removed: (String) -> Void
    ) throws(CommandError) -> [RefreshOutcome] {
        let outcomes = observed.map { observation in
            plan.rules.served.isEmpty
                ? observation.outcome : observation.outcome(in: plan.pins.set, by: plan) ?? observation.outcome
        }
        return plan.mode == .write ? try RefreshWriter.write(observed, outcomes, by: plan, removed: removed) : outcomes
    }

    /// Connects to all hosts of the plan.
    ///
    /// - Parameter take: Receives the outcome of each entry when all of its hosts are done.
    private static func observe(
        _ plan: RefreshPlan, _ console: Console, take: (RefreshOutcome) -> Void
    ) throws(CommandError) -> [RefreshObservation] {
        let fetcher = try plan.settings.fetcher(for: plan.checks.map(\.target))
        var subjectIndices: [Int: Int] = [:]
        for (index, subject) in plan.subjects.enumerated() {
            for check in subject.checks { subjectIndices[check] = index }
        }
        var waiting = plan.subjects.map(\.checks.count)
        var results: [Int: FetchResult] = [:]
        var observed: [Int: RefreshObservation] = [:]
        let completion = PathCompletion(plan)
        while !console.isClosed, let result = fetcher.nextResult() {
            results[result.index] = result
            guard let index = subjectIndices[result.index] else { continue }
            waiting[index] -= 1
            guard waiting[index] == 0 else { continue }
            let subject = plan.subjects[index]
            var observation = RefreshObservation(subject, of: subject.checks.compactMap { results[$0] }, by: plan)
            let refresh = observation.outcome.refresh
            if refresh.learnsBesideMismatch || refresh.hasUnservedPin { observation.findPaths(by: completion, plan) }
            observed[index] = observation
            if !observation.needsOtherClients { take(observation.outcome) }
        }
        let doubtful = observed.filter(\.value.needsOtherClients).sorted { $0.key < $1.key }
        let checked = try checkClients(of: checkLookUps(of: doubtful.map(\.value), results, plan), plan)
        for (index, observation) in zip(doubtful.map(\.key), checked) {
            observed[index] = observation
            take(observation.outcome)
        }
        return plan.subjects.indices.compactMap { observed[$0] }
    }

    /// Searches pins that still seem to be gone in other valid paths, and both these and new backups in the chains that the servers
    /// send to other clients.
    private static func checkClients(
        of observations: [RefreshObservation], _ plan: RefreshPlan
    ) throws(CommandError) -> [RefreshObservation] {
        var observations = observations
        let completion = PathCompletion(plan)
        for index in observations.indices where observations[index].outcome.refresh.needsEveryChain {
            observations[index].findPaths(by: completion, plan)
        }
        let doubtful = observations.indices.filter { observations[$0].needsOtherClients }
        guard !doubtful.isEmpty else { return observations }
        let search = try OtherClientSearch(
            of: doubtful.flatMap { observations[$0].addresses }, by: plan.settings)
        for index in doubtful { observations[index].add(search, by: plan) }
        return observations
    }

    /// Searches and contacts more addresses of hosts with a pin that seems to be gone, or with a new backup.
    ///
    /// - Parameter results: The result of each check.
    private static func checkLookUps(
        of observations: [RefreshObservation], _ results: [Int: FetchResult], _ plan: RefreshPlan
    ) throws(CommandError) -> [RefreshObservation] {
        guard !plan.assumesComplete else { return observations }
        let findings = try LookUpCheck(plan.settings).findings(
            for: observations.flatMap { $0.addresses + $0.skipped })
        return observations.map { observation in
            let checks = observation.subject.checks
            let targets = checks.map { plan.checks[$0].target }
            var observation = observation
            if targets.contains(where: findings.hasFurtherAddresses) {
                let completed = checks.compactMap { results[$0].map(findings.completed) }
                observation = RefreshObservation(observation.subject, of: completed, by: plan)
            }
            if let problem = targets.lazy.compactMap({ findings.problems[$0] }).first {
                observation.add(RefreshGap(problem), by: plan)
            }
            return observation
        }
    }
}
