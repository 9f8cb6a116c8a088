import Encodings
import Testing

struct ColumnsTests {
    @Test(arguments: [
        ("", 0), ("abc", 3), ("é", 1), ("e\u{301}", 1), ("日本", 4), ("ﾊ", 1), ("Ａ", 2), ("한", 2), ("🫖", 2), ("👩‍🔬", 2),
        ("❤\u{FE0F}", 2), ("🇩🇪", 2), ("\u{200B}", 0), ("μ–…", 3), ("\u{301}", 0),
    ])
    func countsColumns(text: String, columns: Int) {
        #expect(text.columns == columns)
    }

    /// The runner of GitHub Actions ignores white space before "::" (ActionCommand.TryParseV2 in its source).
    @Test func noWrappedLineIsAWorkflowCommand() {
        #expect("abc ::error::pwned".wrapped(to: 8) == ["abc", "\\u{3A}:error::pwned"])
        #expect("abc ::error ::1 def".wrapped(to: 8) == ["abc", "::error", "::1 def"])
        #expect("abc ::error::pwned".wrapped(to: nil) == ["abc ::error::pwned"])
    }
}
