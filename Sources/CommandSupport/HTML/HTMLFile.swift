package import Arguments
internal import Encodings
package import HTMLReports
package import Pinning

/// The file of `--html`: the report of a run as one HTML page, beside the output of `--format`.
package struct HTMLFile {
    package static let option = Option.optional(
        "html", takes: Value.outputPath("FILE"), conflicts: [TargetFlags.resume],
        help: "also write a report for people to FILE: one HTML page without scripts, beside the output of --format"
    )

    private let file: OutputFile

    /// The file of the option; nil without the option.
    ///
    /// - Throws: ``CommandError`` if pinctl finds in advance that the file cannot be written.
    package static func file(in values: Values) throws(CommandError) -> HTMLFile? {
        guard let path = values[option] else { return nil }
        guard path != "-" else {
            throw CommandError("\"--html -\": the report needs a file", hint: "use a file name such as report.html")
        }
        return HTMLFile(file: try OutputFile(path))
    }

    /// Writes the report completely or not at all.
    package func write(_ report: HTMLReport, _ console: Console) throws(CommandError) {
        do throws(CommandError) { try file.write(report.html) } catch { throw error.with(.undecided) }
        if console.isErrorTerminal { console.writeError(Message.wrote(file.path)) }
    }
}

extension HTMLReport {
    /// The report of a subcommand.
    ///
    /// - Parameter gaps: Why results are missing, as clauses. A closed standard output is one more.
    package init(
        _ command: Command, input: String?, time: Timestamp, contents: ReportContents, gaps: [String] = [],
        _ console: Console, subject: Subject = .hosts
    ) {
        self.init(
            command: command.name, version: ToolVersion.current, input: input, time: time, subject: subject,
            contents: contents)
        self.gaps =
            gaps + (console.loss.map { ["\($0) during the run, so hosts may be missing"] } ?? [])
    }
}
