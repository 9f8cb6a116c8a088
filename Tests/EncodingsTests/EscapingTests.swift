import Encodings
import Testing

struct EscapingTests {
    @Test(arguments: [
        ("", #""""#), ("a b", #""a b""#), (#"a"b\n"#, #""a"b\n""#), ("日本 é 🫖", #""日本 é 🫖""#),
        ("\u{1B}[31mred", #""\u{1B}[31mred""#), ("a\nb\r\nc\td", #""a\nb\r\nc\td""#),
        ("\u{0}\u{7F}", #""\u{0}\u{7F}""#),
        ("\u{9B}2J", #""\u{9B}2J""#), ("\u{202E}gpj", #""\u{202E}gpj""#), ("\u{2028}", #""\u{2028}""#),
        ("\u{200B}", #""\u{200B}""#), ("\u{FEFF}x", #""\u{FEFF}x""#), ("\u{3164}", #""\u{3164}""#),
        ("\u{FE0F}\u{E0100}", #""\u{FE0F}\u{E0100}""#), ("\u{FFFE}a", #""\u{FFFE}a""#),
        ("\u{FFFF}\u{10FFFF}\u{FFFD}", "\"\\u{FFFF}\\u{10FFFF}\u{FFFD}\""),
        ("a\u{2800}b\u{1D159}", #""a\u{2800}b\u{1D159}""#), ("\u{2801}", "\"\u{2801}\""),
        // The filler of the Khitan small script, the joiner of Brahmi numbers, and blanks of Egyptian hieroglyphs.
        ("a\u{16FE4}\u{1107F}b\u{13440}\u{13441}\u{13442}", #""a\u{16FE4}\u{1107F}b\u{13440}\u{13441}\u{13442}""#),
        ("##[error]x", "\"#\\u{23}[error]x\""), ("###[x", "\"##\\u{23}[x\""), ("a ##vso[x]y", "\"a #\\u{23}vso[x]y\""),
        ("##teamcity[x", "\"#\\u{23}teamcity[x\""), ("##a b[", "\"##a b[\""),
        ("## [x] #[", "\"## [x] #[\""),
        ("::error file=a::b", #""\u{3A}:error file=a::b""#), (" ::stop::", #"" \u{3A}:stop::""#),
        ("::1", #""::1""#), ("a::b::c", #""a::b::c""#),
    ])
    func escapesControlAndFormatCharacters(text: String, quoted: String) {
        #expect(text.quoted == quoted)
    }

    /// A mark that begins before the end of the excerpt and ends after it is cut.
    @Test(arguments: [
        ("##[error]x", "\"#\\u{23}[error]x\""), ("a ##vso[x]y", "\"a #\\u{23}vso[x]y\""), ("# #[", "\"# #[\""),
        ("https://u:p@h/##vso[x]", "\"https://…@h/#\\u{23}vso[x]\""),
        (String(repeating: "x", count: 76) + "##vso[x]", "\"" + String(repeating: "x", count: 76) + "##vs…\""),
    ])
    func excerptsContainNoCommand(text: String, excerpt: String) {
        #expect(text.quotedExcerpt == excerpt)
    }
}
