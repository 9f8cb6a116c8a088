package import Pinning

/// The report of one run, as one HTML document without scripts and external resources.
///
/// Its memory is limited for any number of hosts: ``Limits``.
package struct HTMLReport: Sendable {
    /// What the run checked.
    package enum Subject: Sendable {
        case hosts, files

        func name(count: Int) -> String {
            switch self {
            case .hosts: count == 1 ? "host" : "hosts"
            case .files: count == 1 ? "file" : "files"
            }
        }
    }

    /// Maximum numbers of what the document shows. It names what is left out.
    package struct Limits: Sendable {
        /// Sections of failing hosts.
        package var failingSections = 200
        /// Sections of other hosts.
        package var otherSections = 100
        /// Rows in the table of all hosts.
        package var rows = 5000
        /// Hosts in the survival table; failing hosts come first.
        package var survivalHosts = 100
        /// Rows of the expiry timeline.
        package var expiries = 30
        /// Authorities by name.
        package var authorities = 40
        /// Findings of each severity.
        package var findings = 1000

        package init() {}
    }

    /// The subcommand, such as `verify`.
    package let command: String
    /// The version of pinctl.
    package let version: String
    /// The input, such as the name of the pin set; nil if the hosts are the input.
    package let input: String?
    package let time: Timestamp
    package let subject: Subject
    package let contents: ReportContents
    /// The summary of the run, as the command prints it.
    package var summary = ""
    /// Why the report lacks hosts, as clauses; empty if it is complete.
    package var gaps: [String] = []
    /// Remarks on the whole report: sentences in lower case, without a full stop.
    package var notes: [String] = []

    package init(
        command: String, version: String, input: String?, time: Timestamp, subject: Subject = .hosts,
        contents: ReportContents
    ) {
        (self.command, self.version, self.input, self.time) = (command, version, input, time)
        (self.subject, self.contents) = (subject, contents)
    }
}
