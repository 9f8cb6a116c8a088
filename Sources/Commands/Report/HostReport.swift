internal import Fetching
internal import Pinning

/// One form in which results about hosts are given.
protocol HostReport: AnyObject {
    /// Each host is given as it finishes, and not in input order.
    var isStreamed: Bool { get }
    /// What stands before the first host, between two, and after the last.
    var start: String { get }
    var separator: String { get }
    var end: String { get }

    /// What one host's result adds.
    func piece(for result: Fetcher.Result) throws(CommandError) -> HostPiece
}

extension HostReport {
    var isStreamed: Bool { false }
    var start: String { "" }
    var separator: String { "" }
    var end: String { "" }
}

/// What one host's result adds to the output.
struct HostPiece {
    /// For standard output, or the file in its place.
    var output: [UInt8] = []
    /// For standard error: whole lines.
    var messages = ""
    var status = ExitStatus.yes
}
