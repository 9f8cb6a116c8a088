import Testing

@testable import Arguments

struct TokenTests {
    @Test(
        arguments: [
            ("", .operand), ("host", .operand), ("-", .operand), ("a-b", .operand), ("=", .operand), ("–4", .operand),
            ("--", .terminator),
            ("--time", .long(name: "time", value: nil)),
            ("--time=5", .long(name: "time", value: "5")),
            ("--time=", .long(name: "time", value: "")),
            ("--time==5=", .long(name: "time", value: "=5=")),
            ("--=5", .long(name: "", value: "5")),
            ("---", .long(name: "-", value: nil)),
            ("-4", .short(["4"])), ("-46", .short(["4", "6"])), ("-o=x", .short(["o", "=", "x"])),
            ("-=", .short(["="])),
        ] as [(String, Token.Shape)])
    func classifiesWords(text: String, shape: Token.Shape) {
        #expect(Token(position: 0, text: text).shape == shape)
    }

    /// U+0301 forms one `Character` with the scalar before it; the parser must still find the dash or the equals sign.
    @Test(
        arguments: [
            ("-\u{301}", .short(["\u{301}"])),
            ("--\u{301}x", .long(name: "\u{301}x", value: nil)),
            ("--label=\u{301}x", .long(name: "label", value: "\u{301}x")),
            ("-l\u{301}", .short(["l", "\u{301}"])),
        ] as [(String, Token.Shape)])
    func combiningCharactersDoNotHideSigns(text: String, shape: Token.Shape) {
        #expect(Token(position: 0, text: text).shape == shape)
    }

    @Test func countsTokensFromZero() {
        let tokens = Token.tokens(of: ["make", "--time=5", "assam"])
        #expect(tokens.map(\.position) == [0, 1, 2])
        #expect(tokens.map(\.text) == ["make", "--time=5", "assam"])
    }
}
