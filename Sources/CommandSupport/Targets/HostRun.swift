internal import CSystem
internal import Encodings
package import Fetching
package import Pinning

/// A run over hosts: passes results from the fetcher to the report, counts outcomes, shows progress, and ends early when
/// interrupted.
package struct HostRun<Outcome: HostOutcome> {
    package let source: TargetSource
    package let options: ConnectionOptions
    package let trust: TrustPolicy
    package let time: Timestamp?
    package let load: LoadLimits
    package let console: Console
    /// The error for a run without hosts.
    package let noHostError: CommandError
    /// Returns the name of an outcome in the summary, such as "trusted" or "timeout".
    package let name: (Outcome) -> String
    /// Names of outcomes in the order of the summary; other names follow.
    package let names: [String]
    /// Whether the command writes its own summary line. In this case the run writes a summary only if it is partial.
    package var hasSummaryLine = false
    /// Whether a run that does not succeed writes a summary, because the terminal or the log shows nothing else about it.
    package var summarizesFailure = false
    /// Whether results omit addresses that say nothing about the server; see ``FetchResult/withoutUnusableAddresses``.
    package var omitsUnusableAddresses = false

    package init(
        source: TargetSource, options: ConnectionOptions, trust: TrustPolicy, time: Timestamp?, load: LoadLimits,
        console: Console, noHostError: CommandError, name: @escaping (Outcome) -> String, names: [String],
        hasSummaryLine: Bool = false, omitsUnusableAddresses: Bool = false
    ) {
        self.source = source
        self.options = options
        self.trust = trust
        self.time = time
        self.load = load
        self.console = console
        self.noHostError = noHostError
        self.name = name
        self.names = names
        self.hasSummaryLine = hasSummaryLine
        self.omitsUnusableAddresses = omitsUnusableAddresses
    }

    /// Processes all targets.
    ///
    /// - Parameters:
    ///   - needsConnection: Whether pinctl connects to a target.
    ///   - outcome: Creates the outcome of a target from its index and result. The result is nil if pinctl does not connect to
    ///     the target.
    package func run(
        _ output: ReportWriter<Outcome>,
        needsConnection: @escaping @Sendable (Target) -> Bool = { _ in true },
        outcome: (Int, Target, FetchResult?) -> Outcome?
    ) throws(CommandError) -> ExitStatus {
        let isLarge = source.isList || source.resume != nil || source.given.count > 1
        let signals = isLarge && console.ownsProcess ? RunSignals() : nil
        // A run of one host shows no progress, and SIGUSR1 must not end it.
        if !isLarge, console.ownsProcess { pinctl_ignore_progress_signal() }
        let stream = try source.start(needsConnection: needsConnection)
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
        try checkThatHostsExist(progress, stream, isCutShort)
        var status: ExitStatus
        do throws(CommandError) {
            status = try output.finish(gaps: Self.gaps(refusedLines: progress.refusedLines, isCutShort: isCutShort))
        } catch {
            throw error.with(.undecided)
        }
        if progress.refusedLines > 0 {
            // Hosts that belong to other shards or have earlier results count too.
            let hasHosts = progress.done > 0 || stream.skipped > 0 || source.isDivided
            status = status.combined(with: hasHosts ? .undecided : .usageError)
        }
        if isCutShort { status = .interrupted }
        let isSilent = summarizesFailure && status != .success
        if isCutShort || isSilent || source.resume != nil || source.isList && !hasSummaryLine {
            console.writeError(progress.summary(isCutShort: isCutShort))
        }
        return status
    }

    /// Why the report has no results for some hosts.
    private static func gaps(refusedLines count: Int, isCutShort: Bool) -> [String] {
        var gaps: [String] = []
        if count > 0 {
            gaps.append(
                "\(count) \(count == 1 ? "line of the list was" : "lines of the list were") refused, so hosts are missing"
            )
        }
        if isCutShort { gaps.append("the run was interrupted, so hosts are missing") }
        return gaps
    }

    private func follow(
        _ fetcher: Fetcher, _ output: ReportWriter<Outcome>, _ signals: RunSignals?, _ progress: inout Progress,
        _ outcome: (Int, Target, FetchResult?) -> Outcome?
    ) throws(CommandError) {
        var isHeld = false
        var isDraining = false
        var shownHints: Set<String> = []
        while !output.isClosed {
            if !fetcher.hasNext {
                try output.flush()
                progress.redrawIfDue()
            }
            let event = fetcher.next(until: output.hasNext ? .now + Self.pollingTime : progress.nextRedraw)
            if event == nil, !output.hasNext { return }
            switch event {
            case .result(let received):
                let result = omitsUnusableAddresses ? received.withoutUnusableAddresses : received
                for part in result.parts {
                    try take(
                        outcome(part.index, part.target, part), at: part.index, isLast: part.isLastPart, output,
                        &progress)
                }
                if let warning = AddressComparison(result).warning { console.writeError(warning) }
            case .skipped(let index, let target):
                try take(outcome(index, target, nil), at: index, isLast: true, output, &progress)
            case .invalidLine(let line):
                progress.refusedLines += 1
                console.writeError(line.message(addingTo: &shownHints))
            case .wakeUp, nil: break
            }
            try writeWaiting(output)
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
                if console.isErrorTerminal { console.writeError(Message.closing(Self.interruption)) }
            default:
                fetcher.abandon()
                return
            }
        }
    }

    /// Time in which the event loop looks for answers while results can be written.
    private static var pollingTime: Duration { .milliseconds(1) }
    /// Time after which the event loop looks for answers again, because servers do not wait for the next message forever.
    private static var writingTime: Duration { .milliseconds(20) }

    /// Writes results that waited for an earlier host, one after another for a limited time, because the text of a server can be long.
    private func writeWaiting(_ output: ReportWriter<Outcome>) throws(CommandError) {
        guard output.hasNext else { return }
        let end = MonotonicTime.now + Self.writingTime
        repeat { try output.writeNext() } while output.hasNext && MonotonicTime.now < end
    }

    private static var interruption: String { "finishing the hosts in flight; press Ctrl-C again to stop now" }

    private func take(
        _ outcome: Outcome?, at index: Int, isLast: Bool, _ output: ReportWriter<Outcome>,
        _ progress: inout Progress
    ) throws(CommandError) {
        guard let outcome else { return }
        try output.take(outcome, at: index, isLast: isLast)
        progress.count(name(outcome), isFailure: outcome.isUndecided, isLast: isLast)
    }

    private func checkThatHostsExist(
        _ progress: Progress, _ stream: TargetStream, _ isCutShort: Bool
    ) throws(CommandError) {
        guard progress.done == 0, progress.refusedLines == 0, !isCutShort else { return }
        // A shard may be empty, and if all hosts already have results, no host is left to contact.
        guard !source.isDivided, stream.skipped == 0 else { return }
        throw noHostError
    }
}

extension InvalidTargetLine {
    /// The message for standard error.
    ///
    /// - Parameter shownHints: Hints that were already shown. If a list has another format, every line has the same error.
    package func message(addingTo shownHints: inout Set<String>) -> String {
        let location = "line \(line) of \(list)"
        if case .keyFile(let kind) = error {
            return Message.error("\(location) \(kind.reason.dropFirst("it ".count)): expected a list of hosts")
        }
        if case .unreadable = error { return Message.error("cannot read \(list) after line \(line): \(error.reason)") }
        let hint = error.hint.flatMap { shownHints.insert($0).inserted ? $0 : nil }
        return Message.error("\(location): invalid host \(text.quoted): \(error.reasonWithoutText)", hint: hint)
    }
}
