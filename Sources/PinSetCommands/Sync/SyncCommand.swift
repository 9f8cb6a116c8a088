internal import Arguments
internal import CommandSupport
internal import PinSetCodec
internal import PinSetFormats
internal import PinSetMaintenance
internal import Pinning

/// `pinctl sync`: keeps the copies of a pin set in a repository up to date.
enum SyncCommand {
    static let manifest = Operand.one(
        Value.path("MANIFEST"), help: "JSON file that names the set and its copies; - is standard input")

    static let check = Option.flag("check", help: "report differences; change nothing")
    static let write = Option.flag("write", conflicts: [check], help: "update every copy")

    static let command = Command(
        "sync", summary: "keep the copies of a pin set in a repository up to date", operands: manifest,
        options: [
            OptionGroup("Action", [check, write]),
            OptionGroup("Report", [CheckFormat.option, ColorChoice.option]),
        ],
        examples: [
            Example("pinctl sync --check pinctl-sync.json", "compare every copy with the set"),
            Example("pinctl sync --write pinctl-sync.json", "update the copies"),
            Example(
                "pinctl sync --check --format github pinctl-sync.json",
                "report differences as annotations of a pull request"),
        ],
        notes: [
            Note(
                "Manifest",
                #"For example {"version":1,"set":"pins.json","copies":[{"file":"ios/App/Info.plist"}]}. Paths are relative"#
                    + " to the manifest. Other fields of a copy:",
                rows: [
                    "format": "the format (default: detected from the contents)",
                    "hosts": "the hosts of the set in this copy (default: all)",
                    "certificates":
                        "certificate files and folders, for \(PinSetFormat.names { $0.writingInputs.contains(.certificates) })",
                    "sign": "private key for signing, for \(PinSetFormat.names(using: .signingKey))",
                    "others": "\"keep\" keeps hosts that are not in the set (default: remove them)",
                    "overwrite": "true replaces the whole file, whatever it contains",
                ]
            ),
            Note(
                "Comparison",
                "pinctl compares the pins and settings of the copy with those of the set in the same format. A setting that the"
                    + " format does not support is a note, not a difference. Layout is not compared."
            ),
            Note(
                "Writing",
                "In an existing file in the format \(FormatTraits.mergingNames(conjunction: "or")), pinctl changes only the pins."
                    + " In source code, it replaces the lines between pinctl:begin and pinctl:end. It replaces a whole file only"
                    + " if pinctl wrote all of it, or if the manifest has \"overwrite\": true."
            ),
            Note(
                "Exit status",
                rows: [
                    "0": "every copy matches the set, or was updated",
                    "1": "a copy differs, or --write refused to replace a file that contains more than pins",
                    "2": "the manifest, the set or a copy could not be read, or a copy could not be written",
                    "3": "another process was writing to a copy, or standard output was closed early",
                ]
            ),
        ]
    )

    static func run(_ values: Values, _ console: Console) throws(CommandError) -> ExitStatus {
        let plan = try SyncPlan(values, console)
        for warning in plan.warnings { console.writeError(warning) }
        let report = SyncReport(
            plan, as: values[CheckFormat.option], style: Style(values[ColorChoice.option], on: console),
            width: console.width)
        var copies: [SyncedCopy] = []
        var status = ExitStatus.success
        console.write(report.start)
        var companions = SyncCompanions(by: plan)
        for copy in plan.manifest.copies {
            let copy = SyncedCopy(copy, by: plan, &companions)
            if !copies.isEmpty { console.write(report.separator) }
            console.write(report.fragment(for: copy))
            if let message = report.message(on: copy) { console.writeError(message) }
            status = status.combined(with: copy.exitStatus)
            copies.append(copy)
        }
        console.write(report.end(copies))
        console.writeError(report.summaryLine(copies))
        return status
    }
}

extension ConversionWarning {
    /// Whether the note is about a host that the copy keeps.
    var isOfKeptHost: Bool { reason == .otherHost(.kept) }
}
