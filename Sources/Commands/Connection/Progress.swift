internal import Arguments
internal import Fetching

/// How far a run is: counts by outcome, and a line of them on a terminal that is redrawn in its place.
struct Progress {
    private let stream: TargetStream
    /// Where it is drawn; nil for nowhere.
    private let console: Console?
    private let order: [String]
    private let start = MonotonicTime.now
    private var counts: [String: Int] = [:]
    private var failures = 0
    private(set) var done = 0
    private var targets = 0
    var refusedLines = 0
    /// When the line is to be redrawn; nil where there is none.
    private(set) var nextRedraw: MonotonicTime?

    private static let interval = Duration.milliseconds(250)
    /// Before this it is too early to tell how long the rest takes.
    private static let leastSeconds = 1.0

    /// The summary says how long a run took that took longer than this.
    private static let worthTelling = 10.0

    /// - Parameters:
    ///   - console: where the line is drawn, if standard error is a terminal; nil for nowhere.
    ///   - order: names of outcomes, in the order in which they are told.
    init(_ stream: TargetStream, on console: Console?, order: [String]) {
        (self.stream, self.order) = (stream, order)
        self.console = console?.isErrorTerminal == true ? console : nil
        if self.console != nil { nextRedraw = start + Self.interval }
    }

    /// - Parameter isLast: whether its target has no further result.
    mutating func count(_ name: String, isFailure: Bool, isLast: Bool) {
        done += 1
        if isLast { targets += 1 }
        if isFailure { failures += 1 }
        counts[name, default: 0] += 1
    }

    mutating func redrawIfDue() {
        guard let console, let nextRedraw, nextRedraw <= .now else { return }
        console.drawStatus(line)
        self.nextRedraw = .now + Self.interval
    }

    func erase() { console?.drawStatus("") }

    /// For whoever asks.
    var report: String { Message.closing(line) }

    /// What all came to.
    func summary(isCutShort: Bool) -> String {
        let hosts = done == 1 ? "1 host" : "\(done) hosts"
        let names = order + counts.keys.filter { !order.contains($0) }.sorted()
        var parts = names.compactMap { name in counts[name].map { "\($0) \(name)" } }
        if stream.skipped > 0 { parts.append("\(stream.skipped) answered before") }
        if refusedLines > 0 { parts.append(refusedLines == 1 ? "1 line not read" : "\(refusedLines) lines not read") }
        let list = parts.isEmpty ? "" : ": " + parts.joined(separator: ", ")
        let time = seconds < Self.worthTelling ? "" : " in \(Self.text(ofSeconds: seconds))"
        return Message.closing("\(isCutShort ? "ended early: " : "")\(hosts)\(time)\(list)")
    }

    private var seconds: Double { Double(MonotonicTime.now.nanoseconds - start.nanoseconds) / 1e9 }

    private var line: String {
        var parts = ["\(done) done", "\(failures) failed"]
        if refusedLines > 0 { parts.append("\(refusedLines) lines not read") }
        let seconds = seconds
        parts.append("\(seconds > 0 ? Int(Double(done) / seconds) : 0)/s")
        if seconds >= Self.leastSeconds, let fraction = stream.fraction(done: targets + refusedLines), fraction > 0 {
            parts.append("\(Self.text(ofSeconds: seconds * (1 - fraction) / fraction)) left")
        }
        return parts.joined(separator: ", ")
    }

    /// "0.4 s", "12 s", "3 min 20 s", "2 h 5 min"
    private static func text(ofSeconds seconds: Double) -> String {
        guard seconds.isFinite, seconds < 1e9 else { return "a long time" }
        if seconds < 10 { return "\(Double(Int(seconds * 10)) / 10) s" }
        let whole = Int(seconds)
        if whole < 120 { return "\(whole) s" }
        if whole < 7200 { return "\(whole / 60) min \(whole % 60) s" }
        return "\(whole / 3600) h \(whole / 60 % 60) min"
    }
}
