internal import Arguments
internal import CommandSupport
internal import Fetching
internal import Pinning

/// `pinctl inspect`: shows certificates of files and hosts in depth.
enum InspectCommand {
    enum Format: String, CaseIterable, Sendable {
        case text, json, pem
        case pin, okhttp, curl, tlsa, hpkp, hex, android, apple

        /// The spelling of bare pins; nil for another format.
        var spelling: PinSpelling? { PinSpelling(rawValue: rawValue) }
        /// Whether the format shows each certificate with its problems. Other formats print only trusted chains.
        var isReport: Bool { self == .text || self == .json }
    }

    static let inputs = Operand.some(
        Value.path("FILE|HOST"),
        help: "certificate file (- is standard input), or host as in pinctl fetch, if there is no such file")

    static let format = Option.single(
        "format", short: "f", takes: .choice(Format.self, "FORMAT"), default: .text,
        help: "print a report, JSON, the certificates in PEM, or bare pins")
    static let passwordFile = Option.optional(
        "password-file", takes: Value.passwordPath("FILE"),
        help: "decrypt PKCS#12 files with the first line of FILE")

    static let command = Command(
        "inspect", summary: "show every field of certificates, with their problems", operands: inputs,
        options: [
            OptionGroup("Output", [ChainFlags.select, format, ColorChoice.option]),
            OptionGroup("Input", [passwordFile]),
            OptionGroup(
                "Trust",
                [
                    TrustFlags.anchors, TrustFlags.systemAnchors, TrustFlags.time, ChainFlags.fetchIssuers,
                    ChainFlags.insecure,
                ]),
            ConnectionFlags.group, ProxyFlags.group,
            OptionGroup("Several hosts", [TargetFlags.allAddresses] + LoadFlags.declared),
        ],
        mostUsed: [ChainFlags.select, format, TrustFlags.anchors, ChainFlags.insecure],
        examples: [
            Example("pinctl inspect cert.pem", "every field of the certificates in a file"),
            Example("pinctl inspect example.com", "the chain of a host, with its stapled OCSP status"),
            Example("pinctl inspect example.com --select leaf", "only the server's certificate"),
            Example("pinctl inspect cert.pem --format json", "the same as JSON, with the bytes of each extension"),
            Example("pinctl inspect chain.p7b --format pem", "the certificates of a PKCS#7 file in PEM"),
        ],
        notes: [
            Note(
                "Files and hosts",
                "An operand that names an existing file, contains a slash, or ends like a certificate file (.pem, .crt, .cer, .der,"
                    + " .p7b, .p7c, .p12, .pfx) is a file. A URL and any other operand is a host. --select applies to hosts only."
                    + " If a file cannot be read, inspect connects to no host."
            ),
            Note(
                "Problems",
                "A problem is on the line below the field that it is about. It does not change the exit status, because inspect does"
                    + " not know the purpose of a certificate: use verify and lint for checks."
            ),
            PinSpelling.note,
            ExitStatus.note(
                success: "every file was read, and every chain is trusted",
                failure: "a chain is not trusted, or --select matches none of its certificates",
                interrupted: "hosts in flight were finished and reported"),
        ]
    )

    static func run(_ values: Values, _ console: Console) throws(CommandError) -> ExitStatus {
        let plan = try InspectPlan(values, console)
        for warning in plan.warnings { console.writeError(Message.warning(warning)) }
        let format: any InspectFormat =
            switch plan.format {
            case .text: InspectText(plan, style: Style(values[ColorChoice.option], on: console), width: console.width)
            case .json: InspectJSON(plan)
            default: InspectBare(plan)
            }
        let report = InspectReport(plan, format)
        if plan.targets.isEmpty || plan.hasUnreadableFiles { return try report.writeFiles(to: console) }
        let run = HostRun<FetchResult>(
            source: TargetSource(plan.targets), options: plan.connection, trust: TrustPolicy(plan.trust),
            time: plan.time, load: plan.load, console: console,
            noHostError: CommandError("no host to inspect"), name: \.outcomeName, names: FetchResult.outcomeNames)
        return try run.run(ReportWriter(report, to: console)) { _, _, result in result }
    }
}
