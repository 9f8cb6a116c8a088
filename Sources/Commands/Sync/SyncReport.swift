internal import Arguments
internal import Pinning

/// What `sync` prints: text for people, JSON, or a document for continuous integration.
struct SyncReport {
    private let plan: SyncPlan
    private let format: CheckFormat
    private let style: Style

    static let words = ClosingLine.Words(
        many: "copies", pass: "say what the set says", passes: "says what the set says")

    init(_ plan: SyncPlan, as format: CheckFormat, style: Style) {
        (self.plan, self.format, self.style) = (plan, format, style)
    }

    var start: String { format == .json ? JSONList.start(schema: "pinctl/sync/1", list: "copies") : "" }
    var separator: String { format == .json ? JSONList.separator : "" }

    /// What is printed of a copy as soon as it is done.
    func piece(for copy: SyncedCopy) -> [UInt8] {
        switch format {
        case .json: JSONList.element { $0.copy(copy) }
        case .ndjson: JSONList.line { $0.copy(copy) }
        case .text: Array(text(of: copy).utf8)
        case .junit, .sarif, .github, .prometheus: []
        }
    }

    /// For standard error, where the report itself does not say it; nil where nothing failed.
    func message(on copy: SyncedCopy) -> String? {
        guard format == .text, copy.status == .failed, let failure = copy.failure else { return nil }
        let place = failure.line.map { "\(copy.path):\($0)" } ?? copy.path
        return Message.error("\(place): \(failure.message)", hint: failure.hint)
    }

    func end(_ copies: [SyncedCopy]) -> [UInt8] {
        guard let document = format.document else { return format == .json ? Array(JSONList.end.utf8) : [] }
        return CheckReport.write(checkRun(copies), as: document)
    }

    /// For standard error; empty where there is nothing to add.
    func closingLine(_ copies: [SyncedCopy]) -> String {
        let line = ClosingLine(Self.words, of: checkRun(copies).cases)
        guard line.fails || (format == .text && !copies.isEmpty) else { return "" }
        return Message.closing(line.text)
    }

    private func checkRun(_ copies: [SyncedCopy]) -> CheckRun {
        let cases = copies.map { $0.checkCase(by: plan) }
        return CheckRun(
            command: SyncCommand.command.name, time: .now, cases: cases,
            summary: ClosingLine(Self.words, of: cases).text, rules: SyncedCopy.rules)
    }

    // MARK: Text

    private func text(of copy: SyncedCopy) -> String {
        let word = copy.status.rawValue.padded(to: 9)
        let status =
            switch copy.status {
            case .equal, .written: style(.good, word)
            case .different, .failed: style(.bad, word)
            }
        var text = "\(status)  \(copy.path.escaped)" + (copy.format.map { " (\($0.rawValue))" } ?? "") + "\n"
        for difference in copy.differences {
            text += copy.status == .written ? "  before: " : "  "
            text += (difference.host.map { "\($0.escaped): " } ?? "")
            text += difference.message.escaped + (difference.line.map { " (line \($0))" } ?? "") + "\n"
        }
        if copy.status == .different, let failure = copy.failure {
            text += "  --write will not mend it: \(failure.message.escaped)\n"
        }
        return text + notes(on: copy)
    }

    /// What a format cannot say is the same at each run, so it is told in one line.
    private func notes(on copy: SyncedCopy) -> String {
        let kept = copy.notes.filter(\.isOfKeptHost)
        var text = kept.map { "  note: \($0.host?.escaped ?? ""): \($0.message.escaped)\n" }.joined()
        let count = copy.notes.count - kept.count
        if count > 0, let format = copy.format {
            text +=
                "  note: \(format.rawValue) cannot say all of the set, in \(count) \(count == 1 ? "point" : "points"):"
                + " --format json names \(count == 1 ? "it" : "them")\n"
        }
        return text
    }
}

extension JSONWriter {
    fileprivate mutating func copy(_ copy: SyncedCopy) {
        object { fields in
            fields.field("file", copy.path)
            fields.field("format", copy.format?.rawValue)
            fields.field("status", copy.status.rawValue)
            fields.array("differences") { array in
                for difference in copy.differences {
                    array.object { item in
                        item.field("code", difference.code.rawValue)
                        item.field("host", difference.host)
                        item.field("pin", difference.pin?.base64)
                        item.field("line", difference.line)
                        item.field("message", difference.message)
                    }
                }
            }
            fields.array("notes") { array in
                for note in copy.notes {
                    array.object { item in
                        item.field("host", note.host)
                        item.field("message", note.message)
                    }
                }
            }
            guard let failure = copy.failure else { return fields.null("error") }
            fields.object("error") { item in
                item.field("message", failure.message)
                item.field("hint", failure.hint)
                item.field("line", failure.line)
            }
        }
    }
}
