import Pinning
import Testing

@testable import CheckReports
@testable import PinSetMaintenance

@Suite struct SummaryLineTests {
    private static let words = SummaryLine.Words(plural: "hosts", pass: "match", passes: "matches")

    private func line(_ cases: CheckCase...) -> SummaryLine { SummaryLine(Self.words, of: cases) }

    private func bad(_ name: String, _ code: String = "mismatch", hint: String? = nil) -> CheckCase {
        CheckCase(name: name, findings: [CheckFinding(code: code, severity: .error, message: "m", hint: hint)])
    }

    private let good = CheckCase(name: "good", findings: [])
    private let risky = CheckCase(name: "risky", findings: [CheckFinding(code: "c", severity: .warning, message: "m")])

    @Test func printsNothingForOneHostThatPasses() {
        #expect(line(good).isQuiet)
        #expect(!line(good, good).isQuiet)
        #expect(!line(risky).isQuiet)
        #expect(!line(bad("a")).isQuiet)
    }

    @Test func countsTheResults() {
        #expect(line(good, good).text == "2 of 2 hosts match")
        #expect(line(risky).text == "risky matches, with 1 warning")
        #expect(line(good, risky, risky).text == "3 of 3 hosts match, with 2 warnings")
        #expect(line(bad("a")).text == "a fails (mismatch)")
        #expect(line(bad("a"), good).text == "1 of 2 hosts fails: a (mismatch)")
        #expect(line(bad("a"), bad("b", "untrusted")).text == "2 of 2 hosts fail: a (mismatch), b (untrusted)")
        #expect(line().text == "no hosts to check")
    }

    /// A mismatch that is not enforced is no match.
    @Test func namesTheHostsThatAreOnlyReported() {
        func reported(_ name: String) -> CheckCase {
            var item = CheckCase(
                name: name, findings: [CheckFinding(code: "mismatch", severity: .warning, message: "no pin matches")])
            item.isOnlyReported = true
            return item
        }
        let end = #", which the set only reports ("enforce": false)"#
        #expect(line(reported("a")).text == "no pin matches for a" + end)
        #expect(!line(reported("a")).isQuiet)
        let mixed = line(good, reported("a"), good).text
        #expect(mixed == "2 of 3 hosts match, with 1 warning; no pin matches for a" + end)
        let many = (0..<7).map { reported("h\($0)") }
        #expect(
            SummaryLine(Self.words, of: many).text == "no pin matches for h0, h1, h2, h3, h4 and 2 more" + end)
        #expect(line(reported("a"), bad("b")).text == "1 of 2 hosts fails: b (mismatch)")
    }

    @Test func containsTheNextStep() {
        #expect(line(bad("a"), bad("b", hint: "do it"), bad("c", hint: "or this")).text.hasSuffix("; next: do it"))
    }

    @Test func isOneLineForAThousandHosts() {
        let cases = (0..<1000).map { bad("h\($0)", $0 % 4 == 0 ? "untrusted" : "mismatch") }
        #expect(
            SummaryLine(Self.words, of: cases).text
                == "1000 of 1000 hosts fail (250 untrusted, 750 mismatch): h0 (untrusted), h1 (mismatch), h2 (mismatch), "
                + "h3 (mismatch), h4 (untrusted) and 995 more")
    }

    /// The line does not depend on the order in which hosts finish.
    @Test func doesNotDependOnTheOrder() {
        var forward = SummaryLine(Self.words)
        var backward = SummaryLine(Self.words)
        let places = Array(0..<8)
        for place in places { forward.add("h\(place)", at: place, failing: "c", next: (place, "step \(place)")) }
        for place in places.reversed() {
            backward.add("h\(place)", at: place, failing: "c", next: (place, "step \(place)"))
        }
        #expect(forward.text == backward.text)
        #expect(forward.text.hasSuffix("; next: step 0"))
    }
}
