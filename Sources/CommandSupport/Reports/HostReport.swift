/// A report format for results about hosts.
package protocol HostReport<Outcome>: AnyObject {
    /// The result for one host.
    associatedtype Outcome: HostOutcome

    /// Whether a result is written as soon as its host finishes. Otherwise results are in input order.
    var isStreamed: Bool { get }
    /// Whether a fragment depends on those before it, so that all are created in the order of the output.
    var needsInputOrder: Bool { get }
    /// Text before the first fragment.
    var start: String { get }
    /// Text between two fragments.
    var separator: String { get }
    /// Text after the last fragment. It is read once, after all fragments.
    var end: String { get }
    /// Whether ``end`` contains results, so that an output file is written even if no fragment has output.
    var hasOutputAtEnd: Bool { get }

    /// Receives the reason if the run has no results for some hosts. It is called before ``end`` is read.
    ///
    /// - Parameter gap: a clause, such as "the run was interrupted, so hosts are missing".
    func add(gap: String)

    /// The fragment of the report for one host.
    func fragment(for outcome: Outcome) throws(CommandError) -> ReportFragment
}

extension HostReport {
    package var isStreamed: Bool { false }
    package var needsInputOrder: Bool { false }
    package var start: String { "" }
    package var separator: String { "" }
    package var end: String { "" }
    package var hasOutputAtEnd: Bool { false }
    package func add(gap: String) {}
}

/// The part of a report for one host.
package struct ReportFragment {
    /// Bytes for standard output or the output file.
    package var output: [UInt8] = []
    /// Whether the output is one line, which needs no separator before another line.
    package var isLine = false
    /// Whole lines for standard error.
    package var messages = ""
    package var status = ExitStatus.success

    package init(output: [UInt8] = [], isLine: Bool = false, messages: String = "", status: ExitStatus = .success) {
        self.output = output
        self.isLine = isLine
        self.messages = messages
        self.status = status
    }
}
