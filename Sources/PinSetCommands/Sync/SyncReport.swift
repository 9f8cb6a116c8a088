internal import Arguments
internal import CheckReports
internal import CommandSupport
internal import Encodings
internal import PinSetCodec
internal import PinSetMaintenance
internal import Pinning

/// Writes the results of `sync` as text, JSON, or a CI document.
struct SyncReport {
    private let plan: SyncPlan
    private let format: CheckFormat
    private let style: Style
    /// Maximum width of the text in columns; nil for no limit.
    private let width: Int?

    static let words = SummaryLine.Words(
        plural: "copies", pass: "match the set", passes: "matches the set")

    init(_ plan: SyncPlan, as format: CheckFormat, style: Style, width: Int?) {
        self.plan = plan
        self.format = format
        self.style = style
        self.width = width
    }

    var start: String { format == .json ? JSONList.start(schema: "pinctl/sync/1", list: "copies") : "" }
    var separator: String { format == .json ? JSONList.separator : "" }

    /// The part of the report for one copy.
    func fragment(for copy: SyncedCopy) -> [UInt8] {
        switch format {
        case .json: JSONList.element { $0.copy(copy) }
        case .ndjson: JSONList.line { $0.copy(copy) }
        case .text: Array(text(of: copy).utf8)
        case .junit, .sarif, .github, .prometheus: []
        }
    }

    /// The error message for a failed copy in text format; otherwise nil.
    func message(on copy: SyncedCopy) -> String? {
        guard format == .text, copy.status == .failed, let failure = copy.failure else { return nil }
        let location = failure.line.map { "\(copy.shownPath):\($0)" } ?? copy.shownPath
        return Message.error("\(location): \(failure.message)", hint: failure.hint)
    }

    func end(_ copies: [SyncedCopy]) -> [UInt8] {
        guard let document = format.document else { return format == .json ? Array(JSONList.end.utf8) : [] }
        return CheckReport.write(checkRun(copies), as: document, version: ToolVersion.current)
    }

    /// The last line for standard error; empty if it has no information.
    func summaryLine(_ copies: [SyncedCopy]) -> String {
        let line = SummaryLine(
            Self.words, of: copies.map { $0.checkCase(by: plan, withSteps: format != .text || $0.status != .failed) })
        guard line.fails || (format == .text && !copies.isEmpty) else { return "" }
        return Message.closing(line.text)
    }

    private func checkRun(_ copies: [SyncedCopy]) -> CheckRun {
        let cases = copies.map { $0.checkCase(by: plan) }
        return CheckRun(
            command: SyncCommand.command.name, time: .now, cases: cases,
            summary: SummaryLine(Self.words, of: cases).text, rules: SyncedCopy.rules)
    }

    // MARK: Text

    private func text(of copy: SyncedCopy) -> String {
        let word = copy.status.rawValue.padded(to: 9)
        let status =
            switch copy.status {
            case .equal, .written: style(.good, word)
            case .different, .failed: style(.bad, word)
            }
        var text = "\(status)  \(copy.shownPath.escaped)" + (copy.format.map { " (\($0.rawValue))" } ?? "") + "\n"
        for difference in copy.differences {
            text += detail(
                (copy.status == .written ? "before: " : "") + (difference.host.map { "\($0.escaped): " } ?? "")
                    + difference.message.escaped + (difference.line.map { " (line \($0))" } ?? ""))
        }
        if copy.status == .different, let failure = copy.failure {
            text += detail("--write cannot update it: \(failure.message.escaped)")
        }
        return text + notes(on: copy)
    }

    /// The losses of a copy. Those that change what is pinned have a line each. The others are counted, because they are the same
    /// in each run.
    private func notes(on copy: SyncedCopy) -> String {
        let kept = copy.notes.filter(\.isOfKeptHost)
        var text = kept.map { detail("note: \($0.host?.escaped ?? ""): \($0.message.escaped)") }.joined()
        let groups = ConversionWarningGroup.groups(of: copy.notes.filter { !$0.isOfKeptHost })
        let harmful = groups.filter { $0.harm <= .unpins }
        text += harmful.map { detail("warning: \($0.sentence.escaped)", coloring: "warning") }.joined()
        let others = groups.filter { $0.harm > .unpins }
        guard !others.isEmpty, let format = copy.format else { return text }
        let hosts = Set(others.flatMap(\.hosts)).count
        let settings = others.count == 1 ? "1 setting has" : "\(others.count) settings have"
        let place = hosts == 0 ? "" : hosts == 1 ? " for 1 host" : " for \(hosts) hosts"
        return text
            + detail("note: \(format.rawValue): \(settings) no equivalent\(place) (list with --format json)")
    }

    /// A line about a copy, wrapped to the width of the terminal.
    ///
    /// - Parameter word: the first word, if it has a colour.
    private func detail(_ text: String, coloring word: String = "") -> String {
        let room = width.map { max(Self.minimumColumns, $0 - 2 * Self.indentation.count) }
        var lines = text.wrapped(to: room)
        if !word.isEmpty, let first = lines.first, first.begins(with: word) {
            lines[0] = style(.careful, word) + first.dropFirst(word.count)
        }
        return Self.indentation + lines.joined(separator: "\n" + Self.indentation + Self.indentation) + "\n"
    }

    private static let indentation = "  "
    private static let minimumColumns = 30
}

extension JSONWriter {
    fileprivate mutating func copy(_ copy: SyncedCopy) {
        object { fields in
            fields.field("file", copy.shownPath)
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
                        item.field("severity", (note.harm <= .unpins ? LintFinding.Severity.warning : .note).rawValue)
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
