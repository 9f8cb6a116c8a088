internal import Fetching

/// Takes results as they come, and puts what the report makes of them in its place.
final class HostOutput {
    private let report: any HostReport
    private let console: Console
    private let file: String?
    private var gathered: [UInt8] = []
    private var waiting: [Int: HostPiece] = [:]
    private var nextIndex = 0
    private var isEmpty = true
    private var status = ExitStatus.yes

    /// - Parameter file: where the output goes instead of to the console.
    init(_ report: any HostReport, to console: Console, file: String? = nil) {
        (self.report, self.console, self.file) = (report, console, file)
        put(report.start.utf8)
    }

    /// Takes every result there is.
    func run(_ fetcher: Fetcher) throws(CommandError) -> ExitStatus {
        while !console.isClosed, let result = fetcher.next() { try take(result) }
        put(report.end.utf8)
        if let file, !isEmpty { try OutputFile.write(gathered, to: file) }
        return status
    }

    private func take(_ result: Fetcher.Result) throws(CommandError) {
        let piece = try report.piece(for: result)
        guard !report.isStreamed else { return emit(piece) }
        waiting[result.index] = piece
        while let next = waiting.removeValue(forKey: nextIndex) {
            emit(next)
            nextIndex += 1
        }
    }

    private func emit(_ piece: HostPiece) {
        if !piece.output.isEmpty {
            if !isEmpty { put(report.separator.utf8) }
            put(piece.output)
            isEmpty = false
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
