import Testing

@testable import Encodings

/// The grammar and the examples of JSON5 1.0.0 (spec.json5.org).
@Suite struct JSON5Tests {
    @Test(arguments: [
        // The example of section 1.3.
        """
        {
          // comments
          unquoted: 'and you can quote me on that',
          singleQuotes: 'I can use "double quotes" here',
          lineBreaks: "Look, Mom! \\
        No \\\\n's!",
          hexadecimal: 0xdecaf,
          leadingDecimalPoint: .8675309, andTrailing: 8675309.,
          positiveSign: +1,
          trailingComma: 'in objects', andIn: ['arrays',],
          "backwardsCompatible": "with JSON",
        }
        """,
        "null", "{}", "[]", " [1, /* a */ 2] // b", "\u{feff}{a:1}", "{$a_1:1, ü:2, \\u0062:3}",
        "[0, -0, 1e5, 1.5E-3, 0XFF, -.5]",
        "[Infinity, -Infinity, +NaN]", "'\\x41\\u0042\\0\\q\\''", "\"a\u{2028}b\"", "{a:{},b:[[],]}", "\u{a0}1\u{b}",
        "{a:1,a:2}", "{a:{b:1,b:2}}",
    ])
    func readsJSON5(text: String) throws {
        #expect(try JSON5.repeatedKey(in: Array(text.utf8), on: []) == nil)
    }

    @Test(arguments: [
        ("", 1), ("{", 1), ("{\n\"a\" 1}", 2), ("{a:1 b:2}", 1), ("{a:1,,}", 1), ("{,}", 1), ("[,]", 1), ("[1,,2]", 1),
        ("{a:1}\n}", 2),
        ("01", 1), ("0x", 1), (".", 1), ("1e", 1), ("+", 1), ("- 1", 1), ("'a\nb'", 1), ("'a", 1), ("'\\1'", 1),
        ("'\\01'", 1),
        ("'\\x4'", 1), ("'\\u12g4'", 1), ("undefined", 1), ("{1a:1}", 1), ("{a-b:1}", 1), ("/* a", 1), ("/ 1", 1),
        ("{a:b}", 1),
        ("{...a}", 1),
    ])
    func refusesOtherTexts(text: String, line: Int) {
        let error = #expect(throws: JSONError.self) { try JSON5.repeatedKey(in: Array(text.utf8), on: []) }
        #expect(error?.position.line == line)
    }

    /// JSON5.parse uses the last of equal keys (section 3). Only a key on the path changes the value at its end.
    @Test(
        arguments: [
            ("{a:1,\na:2}", 2), ("{a:{},c:0,\n'a':{b:1}}", 2), ("{a:{b:1,\n\\u0062:2}}", 2),
            ("{c:1,c:2,a:{b:{b:1,b:2}}}", nil),
            ("{b:1,b:2,d:{a:1,a:2}}", nil), ("[{a:1,a:2}]", nil),
        ] as [(String, Int?)])
    func findsEqualKeysOnAPath(text: String, line: Int?) throws {
        #expect(try JSON5.repeatedKey(in: Array(text.utf8), on: ["a", "b"])?.position.line == line)
    }

    @Test func skipsCommentsThatAreNotUTF8() throws {
        let text = Array("{a:1 // ".utf8) + [0xff, 0x80] + Array("\n,/*".utf8) + [0xe2, 0x80] + Array("*/}".utf8)
        #expect(try JSON5.repeatedKey(in: text, on: []) == nil)
    }

    @Test func refusesBytesThatAreNotUTF8() {
        let deep = Array(repeating: UInt8(ascii: "["), count: 100_000)
        for bytes in [Array("{a:'".utf8) + [0xff] + Array("'}".utf8), [0xff], deep] {
            #expect(throws: JSONError.self) { try JSON5.repeatedKey(in: bytes, on: []) }
        }
    }
}
