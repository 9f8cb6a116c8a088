import Testing

@testable import Encodings
@testable import PinSetCodec
@testable import PinSetMaintenance
@testable import Pinning

@Suite struct LintFindingLimitTests {
    private static func finding(_ code: LintCode, _ number: Int) -> LintFinding {
        LintFinding(
            code: code, severity: code.severity, host: nil, pin: nil, message: "m", hint: nil, action: nil,
            line: number, column: 1)
    }

    /// The limit applies to each code: findings with one code do not hide those with another code.
    @Test func countsEachCode() {
        var limit = LintFindingLimit()
        for number in 1...LintFindingLimit.maximum {
            let finding = Self.finding(.duplicateKey, number)
            #expect(!limit.isReached(by: finding))
            limit.add(finding)
        }
        #expect(limit.sentences.isEmpty)
        let next = Self.finding(.duplicateKey, 0)
        #expect(limit.isReached(by: next) && !limit.isReached(by: Self.finding(.unknownKey, 0)))
        limit.add(next)
        #expect(
            limit.sentences.map(\.message) == [
                "1 more error has this code; lint shows at most 10000 of them for each file"
            ])
        limit.add(next)
        #expect(limit.sentences.map(\.count) == [2])
    }

    /// A finding that is found twice counts once, also after the limit.
    @Test func countsDuplicatesOnce() {
        var findings = LintFindings()
        for number in 1...LintFindingLimit.maximum + 5 {
            for _ in 0..<2 {
                findings.add(.duplicateKey, "m", at: SourcePosition(line: number, column: 1))
            }
        }
        #expect(findings.list.count == LintFindingLimit.maximum)
        #expect(findings.sorted.count == LintFindingLimit.maximum + 1)
        #expect(findings.sorted.last?.omitted == 5)
        #expect(findings.inOrderOfAddition.last?.omitted == 5)
    }

    /// The pins of one host with an invalid pin and a mistake that is not about a pin: all mistakes are reported in their order.
    @Test func reportsTheMistakesOfPinsInOrder() throws {
        let findings = try Lint.findings(
            Lint.pins("\"x\"", "{ \"role\": 1 }", "\"y\"", more: "\"expires\": \"soon\", "))
        #expect(
            findings.map { "\($0.line ?? 0) \($0.code.rawValue)" } == [
                "1 invalid-date", "1 invalid-pin", "2 missing-key", "2 wrong-type", "3 invalid-pin",
            ])
    }
}
