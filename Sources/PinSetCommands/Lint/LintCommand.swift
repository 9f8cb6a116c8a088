internal import Arguments
internal import CommandSupport
internal import Fetching
internal import PinSetCodec
internal import Pinning

/// `pinctl lint`: finds errors and risks in pin sets.
enum LintCommand {
    static let files = Operand.some(
        Value.path("FILE"), help: "a pin set in any format that convert reads; - is standard input"
    )
    static let strict = Option.flag("strict", help: "fail on warnings too")
    static let within = Option.single(
        "within", takes: .integer("DAYS", in: 0...36_500), default: 30,
        help: "report pins and certificates that expire in less than DAYS days"
    )
    static var fromFormat: Option<PinSetFormat?> {
        Option.optional(
            "from-format", takes: .choice(PinSetFormat.self, "FORMAT"),
            help: "format of the files (default: detected from the contents)"
        )
    }
    static var host: Option<String?> {
        Option.optional(
            "host", takes: Value.text("NAME"),
            help:
                "host of the pins, for formats that name no host (\(PinSetFormat.names { $0.readingInputs.contains(.host) }))"
        )
    }
    static let live = Option.flag(
        "live",
        help: "fetch the chains of all addresses of each host, and compare the pins of the host with each trusted chain"
    )
    static let chain = Option.repeated(
        "chain", takes: Value.path("FILE"), conflicts: [live] + ConnectionFlags.declared,
        help:
            "compare with a saved chain, leaf first, for each host that the leaf names"
    )

    static let command = Command(
        "lint", summary: "find errors and risks in pin sets", operands: files,
        options: [
            OptionGroup("Rules", [strict, within]),
            OptionGroup("Report", [CheckFormat.option, HTMLFile.option, ColorChoice.option]),
            OptionGroup("Input", [fromFormat, host]),
            OptionGroup("Chains", [live, chain]),
            OptionGroup("Trust", [TrustFlags.anchors, TrustFlags.systemAnchors, TrustFlags.time]),
            ConnectionFlags.group, ProxyFlags.group,
            OptionGroup("Several hosts", LoadFlags.declared),
        ],
        mostUsed: [live, strict, within, CheckFormat.option],
        examples: [
            Example("pinctl lint pins.json", "check a set without a connection"),
            Example("pinctl lint --live pins.json", "check it against its live hosts too"),
            Example("pinctl lint --strict --format github pins.json app/Info.plist", "in a GitHub Actions workflow"),
            Example("pinctl lint --within 90 --at 2027-03-01 pins.json", "what expires within 90 days of a date"),
        ],
        notes: [
            Note(
                "Findings",
                "Each finding has a code, a severity, a location, a reason and a next step. Docs/lint.md lists the codes."
                    + " Other commands stop at the first error of a set; lint reports all of them.",
                rows: [
                    "error": "it does not work, or not as intended",
                    "warning": "it works today, but it is a risk",
                    "note": "it is correct, but it should be known",
                ]
            ),
            Note(
                "Exit status",
                rows: [
                    "0": "no errors, and with --strict no warnings",
                    "1": "errors, or with --strict warnings",
                    "2": "a file cannot be read or is not a pin set; the other files were checked",
                    "3":
                        "with --live, a host gave no chain; or standard output was closed early, or another process changed the file of --html",
                ]
            ),
        ]
    )

    static func run(_ values: Values, _ console: Console) throws(CommandError) -> ExitStatus {
        let plan = try LintPlan(values, console)
        var status = ExitStatus.success
        var results: [LintResult] = []
        for path in plan.files {
            var isUnreadable = true
            do throws(CommandError) {
                let bytes = try PinSetSource.bytes(at: path, console)
                isUnreadable = false
                let result = try plan.lint(bytes, from: path, console)
                status = status.combined(with: result.status(isStrict: plan.isStrict))
                results.append(result)
            } catch {
                guard plan.files.count > 1 else { throw error }
                console.writeError(Message.error(error.message, hint: error.hint))
                status = status.combined(with: error.status)
                results.append(LintResult(path: path, findings: [], error: error, isUnreadable: isUnreadable))
            }
        }
        // The sets name their anchors, which are no operands.
        try OutputFile.checkConflicts()
        let report = LintReport(plan, results)
        if let error = report.unusedChain {
            console.writeError(Message.error(error.message, hint: error.hint))
            status = status.combined(with: error.status)
        }
        console.write(report.output(style: Style(values[ColorChoice.option], on: console), width: console.width))
        console.writeError(report.summaryLine)
        try plan.html?.write(LintPage(report, plan).page(of: results, console), console)
        return status
    }
}
