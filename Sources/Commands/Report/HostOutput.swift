internal import Fetching

/// Takes results as they come, and puts what the report makes of them in its place.
final class HostOutput<Outcome> {
    enum Destination {
        case console
        case file(String)
        case resumed(ResumeFile)
    }

    private let report: any HostReport<Outcome>
    private let console: Console
    private let destination: Destination
    private var gathered: [UInt8] = []
    /// The file that takes its name at the end, from when it is worth one.
    private var pending: PendingFile?
    /// Pieces of hosts whose turn has not come, and of the one that has more to come.
    private var waiting: [Int: [HostPiece]] = [:]
    private var unfinished: [HostPiece] = []
    private var waitingBytes = 0
    private var nextIndex = 0
    private var isEmpty = true
    private var hasStarted = false
    private var endsWithLine = false
    private var status = ExitStatus.success

    init(_ report: any HostReport<Outcome>, to console: Console, _ destination: Destination = .console) {
        (self.report, self.console, self.destination) = (report, console, destination)
    }

    /// Nobody reads any more.
    var isClosed: Bool { console.isClosed }

    /// What waits for the result of a host before it takes more room than it should: no further host ought to be begun with.
    var isCrowded: Bool { waitingBytes > Self.waitingBound }

    private static var waitingBound: Int { 16 << 20 }
    /// What a piece takes beside its contents, more or less.
    private static var pieceOverhead: Int { 200 }

    /// - Parameters:
    ///   - index: the host's place among all, from 0.
    ///   - isLast: whether this is the last, or only, result of that host.
    /// - Returns: the part of it in the status of the whole.
    @discardableResult
    func take(_ outcome: Outcome, at index: Int, isLast: Bool = true) throws(CommandError) -> ExitStatus {
        let piece = try report.piece(for: outcome)
        guard isLast, unfinished.isEmpty else {
            unfinished.append(piece)
            guard isLast else { return piece.status }
            let pieces = unfinished
            unfinished = []
            try take(pieces, at: index)
            return piece.status
        }
        try take([piece], at: index)
        return piece.status
    }

    private func take(_ pieces: [HostPiece], at index: Int) throws(CommandError) {
        guard !report.isStreamed, index != nextIndex else {
            for piece in pieces { try emit(piece) }
            nextIndex += 1
            if !waiting.isEmpty { try emitWaiting() }
            return
        }
        waiting[index] = pieces
        waitingBytes += pieces.reduce(0) { $0 + Self.size(of: $1) }
    }

    /// Hands what was given so far to the system.
    func flush() throws(CommandError) {
        switch destination {
        case .console: console.flush()
        // Nobody sees it before its end.
        case .file: break
        case .resumed(let file):
            guard !gathered.isEmpty else { return }
            try file.append(gathered)
            gathered.removeAll(keepingCapacity: true)
        }
    }

    private func save(to path: String) throws(CommandError) {
        if pending == nil { pending = try PendingFile(path) }
        try pending?.append(gathered)
        gathered.removeAll(keepingCapacity: true)
    }

    /// Ends the report.
    ///
    /// - Returns: what all results come to.
    func finish() throws(CommandError) -> ExitStatus {
        // Of a run that was broken off there may be results that waited for others which will not come.
        for index in waiting.keys.sorted() { for piece in waiting[index, default: []] { try emit(piece) } }
        waiting = [:]
        start()
        put(report.end.utf8)
        if case .file(let path) = destination {
            guard !isEmpty else { return status }
            try save(to: path)
            try pending?.finish()
        } else {
            try flush()
        }
        return status
    }

    private func emitWaiting() throws(CommandError) {
        while let next = waiting.removeValue(forKey: nextIndex) {
            waitingBytes -= next.reduce(0) { $0 + Self.size(of: $1) }
            for piece in next { try emit(piece) }
            nextIndex += 1
        }
    }

    private func emit(_ piece: HostPiece) throws(CommandError) {
        start()
        if !piece.output.isEmpty {
            if !isEmpty, !(endsWithLine && piece.isLine) { put(report.separator.utf8) }
            put(piece.output)
            (isEmpty, endsWithLine) = (false, piece.isLine)
        }
        if !piece.messages.isEmpty { console.writeError(piece.messages) }
        status = status.combined(with: piece.status)
        guard gathered.count >= Self.largestWrite else { return }
        switch destination {
        case .console: break
        case .file(let path): try save(to: path)
        case .resumed: try flush()
        }
    }

    /// What is written to a file at once.
    private static var largestWrite: Int { 1 << 16 }

    private func start() {
        guard !hasStarted else { return }
        hasStarted = true
        put(report.start.utf8)
    }

    private func put(_ bytes: some Collection<UInt8>) {
        if case .console = destination { console.write(bytes) } else { gathered += bytes }
    }

    private static func size(of piece: HostPiece) -> Int {
        piece.output.count + piece.messages.utf8.count + pieceOverhead
    }
}
