internal import Arguments
internal import Fetching
internal import Pinning

/// `pinctl fetch`: connect, show or extract the chain.
enum FetchCommand {
    static let select = Option.repeated(
        "select", short: "s",
        takes: Value<Selection>(
            "WHICH", expected: "leaf, intermediate, root, all, or a position from 0",
            choices: ["leaf", "intermediate", "root", "all"]
        ) { Selection($0) },
        defaultText: "all",
        help: "leaf, intermediate, root, all, or a position counted from the leaf's 0"
    )
    static let format = Option.optional(
        "format", short: "f", takes: .choice(FetchFormat.self, "FORMAT"),
        help: "text unless --output says otherwise; pin, der, pem and base64 give bare material"
    )
    static let output = Option.optional(
        "output", short: "o", takes: Value.path("PATH"), conflicts: [TargetFlags.resume],
        help: "write to a file, or one file per certificate into a folder (PATH/)"
    )
    static let insecure = Option.flag(
        "insecure", short: "k",
        help: "give material from chains that do not validate too, and offer obsolete TLS"
    )

    static let command = Command(
        "fetch", summary: "connect, show or extract the chain", operands: TargetFlags.hosts,
        options: [
            OptionGroup("What to give", [select, format, output, ColorChoice.option]),
            OptionGroup("Trust", [TrustFlags.anchors, TrustFlags.systemAnchors, TrustFlags.time, insecure]),
            ConnectionFlags.group,
            TargetFlags.group,
        ],
        examples: [
            Example("pinctl fetch example.com", "the chain, with its verdict and a pin for each certificate"),
            Example("pinctl fetch example.com --select root --format pin", "the root's pin alone"),
            Example("pinctl fetch example.com --output certs/", "each certificate as a DER file"),
            Example("pinctl fetch --from hosts.txt --format ndjson", "many hosts, one line of JSON each"),
            Example(
                "pinctl fetch --from hosts.txt --resume results.ndjson",
                "the same, to be ended and gone on with at will"
            ),
            Example(
                "pinctl fetch staging.example.com --anchors ca.pem --connect-to 10.0.0.7:8443",
                "a server behind another address, under an authority of your own"
            ),
        ],
        notes: [
            Note(
                "Trust",
                "A pin, or a certificate, is given out only of a chain that validates, unless --insecure is given. The"
                    + " reports (text, json, ndjson) show every chain, with the reason where it does not validate."
            ),
            ExitStatus.note(
                success: "every chain validated",
                failure: "a chain does not validate, or has nothing of what was selected",
                interrupted: "what was under way is finished, and reported"),
        ]
    )

    static func run(_ values: Values, _ console: Console) throws(CommandError) -> ExitStatus {
        let plan = try FetchPlan(values, console)
        for warning in plan.warnings { console.writeError(Message.warning(warning)) }
        let report: any HostReport<FetchResult> =
            switch plan.format {
            case .text:
                FetchTextReport(plan, style: Style(values[ColorChoice.option], on: console), width: console.width)
            case .json, .ndjson: FetchJSONReport(plan)
            case .pin, .der, .pem, .base64: FetchMaterialReport(plan)
            }
        let run = HostRun<FetchResult>(
            source: plan.source, options: plan.connection, trust: TrustPolicy(plan.trust), time: plan.time,
            load: plan.load, console: console, nothing: FetchPlan.noHost, name: \.outcomeName,
            names: FetchResult.outcomeNames
        )
        return try run.run(HostOutput(report, to: console, destination(plan))) { _, _, result in result }
    }

    private static func destination(_ plan: FetchPlan) -> HostOutput<FetchResult>.Destination {
        if let file = plan.source.resume { return .resumed(file) }
        if case .file(let path) = plan.destination { return .file(path) }
        return .console
    }
}
