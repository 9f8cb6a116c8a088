internal import Arguments
internal import Fetching
internal import Pinning

/// `pinctl lint`: what is wrong or risky in a pin set.
enum LintCommand {
    static let files = Operand.some(
        Value.path("FILE"), help: "a pin set in any format that convert reads; - is standard input"
    )
    static let strict = Option.flag("strict", help: "fail for warnings, too")
    static let within = Option.single(
        "within", takes: .integer("DAYS", in: 0...36_500), default: 30, help: "tell of what ends in less than DAYS days"
    )
    static let fromFormat = Option.optional(
        "from-format", takes: .choice(PinSetFormat.self, "FORMAT"),
        help: "the format of the files; their contents tell otherwise"
    )
    static let host = Option.optional(
        "host", takes: Value.text("NAME"), help: "whose pins these are, in formats that name no host (hpkp, curl, tlsa)"
    )
    static let live = Option.flag(
        "live", help: "fetch each host, and compare its pins with the chain that it presents, if that validates"
    )
    static let chain = Option.repeated(
        "chain", takes: Value.path("FILE"), conflicts: [live] + ConnectionFlags.declared,
        help:
            "compare with a saved chain, the server's certificate first, for each host that it is for"
    )

    static let command = Command(
        "lint", summary: "what is wrong or risky in a pin set", operands: files,
        options: [
            OptionGroup("What to tell", [strict, within]),
            OptionGroup("Report", [CheckFormat.option, ColorChoice.option]),
            OptionGroup("Input", [fromFormat, host]),
            OptionGroup("Chains", [live, chain]),
            OptionGroup("Trust", [TrustFlags.anchors, TrustFlags.systemAnchors, TrustFlags.time]),
            ConnectionFlags.group,
            OptionGroup("Several hosts", LoadFlags.declared),
        ],
        examples: [
            Example("pinctl lint pins.json", "what can be told without a connection"),
            Example("pinctl lint --live pins.json", "and what the hosts themselves say of it"),
            Example("pinctl lint --strict --format github pins.json app/Info.plist", "in a workflow of GitHub Actions"),
            Example("pinctl lint --within 90 --at 2027-03-01 pins.json", "what will end in spring"),
        ],
        notes: [
            Note(
                "Findings",
                "Each has a code, a severity, a place, a reason and a next step. Docs/lint.md has a table of the codes. What"
                    + " other commands refuse at the first mistake is explained here mistake by mistake.",
                rows: [
                    "error": "it does not work, or not as it is meant to",
                    "warning": "it works today, and is a risk",
                    "note": "nothing is wrong, and someone should know",
                ]
            ),
            Note(
                "Exit status",
                rows: [
                    "0": "yes: there are no errors, and with --strict no warnings",
                    "1": "no: there are",
                    "2": "a file cannot be read, or is no pin set; the others were linted all the same",
                    "3": "could not tell: with --live, a host gave no chain",
                ]
            ),
        ]
    )

    static func run(_ values: Values, _ console: Console) throws(CommandError) -> ExitStatus {
        let plan = try LintPlan(values, console)
        var status = ExitStatus.success
        var results: [LintResult] = []
        for path in plan.files {
            do throws(CommandError) {
                let result = try plan.lint(path, console)
                status = status.combined(with: result.status(isStrict: plan.isStrict))
                results.append(result)
            } catch {
                guard plan.files.count > 1 else { throw error }
                console.writeError(Message.error(error.message, hint: error.hint))
                status = status.combined(with: error.status)
                results.append(LintResult(path: path, findings: [], error: error))
            }
        }
        if let error = plan.unusedChain(results) {
            console.writeError(Message.error(error.message, hint: error.hint))
            status = status.combined(with: error.status)
        }
        let report = LintReport(plan, results)
        console.write(report.output(style: Style(values[ColorChoice.option], on: console), width: console.width))
        console.writeError(report.closingLine)
        return status
    }
}
