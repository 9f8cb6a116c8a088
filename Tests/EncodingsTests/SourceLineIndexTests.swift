import Encodings
import TestSupport
import Testing

struct SourceLineIndexTests {
    /// Counting from the start of the text gives the same positions.
    @Test func positionsAreThoseOfCounting() {
        var generator = SeededGenerator(seed: 7)
        let parts = ["a", "\n", "é", "日", "\r\n", "🫖", String(repeating: "x", count: 700), "\u{feff}"]
        for start in ["", "\u{feff}"] {
            for _ in 0..<40 {
                let count = Int.random(in: 0...30, using: &generator)
                let text = start + (0..<count).map { _ in parts.randomElement(using: &generator) ?? "" }.joined()
                let bytes = Array(text.utf8)
                let index = SourceLineIndex(bytes)
                for offset in [-1, 0, 1, bytes.count, bytes.count + 1]
                    + (0..<40).map({ _ in Int.random(in: 0...bytes.count, using: &generator) })
                {
                    let expected = SourcePosition(of: offset, in: bytes)
                    #expect(index.position(of: offset) == expected)
                    #expect(index.line(of: offset) == expected.line)
                }
            }
        }
    }
}
