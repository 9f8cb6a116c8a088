internal import Arguments
internal import Pinning

/// `pinctl sync`: the copies of a pin set in a repository, kept equal to it.
enum SyncCommand {
    static let manifest = Operand.one(
        Value.path("MANIFEST"), help: "the JSON that names the set and its copies; - is standard input")

    static let check = Option.flag("check", help: "tell what differs, and change nothing")
    static let write = Option.flag("write", conflicts: [check], help: "bring every copy into line with the set")

    static let command = Command(
        "sync", summary: "keep the copies of a pin set in a repository equal to it", operands: manifest,
        options: [
            OptionGroup("What to do", [check, write]),
            OptionGroup("What to give", [CheckFormat.option, ColorChoice.option]),
        ],
        examples: [
            Example("pinctl sync --check pinctl-sync.json", "does every copy say what the set says?"),
            Example("pinctl sync --write pinctl-sync.json", "bring them into line"),
            Example("pinctl sync --check --format github pinctl-sync.json", "differences as annotations of a change"),
        ],
        notes: [
            Note(
                "Manifest",
                #"{"version":1,"set":"pins.json","copies":[{"file":"ios/App/Info.plist"}]} for one. Paths are relative"#
                    + " to the manifest. Beside its file a copy may have:",
                rows: [
                    "format": "as convert names it; its contents tell otherwise",
                    "hosts": "those of the set that it holds; otherwise all",
                    "certificates": "files and folders, for alamofire and wultra",
                    "sign": "the private key, for wultra",
                    "others": "\"keep\": hosts stay that the set does not have; otherwise they are removed",
                    "overwrite": "true: the whole file is pinctl's, whatever it holds",
                ]
            ),
            Note(
                "What is compared",
                "What the copy says with what the set says in that format. What a format cannot say is a note, and no"
                    + " difference; nor is how a file is laid out."
            ),
            Note(
                "What is written",
                "In an Info.plist, a network_security_config.xml and TrustKit's property list what is about pins, and nothing"
                    + " else. In source what stands between the lines pinctl:begin and pinctl:end. A whole file only where it"
                    + " holds nothing but what pinctl wrote, or where the manifest says \"overwrite\": true."
            ),
            Note(
                "Exit status",
                rows: [
                    "0": "every copy says what the set says, or does now",
                    "1": "a copy differs, or --write left one as it is, for it holds more than pins",
                    "2": "the manifest, the set or a copy could not be read, or a copy could not be written",
                ]
            ),
        ]
    )

    static func run(_ values: Values, _ console: Console) throws(CommandError) -> ExitStatus {
        let plan = try SyncPlan(values, console)
        for warning in plan.warnings { console.writeError(warning) }
        let report = SyncReport(
            plan, as: values[CheckFormat.option], style: Style(values[ColorChoice.option], on: console))
        var copies: [SyncedCopy] = []
        var status = ExitStatus.success
        console.write(report.start)
        for copy in plan.manifest.copies {
            let copy = SyncedCopy(copy, by: plan, console)
            if !copies.isEmpty { console.write(report.separator) }
            console.write(report.piece(for: copy))
            if let message = report.message(on: copy) { console.writeError(message) }
            status = status.combined(with: copy.exitStatus)
            copies.append(copy)
        }
        console.write(report.end(copies))
        console.writeError(report.closingLine(copies))
        return status
    }
}

extension PinSetLoss {
    /// Whether it is no loss, but a host of the file that stays there.
    var isOfKeptHost: Bool { message == OtherHosts.kept.loss }
}
