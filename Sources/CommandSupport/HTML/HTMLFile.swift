package import Arguments
internal import Encodings
package import HTMLReports
package import Pinning

/// The file of `--html`: the report of a run as one HTML page, beside the output of `--format`.
package struct HTMLFile {
    package static let option = Option.optional(
        "html", takes: Value.path("FILE"), conflicts: [TargetFlags.resume],
        help: "also write a report for people to FILE: one HTML page without scripts, beside the output of --format"
    )

    private let file: OutputFile

    /// The file of the option; nil without the option.
    ///
    /// - Parameter others: the other files of the command line.
    /// - Throws: ``CommandError`` if pinctl finds in advance that the file cannot be written, or if it is one of the other files.
    package static func file(in values: Values, others: [String?]) throws(CommandError) -> HTMLFile? {
        guard let path = values[option] else { return nil }
        guard path != "-" else {
            throw CommandError("\"--html -\": the report needs a file", hint: "use a file name such as report.html")
        }
        let file = try OutputFile(path)
        let others = others.compactMap(\.self).filter { $0 != "-" }
        if !OutputFile.isSpecial(path), let same = others.first(where: { refers($0, to: file) }) {
            throw CommandError(
                "\"--html \(path)\" is also another file of the command line, \(same.quoted), and would replace it",
                hint: "use another file name such as report.html")
        }
        return HTMLFile(file: file)
    }

    /// Writes the report completely or not at all.
    package func write(_ report: HTMLReport, _ console: Console) throws(CommandError) {
        do throws(CommandError) { try file.write(report.html) } catch { throw error.with(.undecided) }
        if console.isErrorTerminal { console.writeError(Message.wrote(file.path)) }
    }

    private static func refers(_ path: String, to file: OutputFile) -> Bool {
        path == file.path || OutputFile.resolved(path).map { $0 == OutputFile.resolved(file.target) } ?? false
    }
}

extension HTMLReport {
    /// The report of a subcommand. Results that were not received are a gap.
    package init(
        _ command: Command, input: String?, time: Timestamp, contents: ReportContents, status: ExitStatus,
        _ console: Console, subject: Subject = .hosts
    ) {
        self.init(
            command: command.name, version: ToolVersion.current, input: input, time: time, subject: subject,
            contents: contents)
        if status == .interrupted {
            gap = "the run was interrupted, so only the hosts that were finished are in this report."
        } else if console.isClosed {
            gap = "standard output was closed during the run, so hosts may be missing."
        }
    }
}
