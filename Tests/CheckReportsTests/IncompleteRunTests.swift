import Pinning
import TestSupport
import Testing

@testable import CheckReports

/// The documents of a run without the results of some hosts. The results that it has all pass.
@Suite(.blocking) struct IncompleteRunTests {
    private func document(_ format: CheckDocument, gaps: [String]) throws -> [UInt8] {
        let run = CheckRun(
            command: "verify", time: try #require(Timestamp(rfc3339: "2026-11-21T02:00:00Z")),
            cases: [CheckCase(name: "a.example", findings: [])], summary: "a.example matches", gaps: gaps,
            in: "pins.json")
        return CheckReport.write(run, as: format, version: "1.2.3")
    }

    private func text(_ format: CheckDocument, gaps: [String] = ["the run was interrupted, so hosts are missing"])
        throws -> String
    {
        String(decoding: try document(format, gaps: gaps), as: UTF8.self)
    }

    /// A case that could not be checked is an error in JUnit, not a failure.
    @Test func junit() throws {
        let text = try text(.junit)
        #expect(text.contains(#"tests="2" failures="0" errors="1""#))
        #expect(text.contains(#"<error type="incomplete" message="the run was interrupted, so hosts are missing">"#))
        #expect(text.contains("a.example matches; not complete: the run was interrupted, so hosts are missing<"))
        #expect(try PublicSchema.errors(inJUnit: Array(text.utf8)) == "")
        try #expect(!self.text(.junit, gaps: []).contains("complete"))
    }

    @Test func sarif() throws {
        let text = try text(.sarif)
        #expect(text.contains(#""executionSuccessful": false"#) && text.contains(#""ruleId": "incomplete""#))
        #expect(text.contains(#""uri": "pins.json""#))
        #expect(try PublicSchema.errors(inSARIF: Array(text.utf8)) == "")
        try #expect(self.text(.sarif, gaps: []).contains(#""executionSuccessful": true"#))
    }

    /// The alert PinsFail of Scripts/jobs fires for a series with the value 0.
    @Test func prometheus() throws {
        let lines = try text(.prometheus).split(separator: "\n")
        #expect(lines.contains(#"pinctl_check_success{command="verify",name="a.example"} 1"#))
        #expect(lines.contains(#"pinctl_check_success{command="verify",name="(run)"} 0"#))
    }

    @Test func github() throws {
        let text = try text(.github, gaps: ["1 line was refused", "the run was interrupted"])
        #expect(
            text.split(separator: "\n") == [
                "::error file=pins.json,title=pinctl verify%3A incomplete::(run): 1 line was refused",
                "::error file=pins.json,title=pinctl verify%3A incomplete::(run): the run was interrupted",
            ])
    }
}
