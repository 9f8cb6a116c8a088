internal import Encodings
internal import Fetching

/// Progress of a run: the number of hosts for each outcome, and a status line on a terminal.
package struct Progress {
    private let stream: TargetStream
    /// The terminal for the status line; nil for none.
    private let console: Console?
    private let start = MonotonicTime.now
    /// The number of hosts for each outcome that occurred, in the order of the summary.
    private var counts: [Count]
    private var failures = 0
    private(set) var done = 0
    private var targets = 0
    package var refusedLines = 0
    /// Time of the next redraw; nil without a status line.
    private(set) var nextRedraw: MonotonicTime?

    /// The progress at the last redraws, oldest first, for the rate and the remaining time.
    private var samples: [Sample] = []

    private struct Count {
        let name: String
        var value = 0
    }

    private struct Sample {
        let time: MonotonicTime
        let done: Int
        let fraction: Double?
    }

    /// Number of samples, which are 250 ms apart: a window of ten seconds.
    private static let maximumSamples = 40

    private static let interval = Duration.milliseconds(250)
    /// Minimum run time for an estimate of the remaining time, in seconds.
    private static let minimumEstimateSeconds = 1.0

    /// Minimum run time that the summary reports, in seconds.
    private static let minimumReportedSeconds = 10.0

    /// - Parameters:
    ///   - console: The console that shows the status line if standard error is a terminal; nil for no status line.
    ///   - order: Names of outcomes in the order of the summary.
    package init(_ stream: TargetStream, on console: Console?, order: [String]) {
        self.stream = stream
        counts = order.map { Count(name: $0) }
        self.console = console?.isErrorTerminal == true ? console : nil
        if self.console != nil { nextRedraw = start + Self.interval }
    }

    /// - Parameter isLast: Whether the target has no further result.
    package mutating func count(_ name: String, isFailure: Bool, isLast: Bool) {
        done += 1
        if isLast { targets += 1 }
        if isFailure { failures += 1 }
        if let index = counts.firstIndex(where: { $0.name == name }) {
            counts[index].value += 1
        } else {
            counts.append(Count(name: name, value: 1))
        }
    }

    package mutating func redrawIfDue() {
        guard let console, let nextRedraw, nextRedraw <= .now else { return }
        samples.append(Sample(time: .now, done: done, fraction: fraction))
        if samples.count > Self.maximumSamples { samples.removeFirst() }
        console.drawStatus(line)
        self.nextRedraw = .now + Self.interval
    }

    package func erase() { console?.drawStatus("") }

    /// The progress as a message, for SIGUSR1.
    package var report: String { Message.closing(line) }

    /// The summary of the run.
    package func summary(isCutShort: Bool) -> String {
        let hosts = done == 1 ? "1 host" : "\(done) hosts"
        var parts = outcomes
        if stream.skipped > 0 { parts.append("\(stream.skipped) skipped (already in the file)") }
        if refusedLines > 0 { parts.append(refusedLines == 1 ? "1 invalid line" : "\(refusedLines) invalid lines") }
        let list = parts.isEmpty ? "" : ": " + parts.joined(separator: ", ")
        let time = seconds < Self.minimumReportedSeconds ? "" : " in \(Self.text(ofSeconds: seconds))"
        return Message.closing("\(isCutShort ? "interrupted: " : "")\(hosts)\(time)\(list)")
    }

    private var outcomes: [String] { counts.compactMap { $0.value > 0 ? "\($0.value) \($0.name)" : nil } }

    private var seconds: Double { Double(MonotonicTime.now.nanoseconds - start.nanoseconds) / 1e9 }

    /// Fraction of the run that is done, from 0 to 1; nil if unknown.
    private var fraction: Double? { stream.fraction(done: targets + refusedLines) }

    /// The line of the terminal and of SIGUSR1. Its numbers are those of the summary.
    private var line: String {
        let total = stream.total.map { " of \($0)" } ?? ""
        let percentage = fraction.map { " (\(Int(min(1, $0) * 100)) %)" } ?? ""
        var parts = ["\(targets)\(total) done\(percentage)"]
        parts += outcomes
        parts.append("\(failures) failed")
        if refusedLines > 0 { parts.append(refusedLines == 1 ? "1 invalid line" : "\(refusedLines) invalid lines") }
        let (rate, left) = pace
        parts.append("\(Int(rate))/s")
        if let left { parts.append("\(Self.text(ofSeconds: left)) left") }
        return parts.joined(separator: ", ")
    }

    /// Hosts per second, and the remaining seconds if they can be estimated. Both are of the last seconds, because the hosts of a list
    /// answer with different speeds; without a status line they are of the whole run.
    private var pace: (rate: Double, left: Double?) {
        let first = samples.first ?? Sample(time: start, done: 0, fraction: 0)
        let elapsed = Double(MonotonicTime.now.nanoseconds - first.time.nanoseconds) / 1e9
        guard elapsed > 0 else { return (0, nil) }
        let rate = Double(done - first.done) / elapsed
        guard seconds >= Self.minimumEstimateSeconds, let fraction, let before = first.fraction, fraction > before
        else {
            return (rate, nil)
        }
        return (rate, max(0, 1 - fraction) * elapsed / (fraction - before))
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
