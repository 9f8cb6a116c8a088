import Testing

@testable import Encodings

/// Prefixes, suffixes and delimiters before a combining mark, or after a letter that forms one character with them.
@Suite struct DelimiterTests {
    @Test func aMarkDoesNotHideADelimiter() {
        let text = "a/\u{301}b/\u{D4E}/c"
        #expect(
            text.parts(separatedBy: "/").map { Array($0.unicodeScalars) } == [
                ["a"], ["\u{301}", "b"], ["\u{D4E}"], ["c"],
            ])
        #expect(text.divided(atFirst: "/").map { Array($0.after.unicodeScalars.prefix(2)) } == ["\u{301}", "b"])
        #expect(text.before(anyOf: "#/") == "a" && text.before(anyOf: "#") == text)
        #expect(text.has("a/") && text.has("/") && !text.has("/b"))
        #expect(text.without(prefix: "a/")?.unicodeScalars.first == "\u{301}")
        #expect("x\u{D4E}/".without(suffix: "/") == "x\u{D4E}" && "x/".without(suffix: "x") == nil)
        #expect("-\u{301}".begins(with: "-") && "\u{D4E}.pem".ends(with: ".pem") && !"a".begins(with: "ab"))
        #expect("".parts(separatedBy: ",") == [""] && ",".parts(separatedBy: ",") == ["", ""])
    }

    @Test func textsAreDividedAtBytes() {
        #expect("a; b;c; ".parts(separatedByBytes: "; ") == ["a", "b;c", ""])
        #expect("".parts(separatedByBytes: "; ") == [""])
        #expect("a;;;b".dropFirst().parts(separatedByBytes: ";;") == ["", ";b"])
        #expect("%d of %d".replacing(bytes: "%d", with: "%d%d") == "%d%d of %d%d")
        #expect("x\u{301}y".replacing(bytes: "x", with: "z") == "z\u{301}y")
    }

    /// Canonically equal texts have different bytes.
    @Test func bytesAreCompared() {
        #expect(!"e\u{301}".begins(with: "é") && !"e\u{301}".ends(with: "é") && !"e\u{301}".has("é"))
    }

    @Test(arguments: [
        ("##[x]", "# #[x]"), ("a ##vso[b ##c ###teamcity[", "a # #vso[b ##c ## #teamcity["), ("#[", "#["),
    ])
    func dividesMarksOfCommands(text: String, expected: String) {
        #expect(text.withoutLogCommands == expected)
    }
}
