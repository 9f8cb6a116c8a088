internal import Fetching

/// Writes the fragments of a report: in input order, or in the order of arrival for a streamed report.
package final class ReportWriter<Outcome: HostOutcome> {
    package enum Destination {
        case console
        case file(OutputFile)
        case resumed(ResumeFile)
    }

    private let report: any HostReport<Outcome>
    private let console: Console
    private let destination: Destination
    /// Bytes that are not yet written to a file.
    private var buffer: [UInt8] = []
    /// The output file, which gets its name when the report is complete; nil until the first bytes are written.
    private var pending: PendingFile?
    /// The results of hosts that come after the host ``nextIndex``.
    private var waiting: [Int: Waiting] = [:]
    /// The results of a host that will have further ones.
    private var unfinished: [Outcome] = []
    private var waitingBytes = 0
    private var nextIndex = 0
    /// Whether no fragment had output.
    private var isEmpty = true
    /// Whether the output file has its name.
    package private(set) var hasFile = false
    private var hasStarted = false
    private var endsWithLine = false
    private var status = ExitStatus.success

    package init(_ report: any HostReport<Outcome>, to console: Console, _ destination: Destination = .console) {
        self.report = report
        self.console = console
        self.destination = destination
    }

    /// The results of a host that waits for an earlier one.
    private enum Waiting {
        case formatted([ReportFragment])
        /// The certificates of a server can need eighty times their size as text.
        case compact([Outcome])
    }

    /// Whether the reader of standard output has closed it.
    package var isClosed: Bool { console.isClosed }

    /// Whether results that wait for an earlier host use too much memory, so that no further host should be started. The hosts in
    /// flight can still add theirs, which are not formatted until they can be written.
    package var isCrowded: Bool { waitingBytes > Self.maximumWaitingBytes }
    /// Whether ``writeNext()`` writes something.
    package var hasNext: Bool { waiting[nextIndex] != nil }

    private static var maximumWaitingBytes: Int { 16 << 20 }
    /// Maximum size of the results of a host that are formatted before they can be written. The chain of a usual server has 6 KB.
    private static var maximumEarlySize: Int { 16 << 10 }
    /// Approximate memory of a fragment or a result besides its contents, in bytes.
    private static var fragmentOverhead: Int { 200 }
    private static var outcomeOverhead: Int { 2000 }

    /// Adds the result of a host.
    ///
    /// - Parameters:
    ///   - index: The host's index in the input, from 0.
    ///   - isLast: Whether the host has no further result.
    package func take(_ outcome: Outcome, at index: Int, isLast: Bool = true) throws(CommandError) {
        unfinished.append(outcome)
        guard isLast else { return }
        let outcomes = unfinished
        unfinished = []
        guard !report.isStreamed, index != nextIndex else {
            try emit(.compact(outcomes))
            nextIndex += 1
            return try writeFormatted()
        }
        let size = outcomes.reduce(0) { $0 + $1.size }
        let waiting =
            report.needsInputOrder || isCrowded || size > Self.maximumEarlySize
            ? Waiting.compact(outcomes) : .formatted(try fragments(for: outcomes))
        self.waiting[index] = waiting
        waitingBytes += Self.size(of: waiting)
    }

    /// Writes the results of the next host if they waited for an earlier one, and those after it that are formatted.
    package func writeNext() throws(CommandError) {
        try writeOne()
        try writeFormatted()
    }

    private func writeFormatted() throws(CommandError) {
        while case .formatted = waiting[nextIndex] { try writeOne() }
    }

    private func writeOne() throws(CommandError) {
        guard let next = waiting.removeValue(forKey: nextIndex) else { return }
        waitingBytes -= Self.size(of: next)
        nextIndex += 1
        try emit(next)
    }

    private func fragments(for outcomes: [Outcome]) throws(CommandError) -> [ReportFragment] {
        var fragments: [ReportFragment] = []
        for outcome in outcomes { fragments.append(try report.fragment(for: outcome)) }
        return fragments
    }

    private func emit(_ waiting: Waiting) throws(CommandError) {
        switch waiting {
        case .formatted(let fragments): for fragment in fragments { try emit(fragment) }
        case .compact(let outcomes): for outcome in outcomes { try emit(try report.fragment(for: outcome)) }
        }
    }

    /// Writes the buffered bytes.
    package func flush() throws(CommandError) {
        switch destination {
        case .console: console.flush()
        // The file gets its name only when the report is complete, so a flush is useless.
        case .file: break
        case .resumed(let file):
            guard !buffer.isEmpty else { return }
            try file.append(buffer)
            buffer.removeAll(keepingCapacity: true)
        }
    }

    private func save(to file: OutputFile) throws(CommandError) {
        if pending == nil { pending = try PendingFile(file) }
        try pending?.append(buffer)
        buffer.removeAll(keepingCapacity: true)
    }

    /// Ends the report.
    ///
    /// - Parameter gaps: Why results are missing, as clauses; empty if the report is complete.
    /// - Returns: The combined exit status of all results; `undecided` if the output file could not get its name, which is reported.
    package func finish(gaps: [String] = []) throws(CommandError) -> ExitStatus {
        // After an interruption, some results wait for an earlier host that never finishes.
        for index in waiting.keys.sorted() {
            if let next = waiting.removeValue(forKey: index) { try emit(next) }
        }
        start()
        for gap in gaps { report.add(gap: gap) }
        put(report.end)
        if case .file(let file) = destination {
            guard !isEmpty || report.hasOutputAtEnd else { return status }
            do throws(CommandError) {
                try save(to: file)
                try pending?.finish()
            } catch {
                // The command can still write its other outputs.
                console.writeError(Message.error(error.message, hint: error.hint))
                return .undecided
            }
            hasFile = true
        } else {
            try flush()
            if case .resumed(let file) = destination { try file.checkIsUnchanged() }
        }
        return status
    }

    private func emit(_ fragment: ReportFragment) throws(CommandError) {
        start()
        if !fragment.output.isEmpty {
            if !isEmpty, !(endsWithLine && fragment.isLine) { put(report.separator) }
            put(fragment.output)
            isEmpty = false
            endsWithLine = fragment.isLine
        }
        if !fragment.messages.isEmpty { console.writeError(fragment.messages) }
        status = status.combined(with: fragment.status)
        guard buffer.count >= Self.maximumBufferSize else { return }
        switch destination {
        case .console: break
        case .file(let file): try save(to: file)
        case .resumed: try flush()
        }
    }

    /// Size at which the buffer is written to a file, in bytes.
    private static var maximumBufferSize: Int { 1 << 16 }

    private func start() {
        guard !hasStarted else { return }
        hasStarted = true
        put(report.start)
    }

    private func put(_ text: String) { put(Array(text.utf8)) }

    private func put(_ bytes: [UInt8]) {
        if case .console = destination { console.write(bytes) } else { buffer += bytes }
    }

    private static func size(of waiting: Waiting) -> Int {
        switch waiting {
        case .formatted(let fragments):
            fragments.reduce(0) { $0 + $1.output.count + $1.messages.utf8.count + fragmentOverhead }
        case .compact(let outcomes): outcomes.reduce(0) { $0 + $1.size + outcomeOverhead }
        }
    }
}
