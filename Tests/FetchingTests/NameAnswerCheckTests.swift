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
            guard query.name.hasPrefix("silent") else {
                return query.name == "good" ? NameAnswer.Addresses() : NameAnswer.Addresses(reason: "it is truncated")
            }
            gate.wait()
            gate.signal()
            return NameAnswer.Addresses()
        }
        let answers = check.answers()
        #expect(answers.count == 42)
        #expect(answers[all[0]] == NameAnswer.Addresses())
        #expect(answers[all[1]] == NameAnswer.Addresses(reason: "it is truncated"))
        for query in all.dropFirst(2) {
            #expect(answers[query] == NameAnswer.Addresses(reason: "the name server did not answer within 2 s"))
        }
    }

    @Test func asksForEachNameOnce() {
        let names = Mutex<[String]>([])
        let check = NameAnswerCheck(of: Self.queries((0..<300).map { "\($0 % 100)" }), timeout: .seconds(60)) { query in
            names.withLock { $0.append(query.name) }
            return NameAnswer.Addresses()
        }
        #expect(check.answers().count == 100)
        #expect(names.withLock { $0.sorted() } == (0..<100).map { "\($0)" }.sorted())
        #expect(NameAnswerCheck.answers(to: [], timeout: .seconds(60)).isEmpty)
    }
}
