import Encodings
import InputPromises
import TestSupport
import Testing

/// Random text for messages.
@Suite struct MessageTextTests {
    private static let parts = [
        "'", "\\", "\n", "\r\n", "\t", "$", " ", "://", "@", ":", "/", "\"", "M", "MIIE", "MIGHAgEAMBMG",
        "30818702010030",
        "LS0tLS1CRUdJTi", "b3BlbnNzaC1rZX", "\\n", "u:p@", "##[", "##vso", "[", "::", "\u{202E}", "\u{1F1E6}", "é", "~",
        "#", "=",
        "*", "",
    ]

    @Test func anyTextIsSafe() {
        var generator = SeededGenerator(seed: 51)
        for _ in 0..<TestEnvironment.rounds(2_000) {
            let count = Int.random(in: 0..<12, using: &generator)
            let text = (0..<count).map { _ in Self.parts.randomElement(using: &generator) ?? "" }.joined()
            let violation = MessageTextPromise.violation(in: Array(text.utf8))
            #expect(violation == nil, "\(text)")
        }
    }
}
