/// A report format for results about hosts.
protocol HostReport<Outcome>: AnyObject {
    /// The result for one host.
    associatedtype Outcome

    /// Whether results are written as hosts finish, not in input order.
    var isStreamed: Bool { get }
    /// Text before the first fragment.
    var start: String { get }
    /// Text between two fragments.
    var separator: String { get }
    /// Text after the last fragment. It is read once, after all fragments.
    var end: String { get }

    /// The fragment of the report for one host.
    func fragment(for outcome: Outcome) throws(CommandError) -> ReportFragment
}

extension HostReport {
    var isStreamed: Bool { false }
    var start: String { "" }
    var separator: String { "" }
    var end: String { "" }
}

/// The part of a report for one host.
struct ReportFragment {
    /// Bytes for standard output or the output file.
    var output: [UInt8] = []
    /// Whether the output is one line, which needs no separator before another line.
    var isLine = false
    /// Whole lines for standard error.
    var messages = ""
    var status = ExitStatus.success
}
