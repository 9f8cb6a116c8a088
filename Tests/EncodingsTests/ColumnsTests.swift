import Encodings
import TestSupport
import Testing

struct ColumnsTests {
    @Test(arguments: [
        ("", 0), ("abc", 3), ("é", 1), ("e\u{301}", 1), ("日本", 4), ("ﾊ", 1), ("Ａ", 2), ("한", 2), ("🫖", 2), ("👩‍🔬", 2),
        ("❤\u{FE0F}", 2), ("🇩🇪", 2), ("\u{200B}", 0), ("μ–…", 3), ("\u{301}", 0),
    ])
    func countsColumns(text: String, columns: Int) {
        #expect(text.columns == columns)
    }

    @Test(.notWithSanitizer) func wrappingManyMarksIsLinear() {
        func wrap(_ count: Int) -> () -> Void {
            let text = "a" + String(repeating: "\u{301}\u{323}", count: count)
            return { _ = text.wrapped(to: 60) }
        }
        let growth = Work.growth(small: wrap(2_000), large: wrap(16_000))
        #expect(growth < 30)
    }

    /// The runner of GitHub Actions ignores white space before "::" (ActionCommand.TryParseV2 in its source).
    @Test func noWrappedLineIsAWorkflowCommand() {
        #expect("abc ::error::pwned".wrapped(to: 8) == ["abc", "\\u{3A}:error::pwned"])
        #expect("abc ::error ::1 def".wrapped(to: 8) == ["abc", "::error", "::1 def"])
        #expect("abc ::error::pwned".wrapped(to: nil) == ["abc ::error::pwned"])
    }
}
