internal import Arguments
internal import CommandSupport
internal import Fetching
internal import Pinning

/// `pinctl verify`: checks live hosts against a pin set.
enum VerifyCommand {
    static let pins = Option.required(
        "pins", short: "p", takes: Value.path("FILE"),
        help: "the pin set: pins.json or any format that convert reads; - is standard input"
    )
    static let chain = Option.optional(
        "chain", takes: Value.path("FILE"),
        conflicts: ConnectionFlags.declared + [
            TargetFlags.from, TargetFlags.firstAddress, TargetFlags.shard, TargetFlags.resume,
        ],
        help: "verify a saved chain, leaf first (PEM, or one DER certificate), without a connection"
    )
    /// This is the default. The option exists so that a script can state it.
    static let allAddresses = Option.flag(
        "all-addresses", conflicts: [TargetFlags.firstAddress],
        help: "connect to every address of a name, at most 256 (default)"
    )
    static var certificates: Option<[String]> { ConversionFlags.certificates }
    static var platforms: Option<[[PlatformChoice]]> {
        Option.repeated(
            "as", takes: .list(PlatformChoice.allCases, "PLATFORM"),
            help:
                "report how PLATFORM would treat each host with these pins; separate several with commas (default: those of a"
                + " \(ManifestPlatforms.fileName) that names the set)"
        )
    }

    static let command = Command(
        "verify", summary: "check live hosts against a pin set", operands: TargetFlags.hosts,
        options: [
            OptionGroup("Input", [pins, certificates, chain, platforms]),
            OptionGroup("Report", [CheckFormat.option, HTMLFile.option, ColorChoice.option]),
            OptionGroup("Trust", [TrustFlags.anchors, TrustFlags.systemAnchors, TrustFlags.time]),
            ConnectionFlags.group, ProxyFlags.group,
            TargetFlags.group(addresses: [allAddresses, TargetFlags.firstAddress]),
        ],
        mostUsed: [pins, platforms, CheckFormat.option, TrustFlags.anchors, ConnectionFlags.connectTo],
        examples: [
            Example("pinctl verify --pins pins.json", "all hosts of the set"),
            Example("pinctl verify --pins pins.json api.example.com", "one host"),
            Example(
                "pinctl verify --pins pins.json api.example.com --connect-to 10.0.0.7:8443",
                "a server that the name does not resolve to yet"
            ),
            Example(
                "pinctl verify --pins pins.json --chain new.pem api.example.com", "a chain that is not installed yet"),
            Example("pinctl verify --pins pins.json --html report.html", "all hosts, with a report to look at"),
            Example(
                "pinctl verify --pins pins.json --as apple,android api.example.com",
                "one host, with the verdicts of these platforms"),
        ],
        notes: [
            Note(
                "Verdicts",
                "pinctl validates the chain (signatures, trust anchor, host name, time), then compares the pins with the"
                    + " validated chain, root included. It uses --anchors if given, else the anchors of the host's entry,"
                    + " else the system's; --system-anchors adds the system's to these.",
                rows: [
                    "match": "the chain contains a pin of the set in a position that its role allows",
                    "mismatch": "the chain contains no such pin; with \"enforce\": false the mismatch is only reported",
                    "untrusted": "the chain is not trusted, so no pin was compared",
                    "expired": "the pins of the entry have expired: apps would accept any trusted chain",
                    "no-pins":
                        "no entry of the set covers the host; pinctl connects to it only if --as needs its chain",
                    "unreachable": "the host gave no chain",
                ]
            ),
            Note(
                "Platforms",
                "--as evaluates a file in the platform's own format as the platform reads it, and any other set as convert writes"
                    + " it for the platform. Each verdict comes with the rule that applied. Without --as, pinctl evaluates a"
                    + " file of Android, Apple, TrustKit, OkHttp and others as its platform does, and for a pins.json the"
                    + " platforms of the copies in \(ManifestPlatforms.fileName), if this file is in the folder of the set or in the"
                    + " current folder and names the set; --as none turns this off.",
                rows: [
                    "accepts": "the pins match, or the mismatch is only reported",
                    "rejects": "the pins do not match, or the chain is not trusted",
                    "not-pinned": "no pin is compared: any trusted chain is accepted",
                    "refuses-config":
                        "the platform rejects the whole configuration: the app stops, or the header is ignored",
                ]
            ),
            ExitStatus.note(
                success: "every host matches, or its mismatch is not enforced",
                failure:
                    "a host is mismatch, untrusted, expired or no-pins, or a platform of --as rejects or refuses",
                interrupted: "hosts in flight were finished and reported", writesFiles: true
            ),
        ]
    )

    static func run(_ values: Values, _ console: Console) throws(CommandError) -> ExitStatus {
        let plan = try VerifyPlan(values, console)
        for warning in plan.warnings { console.writeError(warning) }
        let page = plan.html == nil ? nil : try VerifyPage(plan)
        let report = VerifySummary(plan, report(plan, values, console), page)
        let status = try verify(plan, report, console)
        console.flush()
        if let page { try plan.html?.write(page.report(summary: report.summaryText, status, console), console) }
        console.writeError(console.loss.map(Message.incomplete) ?? report.summaryLine)
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
            let output = ReportWriter(report, to: console)
            try output.take(verification, at: verification.check.index)
            return try output.finish()
        case .hosts(let options, let targets, let load):
            let run = HostRun<Verification>(
                source: targets, options: options, trust: plan.trust.policy, time: plan.time, load: load,
                console: console,
                noHostError: CommandError("the files of --from contain no host"), name: \.verdict.rawValue,
                names: Verification.Verdict.allCases.map(\.rawValue), hasSummaryLine: true,
                omitsUnusableAddresses: true
            )
            let output = ReportWriter(report, to: console, targets.resume.map { .resumed($0) } ?? .console)
            return try run.run(output, needsConnection: plan.needsChain) { index, target, result in
                let check = plan.check(target, at: index)
                return result.map { Verification(check, of: $0, by: plan) } ?? Verification(uncovered: check, by: plan)
            }
        }
    }
}
