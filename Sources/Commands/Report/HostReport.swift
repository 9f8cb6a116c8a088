/// One form in which results about hosts are given.
protocol HostReport<Outcome>: AnyObject {
    /// What there is to tell of one host.
    associatedtype Outcome

    /// Each host is given as it finishes, and not in input order.
    var isStreamed: Bool { get }
    /// What stands before the first host, between two, and after the last.
    ///
    /// `end` is asked for when every host has had its piece.
    var start: String { get }
    var separator: String { get }
    var end: String { get }

    /// What one host's result adds.
    func piece(for outcome: Outcome) throws(CommandError) -> HostPiece
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
    /// A line among others, with no separator between it and the next such line.
    var isLine = false
    /// For standard error: whole lines.
    var messages = ""
    var status = ExitStatus.success
}
