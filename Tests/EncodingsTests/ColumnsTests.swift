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
}
