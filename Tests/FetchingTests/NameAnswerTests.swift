import CSystem
import TestSupport
import Testing

@testable import Fetching

@Suite struct NameAnswerTests {
    /// An answer as dig(1) reads it: an alias, and the address 192.0.2.1 of the alias. The names are pointers (RFC 1035, section 4.1.4).
    private static let alias: [UInt8] =
        [0, 7, 0x81, 0x80, 0, 1, 0, 2, 0, 0, 0, 0, 1, 0x61, 4, 0x74, 0x65, 0x73, 0x74, 0, 0, 1, 0, 1]
        + [0xC0, 12, 0, 5, 0, 1, 0, 0, 0, 5, 0, 4, 1, 0x62, 0xC0, 14]
        + [0xC0, 36, 0, 1, 0, 1, 0, 0, 0, 5, 0, 4, 192, 0, 2, 1]

    @Test func acceptsAliases() throws {
        try NameAnswer.check(Self.alias, AF_INET)
        // Of a question for the other family, only the header and the alias count.
        try NameAnswer.check(Self.alias, AF_INET6)
    }

    @Test func rejectsEachCutAnswer() {
        for length in 0..<Self.alias.count {
            #expect(throws: NameAnswer.Problem.malformed) {
                try NameAnswer.check(Array(Self.alias.prefix(length)), AF_INET)
            }
        }
    }

    @Test func acceptsAHeaderWithoutRecords() throws {
        try NameAnswer.check([0, 7, 0x81, 0x80, 0, 1, 0, 0, 0, 0, 0, 0], AF_INET6)
    }

    @Test func readsAnyBytes() {
        var generator = SeededGenerator(seed: 51)
        var problems = 0
        for _ in 0..<20_000 {
            var bytes = Self.alias
            for _ in 0..<Int.random(in: 1...4, using: &generator) {
                bytes[Int.random(in: bytes.indices, using: &generator)] = .random(in: 0...255, using: &generator)
            }
            do {
                try NameAnswer.check(bytes, AF_INET)
            } catch {
                problems += 1
            }
        }
        #expect(problems > 1000 && problems < 20_000)
    }
}
