internal import Arguments
internal import Fetching
internal import Pinning

/// `pinctl verify`: do these hosts satisfy this pin set?
enum VerifyCommand {
    static let pins = Option.required(
        "pins", short: "p", takes: Value.path("FILE"),
        help: "the pin set: pins.json, or any format that convert reads; - is standard input"
    )
    static let chain = Option.optional(
        "chain", takes: Value.path("FILE"),
        conflicts: ConnectionFlags.declared + [
            TargetFlags.from, TargetFlags.allAddresses, TargetFlags.shard, TargetFlags.resume,
        ],
        help: "verify a saved chain, the server's certificate first (PEM, or DER of one); nothing is contacted"
    )
    static let platforms = Option.repeated(
        "as", takes: .choice(PlatformChoice.self, "PLATFORM"),
        help: "tell what PLATFORM would make of each host with these pins, by its own rules"
    )

    static let command = Command(
        "verify", summary: "do these hosts satisfy this pin set?", operands: TargetFlags.hosts,
        options: [
            OptionGroup("What to verify", [pins, chain, platforms]),
            OptionGroup("Report", [CheckFormat.option, ColorChoice.option]),
            OptionGroup("Trust", [TrustFlags.anchors, TrustFlags.systemAnchors, TrustFlags.time]),
            ConnectionFlags.group,
            TargetFlags.group,
        ],
        examples: [
            Example("pinctl verify --pins pins.json", "every host of the set"),
            Example("pinctl verify --pins pins.json api.example.com", "one host"),
            Example(
                "pinctl verify --pins pins.json api.example.com --connect-to 10.0.0.7:8443",
                "a server that is not yet behind the name"
            ),
            Example(
                "pinctl verify --pins pins.json --chain new.pem api.example.com", "a chain that is not yet installed"),
            Example("pinctl verify --pins pins.json --as all api.example.com", "and what each platform would do"),
        ],
        notes: [
            Note(
                "Verdicts",
                "A chain is validated first: its authorities, the host's name, the time. Pins are compared with a chain that"
                    + " validates and with no other, its root included. A host is validated against the anchors of its"
                    + " entry, where it has some, and against the system's otherwise; --anchors outranks both.",
                rows: [
                    "match": "a pin of the set is in the chain, where its role allows it",
                    "mismatch": "none is; where the set says \"enforce\": false, this is reported and no failure",
                    "untrusted": "the chain does not validate, so no pin was compared",
                    "expired": "the pins hold no more by the set's own date: apps would accept any trusted chain",
                    "no-pins": "the set covers no such host; only for --as may it be contacted",
                    "unreachable": "the host gave no chain",
                ]
            ),
            Note(
                "Platforms",
                "--as takes the set as it is once it is converted to the platform, where what the platform cannot say is"
                    + " lost. Each verdict comes with the rule that decided.",
                rows: [
                    "accepts": "the pins match, or the mismatch is only reported",
                    "rejects": "they do not, or the chain does not validate",
                    "not-pinned": "no pin is compared: any chain that validates is accepted",
                    "refuses-config": "the platform does not take the set at all",
                ]
            ),
            ExitStatus.note(
                success: "every host matches, or its mismatch is not enforced",
                failure:
                    "a mismatch, or a host that is untrusted, expired or without pins; a platform of --as that rejects or refuses",
                interrupted: "what was under way is finished, and reported"
            ),
        ]
    )

    static func run(_ values: Values, _ console: Console) throws(CommandError) -> ExitStatus {
        let plan = try VerifyPlan(values, console)
        for warning in plan.warnings { console.writeError(warning) }
        let report = VerifyTally(plan, report(plan, values, console))
        let status = try verify(plan, report, console)
        console.writeError(report.closingLine)
        return status
    }

    private static func report(
        _ plan: VerifyPlan, _ values: Values, _ console: Console
    ) -> any HostReport<Verification> {
        if let document = plan.format.document { return VerifyCheckReport(plan, as: document) }
        guard plan.format == .text else { return VerifyJSONReport(plan) }
        return VerifyTextReport(plan, style: Style(values[ColorChoice.option], on: console), width: console.width)
    }

    private static func verify(
        _ plan: VerifyPlan, _ report: any HostReport<Verification>, _ console: Console
    ) throws(CommandError) -> ExitStatus {
        switch plan.source {
        case .saved(let certificates, let file):
            let verification = try plan.verification(ofSaved: certificates, from: file)
            let output = HostOutput(report, to: console)
            try output.take(verification, at: verification.check.index)
            return try output.finish()
        case .hosts(let options, let targets, let load):
            let run = HostRun<Verification>(
                source: targets, options: options, trust: plan.trust.policy, time: plan.time, load: load,
                console: console,
                nothing: CommandError("there is no host in the files of --from"), name: \.verdict.rawValue,
                names: Verification.Verdict.allCases.map(\.rawValue), hasClosingLine: true
            )
            let output = HostOutput(report, to: console, targets.resume.map { .resumed($0) } ?? .console)
            return try run.run(output, isAsked: plan.needsChain) { index, target, result in
                let check = plan.check(target, at: index)
                return result.map { Verification(check, of: $0, by: plan) } ?? Verification(uncovered: check, by: plan)
            }
        }
    }
}
