import Foundation
import Synchronization
import Testing

@testable import Fetching

@Suite struct NameAnswerCheckTests {
    private static func queries(_ names: [String]) -> [NameAnswerCheck.Query] {
        names.map { NameAnswerCheck.Query(name: $0, family: .any) }
    }

    /// Name servers that never answer, for more names than threads start together, neither block the check nor the other names.
    @Test func abandonsLookUpsThatNeverEnd() throws {
        let gate = DispatchSemaphore(value: 0)
        defer { gate.signal() }
        let silent = (0..<40).map { "silent-\($0)" }
        let all = Self.queries(["good", "truncated"] + silent)
        let check = NameAnswerCheck(of: all, timeout: .seconds(2), patience: .milliseconds(1)) { query in
            guard query.name.hasPrefix("silent") else { return query.name == "good" ? nil : "it is truncated" }
            gate.wait()
            gate.signal()
            return nil
        }
        let problems = check.problems()
        #expect(Set(problems.values) == ["it is truncated", "the name server did not answer within 2 s"])
        #expect(problems.count == 41)
        #expect(problems[all[0]] == nil)
        #expect(problems[all[1]] == "it is truncated")
    }

    @Test func asksForEachNameOnce() {
        let names = Mutex<[String]>([])
        let check = NameAnswerCheck(of: Self.queries((0..<300).map { "\($0 % 100)" }), timeout: .seconds(60)) { query in
            names.withLock { $0.append(query.name) }
            return "checked"
        }
        #expect(check.problems().count == 100)
        #expect(names.withLock { $0.sorted() } == (0..<100).map { "\($0)" }.sorted())
        #expect(NameAnswerCheck.problems(of: [], timeout: .seconds(60)).isEmpty)
    }
}
