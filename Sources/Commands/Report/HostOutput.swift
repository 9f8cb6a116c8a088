internal import Fetching

/// Takes results as they come, and puts what the report makes of them in its place.
final class HostOutput<Outcome> {
    private let report: any HostReport<Outcome>
    private let console: Console
    private let file: String?
    private var gathered: [UInt8] = []
    private var waiting: [Int: HostPiece] = [:]
    private var nextIndex = 0
    private var isEmpty = true
    private var endsWithLine = false
    private var status = ExitStatus.yes

    /// - Parameter file: where the output goes instead of to the console.
    init(_ report: any HostReport<Outcome>, to console: Console, file: String? = nil) {
        (self.report, self.console, self.file) = (report, console, file)
        put(report.start.utf8)
    }

    /// Nobody reads any more.
    var isClosed: Bool { console.isClosed }

    /// - Parameter index: the host's place among all, from 0; each has one result.
    func take(_ outcome: Outcome, at index: Int) throws(CommandError) {
        let piece = try report.piece(for: outcome)
        guard !report.isStreamed else { return emit(piece) }
        waiting[index] = piece
        while let next = waiting.removeValue(forKey: nextIndex) {
            emit(next)
            nextIndex += 1
        }
    }

    /// Ends the report.
    ///
    /// - Returns: what all results come to.
    func finish() throws(CommandError) -> ExitStatus {
        put(report.end.utf8)
        if let file, !isEmpty { try OutputFile.write(gathered, to: file) }
        return status
    }

    private func emit(_ piece: HostPiece) {
        if !piece.output.isEmpty {
            if !isEmpty, !(endsWithLine && piece.isLine) { put(report.separator.utf8) }
            put(piece.output)
            (isEmpty, endsWithLine) = (false, piece.isLine)
        }
        if !piece.messages.isEmpty { console.writeError(piece.messages) }
        status = status.combined(with: piece.status)
        // Whoever reads along sees each host as it is done.
        if report.isStreamed || console.isOutputTerminal { console.flush() }
    }

    private func put(_ bytes: some Collection<UInt8>) {
        if file == nil { console.write(bytes) } else { gathered += bytes }
    }
}

extension HostOutput where Outcome == Fetcher.Result {
    /// Takes every result there is.
    func run(_ fetcher: Fetcher) throws(CommandError) -> ExitStatus {
        do {
            while !isClosed, let result = fetcher.next() { try take(result, at: result.index) }
            return try finish()
        } catch {
            throw error.with(.unknown)
        }
    }
}
