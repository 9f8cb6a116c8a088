import InputPromises
import TestSupport
import Testing

/// Lists of random shape, with items on lines and on one line, labels before and after them, and other markup.
@Suite struct XMLListEditorTests {
    private static let parts = [
        "<p/>", "<p/>", "<p>1</p>", "<p a='1'>2</p>", "<q/>", "<!-- a -->", "<!-- b -->", "<!---->", "<?x?>", "t",
        "&amp;",
        "<![CDATA[<p>]]>", "\n", "\n", "\n  ", "\n\t", "\r\n  ", " ", "\t", "<l>", "</l>",
    ]

    @Test func editsKeepEverythingElse() {
        var generator = SeededGenerator(seed: 41)
        for _ in 0..<TestEnvironment.rounds(20_000) {
            let count = Int.random(in: 0..<20, using: &generator)
            let inner = (0..<count).map { _ in Self.parts.randomElement(using: &generator) ?? "" }.joined()
            let text = "<a>\(inner)</a>\n"
            let violation = XMLListPromise.violation(in: Array(text.utf8))
            #expect(violation == nil, "\(text)")
        }
    }

    /// Lists as people write them: one item on each line.
    @Test(arguments: ["\n", "\r\n"]) func removingNewItemsRestoresTheText(lineEnd: String) {
        var generator = SeededGenerator(seed: 42)
        let items = ["<p>1</p>", "<!-- a -->IN<p>2</p>", "<p>3</p> <!-- b -->", "<q/>IN<p>4</p>"]
        for _ in 0..<TestEnvironment.rounds(5_000) {
            let indentation = lineEnd + ["", "  ", "\t"][Int.random(in: 0..<3, using: &generator)]
            let count = Int.random(in: 0..<6, using: &generator)
            let lines = (0..<count).map { _ in indentation + (items.randomElement(using: &generator) ?? "") }
            let text = "<a>" + lines.joined().replacing("IN", with: indentation) + lineEnd + "</a>" + lineEnd
            let violation = XMLListPromise.violation(in: Array(text.utf8))
            #expect(violation == nil, "\(text)")
        }
    }
}
