import InProcessRuns
import Synchronization
import TestSupport
import Testing

@testable import CommandSupport

/// The order of a report, and the memory of results that wait for an earlier host.
@Suite struct ReportWriterTests {
    /// The result of a host, whose certificates have this size.
    private struct Outcome: HostOutcome {
        let index: Int
        let size: Int
        var part = 0
        var isUndecided: Bool { false }
    }

    /// Writes the number of each result, and counts the results that were formatted.
    private final class Report: HostReport {
        let needsInputOrder: Bool
        private(set) var formatted: [Int] = []

        init(needsInputOrder: Bool = false) { self.needsInputOrder = needsInputOrder }

        func fragment(for outcome: Outcome) throws(CommandError) -> ReportFragment {
            formatted.append(outcome.index)
            let suffix = outcome.part == 0 ? "" : ".\(outcome.part)"
            return ReportFragment(output: Array("\(outcome.index)\(suffix)\n".utf8))
        }
    }

    private struct Fixture {
        let report: Report
        let output = CapturedStream()
        let console: Console
        let writer: ReportWriter<Outcome>

        init(needsInputOrder: Bool = false) {
            report = Report(needsInputOrder: needsInputOrder)
            console = Console(
                input: 0, output: output, errors: CapturedStream(), environment: .variables([:]),
                readPassword: { _ in .noTerminal }, ownsProcess: false)
            writer = ReportWriter(report, to: console)
        }

        /// The numbers that were written so far.
        var lines: [String] {
            console.flush()
            return output.text.split(separator: "\n").map(String.init)
        }
    }

    private static let large = 200_000

    /// Small results are formatted when they arrive, and all of them are written as soon as their turn comes.
    @Test func smallResultsAreFormattedEarly() throws {
        let fixture = Fixture()
        for index in [3, 1, 2] { try fixture.writer.take(Outcome(index: index, size: 3000), at: index) }
        #expect(fixture.report.formatted == [3, 1, 2])
        #expect(fixture.lines.isEmpty && !fixture.writer.hasNext)
        try fixture.writer.take(Outcome(index: 0, size: 3000), at: 0)
        #expect(fixture.lines == ["0", "1", "2", "3"])
    }

    /// A large result waits as it is. When its turn comes, one is formatted at a time.
    @Test func largeResultsAreFormattedOneByOne() throws {
        let fixture = Fixture()
        for (index, size) in [(4, 3000), (3, 3000), (2, Self.large), (1, Self.large)] {
            try fixture.writer.take(Outcome(index: index, size: size), at: index)
        }
        #expect(fixture.report.formatted == [4, 3])
        try fixture.writer.take(Outcome(index: 0, size: Self.large), at: 0)
        #expect(fixture.lines == ["0"] && fixture.writer.hasNext)
        try fixture.writer.writeNext()
        #expect(fixture.lines == ["0", "1"] && fixture.writer.hasNext)
        #expect(fixture.report.formatted == [4, 3, 0, 1])
        try fixture.writer.writeNext()
        #expect(fixture.lines == ["0", "1", "2", "3", "4"] && !fixture.writer.hasNext)
        try fixture.writer.writeNext()
        #expect(fixture.lines.count == 5)
    }

    /// All results of a host stay together.
    @Test(arguments: [3000, large]) func resultsOfOneHost(size: Int) throws {
        let fixture = Fixture()
        for part in 1...3 {
            try fixture.writer.take(Outcome(index: 1, size: size, part: part), at: 1, isLast: part == 3)
        }
        try fixture.writer.take(Outcome(index: 0, size: size, part: 1), at: 0, isLast: false)
        #expect(fixture.lines.isEmpty)
        try fixture.writer.take(Outcome(index: 0, size: size, part: 2), at: 0)
        try fixture.writer.writeNext()
        #expect(fixture.lines == ["0.1", "0.2", "1.1", "1.2", "1.3"])
    }

    /// When the buffer is full, no result is formatted before its turn, also no small one.
    @Test func aFullBufferFormatsNothing() throws {
        let fixture = Fixture()
        var index = 1
        while !fixture.writer.isCrowded {
            try fixture.writer.take(Outcome(index: index, size: Self.large), at: index)
            index += 1
        }
        // 16 MiB, with some bytes for each result.
        #expect((80...84).contains(index - 1))
        try fixture.writer.take(Outcome(index: index, size: 10), at: index)
        #expect(fixture.report.formatted.isEmpty)
        // The next result in order is written at once, also if the buffer is full.
        try fixture.writer.take(Outcome(index: 0, size: Self.large), at: 0)
        #expect(fixture.lines == ["0"])
        while fixture.writer.hasNext { try fixture.writer.writeNext() }
        #expect(fixture.report.formatted == Array(0...index))
        #expect(!fixture.writer.isCrowded)
        try fixture.writer.take(Outcome(index: index + 2, size: 10), at: index + 2)
        #expect(fixture.report.formatted.last == index + 2)
    }

    /// After an interruption, the results after a missing host are written, too.
    @Test func theEndWritesWhatWaits() throws {
        let fixture = Fixture()
        for (index, size) in [(5, 3000), (2, Self.large), (4, Self.large)] {
            try fixture.writer.take(Outcome(index: index, size: size), at: index)
        }
        _ = try fixture.writer.finish()
        #expect(fixture.lines == ["2", "4", "5"])
    }

    @Test func aReportCanRequireTheOrder() throws {
        let fixture = Fixture(needsInputOrder: true)
        for index in [2, 1, 0] { try fixture.writer.take(Outcome(index: index, size: 10), at: index) }
        while fixture.writer.hasNext { try fixture.writer.writeNext() }
        #expect(fixture.report.formatted == [0, 1, 2])
    }

    /// Long texts are not copied into the buffer of the console, but stay in order.
    @Test func theConsoleWritesInOrder() throws {
        let fixture = Fixture()
        let long = String(repeating: "x", count: 1 << 17)
        for text in ["a", long, "b", long, "c"] { fixture.console.write(text) }
        fixture.console.flush()
        #expect(fixture.output.text == "a" + long + "b" + long + "c")
    }
}
