internal import Arguments
internal import CSystem
internal import Fetching
internal import Pinning

/// A run over hosts, from the first to the last: takes what the fetcher gives, hands it to the output, counts, tells how far it
/// is, and ends early when it is asked to.
struct HostRun<Outcome> {
    let source: TargetSource
    let options: ConnectionOptions
    let trust: TrustPolicy
    let time: Timestamp?
    let load: LoadLimits
    let console: Console
    /// What is said where there was no host at all.
    let nothing: CommandError
    /// In one word or two, for the summary: "trusted", "timeout".
    let name: (Outcome) -> String
    /// The names in the order in which the summary has them; others come after these.
    let names: [String]
    /// Whether the command ends with a line of its own that counts; then the summary is for runs in parts.
    var hasClosingLine = false

    /// - Parameters:
    ///   - isAsked: whether a target is to be connected to.
    ///   - outcome: what comes of a host, by its place among all; its result is nil where it was not asked.
    func run(
        _ output: HostOutput<Outcome>,
        isAsked: @escaping @Sendable (Target) -> Bool = { _ in true },
        outcome: (Int, Target, FetchResult?) -> Outcome?
    ) throws(CommandError) -> ExitStatus {
        let isLarge = source.isList || source.resume != nil || source.given.count > 1
        let signals = isLarge && console.ownsProcess ? RunSignals() : nil
        // One host has no progress to tell, and is no reason to end either.
        if !isLarge, console.ownsProcess { pinctl_ignore_progress_signal() }
        let stream = try source.start(isAsked: isAsked)
        let fetcher = try Fetcher.started(options, trust: trust, at: time, load: load, targets: stream.channel)
        signals?.watch(calling: fetcher.waker)
        var progress = Progress(stream, on: isLarge ? console : nil, order: names)
        do throws(CommandError) {
            try follow(fetcher, output, signals, &progress, outcome)
        } catch {
            progress.erase()
            throw error.with(.undecided)
        }
        progress.erase()
        let isCutShort = (signals?.interruptions ?? 0) > 0
        try checkThatSomethingRan(progress, stream, isCutShort)
        var status: ExitStatus
        do throws(CommandError) {
            status = try output.finish()
        } catch {
            throw error.with(.undecided)
        }
        if progress.refusedLines > 0 {
            // Hosts of other parts, or of earlier runs, are hosts as well.
            let hasHosts = progress.done > 0 || stream.skipped > 0 || source.isDivided
            status = status.combined(with: hasHosts ? .undecided : .usageError)
        }
        if isCutShort { status = .interrupted }
        if isCutShort || source.resume != nil || source.isList && !hasClosingLine {
            console.writeError(progress.summary(isCutShort: isCutShort))
        }
        return status
    }

    private func follow(
        _ fetcher: Fetcher, _ output: HostOutput<Outcome>, _ signals: RunSignals?, _ progress: inout Progress,
        _ outcome: (Int, Target, FetchResult?) -> Outcome?
    ) throws(CommandError) {
        var (isHeld, isDraining) = (false, false)
        var toldHints: Set<String> = []
        while !output.isClosed {
            if !fetcher.hasNext {
                try output.flush()
                progress.redrawIfDue()
            }
            guard let event = fetcher.next(until: progress.nextRedraw) else { return }
            switch event {
            case .result(let result):
                for part in result.perAddress {
                    try take(outcome(part.index, part.target, part), at: part.index, part.part, output, &progress)
                }
                if let warning = AddressComparison(result).warning { console.writeError(warning) }
            case .skipped(let index, let target):
                try take(outcome(index, target, nil), at: index, nil, output, &progress)
            case .invalidLine(let line):
                progress.refusedLines += 1
                console.writeError(line.message(telling: &toldHints))
            case .wakeUp: break
            }
            if output.isCrowded != isHeld {
                isHeld.toggle()
                fetcher.setPaused(isHeld)
            }
            guard let signals else { continue }
            if signals.takesProgressRequest() { console.writeError(progress.report) }
            switch signals.interruptions {
            case 0: break
            case 1:
                guard !isDraining else { break }
                isDraining = true
                fetcher.drain()
                if console.isErrorTerminal { console.writeError(Message.closing(ofInterruption)) }
            default:
                fetcher.abandon()
                return
            }
        }
    }

    private var ofInterruption: String { "finishing the hosts under way; once more ends at once" }

    private func take(
        _ outcome: Outcome?, at index: Int, _ part: FetchResult.Part?, _ output: HostOutput<Outcome>,
        _ progress: inout Progress
    ) throws(CommandError) {
        guard let outcome else { return }
        let isLast = part?.isLast ?? true
        let status = try output.take(outcome, at: index, isLast: isLast)
        progress.count(name(outcome), isFailure: status == .undecided, isLast: isLast)
    }

    private func checkThatSomethingRan(
        _ progress: Progress, _ stream: TargetStream, _ isCutShort: Bool
    ) throws(CommandError) {
        guard progress.done == 0, progress.refusedLines == 0, !isCutShort else { return }
        // A part of a list may be empty, and a run that is done already has nothing left.
        guard !source.isDivided, stream.skipped == 0 else { return }
        throw nothing
    }
}

extension InvalidTargetLine {
    /// What is said on standard error.
    ///
    /// - Parameter hints: those that were told; a list of another kind has the same mistake on every line.
    func message(telling hints: inout Set<String>) -> String {
        let place = "line \(line) of \(list)"
        if case .unreadable = error { return Message.error("cannot read on from \(place): \(error.reason)") }
        let hint = error.hint.flatMap { hints.insert($0).inserted ? $0 : nil }
        return Message.error("\(place): cannot read the host \(text.quoted): \(error.reason)", hint: hint)
    }
}
