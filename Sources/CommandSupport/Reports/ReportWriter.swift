internal import Fetching

/// Writes the fragments of a report: in input order, or in the order of arrival for a streamed report.
package final class ReportWriter<Outcome> {
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
    /// Fragments of hosts that come after the host ``nextIndex``.
    private var waiting: [Int: [ReportFragment]] = [:]
    /// Fragments of a host that will have further results.
    private var unfinished: [ReportFragment] = []
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

    /// Whether the reader of standard output has closed it.
    package var isClosed: Bool { console.isClosed }

    /// Whether fragments that wait for an earlier host use too much memory, so that no further host should be started.
    package var isCrowded: Bool { waitingBytes > Self.maximumWaitingBytes }

    private static var maximumWaitingBytes: Int { 16 << 20 }
    /// Approximate memory of a fragment besides its contents, in bytes.
    private static var fragmentOverhead: Int { 200 }

    /// Adds the result of a host.
    ///
    /// - Parameters:
    ///   - index: The host's index in the input, from 0.
    ///   - isLast: Whether the host has no further result.
    /// - Returns: The exit status for this result.
    @discardableResult
    package func take(_ outcome: Outcome, at index: Int, isLast: Bool = true) throws(CommandError) -> ExitStatus {
        let fragment = try report.fragment(for: outcome)
        guard isLast, unfinished.isEmpty else {
            unfinished.append(fragment)
            guard isLast else { return fragment.status }
            let fragments = unfinished
            unfinished = []
            try take(fragments, at: index)
            return fragment.status
        }
        try take([fragment], at: index)
        return fragment.status
    }

    private func take(_ fragments: [ReportFragment], at index: Int) throws(CommandError) {
        guard !report.isStreamed, index != nextIndex else {
            for fragment in fragments { try emit(fragment) }
            nextIndex += 1
            if !waiting.isEmpty { try emitWaiting() }
            return
        }
        waiting[index] = fragments
        waitingBytes += fragments.reduce(0) { $0 + Self.size(of: $1) }
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
    /// - Returns: The combined exit status of all results.
    package func finish(gaps: [String] = []) throws(CommandError) -> ExitStatus {
        // After an interruption, some results wait for an earlier host that never finishes.
        for index in waiting.keys.sorted() { for fragment in waiting[index, default: []] { try emit(fragment) } }
        waiting = [:]
        start()
        for gap in gaps { report.add(gap: gap) }
        put(report.end)
        if case .file(let file) = destination {
            guard !isEmpty || report.hasOutputAtEnd else { return status }
            try save(to: file)
            try pending?.finish()
            hasFile = true
        } else {
            try flush()
        }
        return status
    }

    private func emitWaiting() throws(CommandError) {
        while let next = waiting.removeValue(forKey: nextIndex) {
            waitingBytes -= next.reduce(0) { $0 + Self.size(of: $1) }
            for fragment in next { try emit(fragment) }
            nextIndex += 1
        }
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

    private static func size(of fragment: ReportFragment) -> Int {
        fragment.output.count + fragment.messages.utf8.count + fragmentOverhead
    }
}
