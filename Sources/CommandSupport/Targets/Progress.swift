internal import Encodings
internal import Fetching

/// Progress of a run: the number of hosts for each outcome, and a status line on a terminal.
package struct Progress {
    private let stream: TargetStream
    /// The terminal for the status line; nil for none.
    private let console: Console?
    private let order: [String]
    private let start = MonotonicTime.now
    private var counts: [String: Int] = [:]
    private var failures = 0
    private(set) var done = 0
    private var targets = 0
    package var refusedLines = 0
    /// Time of the next redraw; nil without a status line.
    private(set) var nextRedraw: MonotonicTime?

    private static let interval = Duration.milliseconds(250)
    /// Minimum run time for an estimate of the remaining time, in seconds.
    private static let minimumEstimateSeconds = 1.0

    /// Minimum run time that the summary reports, in seconds.
    private static let minimumReportedSeconds = 10.0

    /// - Parameters:
    ///   - console: The console that shows the status line if standard error is a terminal; nil for no status line.
    ///   - order: Names of outcomes in the order of the summary.
    package init(_ stream: TargetStream, on console: Console?, order: [String]) {
        (self.stream, self.order) = (stream, order)
        self.console = console?.isErrorTerminal == true ? console : nil
        if self.console != nil { nextRedraw = start + Self.interval }
    }

    /// - Parameter isLast: Whether the target has no further result.
    package mutating func count(_ name: String, isFailure: Bool, isLast: Bool) {
        done += 1
        if isLast { targets += 1 }
        if isFailure { failures += 1 }
        counts[name, default: 0] += 1
    }

    package mutating func redrawIfDue() {
        guard let console, let nextRedraw, nextRedraw <= .now else { return }
        console.drawStatus(line)
        self.nextRedraw = .now + Self.interval
    }

    package func erase() { console?.drawStatus("") }

    /// The progress as a message, for SIGUSR1.
    package var report: String { Message.closing(line) }

    /// The summary of the run.
    package func summary(isCutShort: Bool) -> String {
        let hosts = done == 1 ? "1 host" : "\(done) hosts"
        let names = order + counts.keys.filter { !order.contains($0) }.sorted()
        var parts = names.compactMap { name in counts[name].map { "\($0) \(name)" } }
        if stream.skipped > 0 { parts.append("\(stream.skipped) skipped (already in the file)") }
        if refusedLines > 0 { parts.append(refusedLines == 1 ? "1 invalid line" : "\(refusedLines) invalid lines") }
        let list = parts.isEmpty ? "" : ": " + parts.joined(separator: ", ")
        let time = seconds < Self.minimumReportedSeconds ? "" : " in \(Self.text(ofSeconds: seconds))"
        return Message.closing("\(isCutShort ? "interrupted: " : "")\(hosts)\(time)\(list)")
    }

    private var seconds: Double { Double(MonotonicTime.now.nanoseconds - start.nanoseconds) / 1e9 }

    private var line: String {
        var parts = ["\(done) done", "\(failures) failed"]
        if refusedLines > 0 { parts.append(refusedLines == 1 ? "1 invalid line" : "\(refusedLines) invalid lines") }
        let seconds = seconds
        parts.append("\(seconds > 0 ? Int(Double(done) / seconds) : 0)/s")
        if seconds >= Self.minimumEstimateSeconds, let fraction = stream.fraction(done: targets + refusedLines),
            fraction > 0
        {
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
