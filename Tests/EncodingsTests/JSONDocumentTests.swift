import Foundation
import TestSupport
import Testing

@testable import Encodings

@Suite struct JSONDocumentTests {
    @Test(arguments: [
        "null", "true", "false", " \t\r\n1 \n", "0", "-0", "-1", "10", "0.5", "-0.0", "1e5", "1E+5", "1.25e-30",
        "123456789012345678901234567890", "1e999", #""""#, #""a""#, #""\"\\\/\b\f\n\r\t""#, #""\u0000""#,
        #""\u00e9\u00E9""#,
        #""\ud83d\ude00""#, "\"\u{7f}\"", "\"é\u{2028}\u{2029}😀\u{10ffff}\"", "\u{feff}[]", "[]", "{}", "[ ]", "{ }",
        "[1,[2,[]],{}]", #"{"":0}"#, #"{"a":1,"A":2}"#, "{\"\u{e9}\":1,\"e\u{301}\":2}", #"[0,"a",null]"#,
    ])
    func accepts(text: String) throws {
        _ = try JSONDocument(Array(text.utf8))
        #expect(foundationAccepts(Array(text.utf8)) || text == "1e999")
    }

    @Test func keepsOrderTextAndPositions() throws {
        let text = """
            {
              "é😀" : -1.50e+3,
              "list": [ true,
                        {"z": "\\u00e9\\ud83d\\ude00\\n", "a": null}
              ]
            }
            """
        let root = try JSONDocument(Array(text.utf8)).root
        func at(_ line: Int, _ column: Int) -> SourcePosition { SourcePosition(line: line, column: column) }
        let inner = JSONValue(
            .object([
                JSONMember(key: "z", at: at(4, 14), value: JSONValue(.string("é😀\n"), at: at(4, 19))),
                JSONMember(key: "a", at: at(4, 43), value: JSONValue(.null, at: at(4, 48))),
            ]),
            at: at(4, 13)
        )
        let expected = JSONValue(
            .object([
                JSONMember(key: "é😀", at: at(2, 3), value: JSONValue(.number("-1.50e+3"), at: at(2, 10))),
                JSONMember(
                    key: "list", at: at(3, 3),
                    value: JSONValue(.array([JSONValue(.bool(true), at: at(3, 13)), inner]), at: at(3, 11))
                ),
            ]),
            at: at(1, 1)
        )
        #expect(withoutRanges(root) == expected)
    }

    @Test func givesTheBytesOfEachValue() throws {
        let text = "\u{feff} {\"é\\\"\" : -1.50e+3 ,\n \"list\":[ true, [ ] ,\"\\u00e9\", null]}\n"
        let bytes = Array(text.utf8)
        func slice(_ range: Range<Int>) -> String { String(decoding: bytes[range], as: UTF8.self) }
        let root = try JSONDocument(bytes).root
        #expect(slice(root.range) == String(text.dropFirst(2).dropLast()))
        guard case .object(let members) = root.content, case .array(let values)? = members.last?.value.content else {
            Issue.record("not read as an object with an array")
            return
        }
        #expect(members.map { slice($0.range) } == [#""é\"""#, #""list""#])
        #expect(members.map { slice($0.value.range) } == ["-1.50e+3", #"[ true, [ ] ,"\u00e9", null]"#])
        #expect(values.map { slice($0.range) } == ["true", "[ ]", #""\u00e9""#, "null"])
        let map = JSONSourceMap(of: root)
        #expect(map.range == root.range && map.members.map(\.key) == members.map(\.range))
        #expect(map.members.last?.value.members.map(\.start) == values.map(\.range.lowerBound))
    }

    private func withoutRanges(_ value: JSONValue) -> JSONValue {
        let content: JSONValue.Content =
            switch value.content {
            case .array(let values): .array(values.map(withoutRanges))
            case .object(let members):
                .object(members.map { JSONMember(key: $0.key, at: $0.position, value: withoutRanges($0.value)) })
            case let other: other
            }
        return JSONValue(content, at: value.position)
    }

    @Test func decodesExactCharacters() throws {
        // RFC 8259, section 7: U+1D11E is "\uD834\uDD1E".
        let value = try JSONDocument(Array(#""\uD834\uDD1E\u00e9e\u0301\/\u2028""#.utf8)).root
        #expect(value.content == .string("\u{1d11e}\u{e9}e\u{301}/\u{2028}"))
    }

    @Test(
        arguments: [
            ("", 1, 1, "expected a value, found the end of the text", nil),
            ("\u{feff}", 1, 1, "expected a value, found the end of the text", nil),
            (" \n ", 2, 2, "expected a value, found the end of the text", nil),
            ("[", 1, 2, #"expected a value or "]", found the end of the text"#, nil),
            ("[1", 1, 3, #"expected "," or "]", found the end of the text"#, nil),
            ("[1,", 1, 4, "expected a value, found the end of the text", nil),
            ("{", 1, 2, #"expected a key or "}", found the end of the text"#, nil),
            (#"{"a""#, 1, 5, #"expected ":" after the key, found the end of the text"#, nil),
            (#"{"a":"#, 1, 6, "expected a value, found the end of the text", nil),
            (#"{"a":1"#, 1, 7, #"expected "," or "}", found the end of the text"#, nil),
            (#""abc"#, 1, 5, "expected the string's closing quote, found the end of the text", nil),
            (#""abc\"#, 1, 6, "expected the string's closing quote, found the end of the text", nil),
            (#""\u12"#, 1, 6, #"expected a hexadecimal digit after "\u", found the end of the text"#, nil),
            ("[1,]", 1, 4, #"expected a value, found "]""#, "remove the comma before the closing bracket"),
            ("{\n \"a\":1,\n}", 3, 1, #"expected a key, found "}""#, "remove the comma before the closing bracket"),
            ("[1 2]", 1, 4, #"expected "," or "]", found "2""#, nil),
            ("[,1]", 1, 2, #"expected a value or "]", found ",""#, nil),
            (#"{"a" 1}"#, 1, 6, #"expected ":" after the key, found "1""#, nil),
            (#"{"é" 1}"#, 1, 6, #"expected ":" after the key, found "1""#, nil),
            (#"{"a":1 "b":2}"#, 1, 8, #"expected "," or "}", found "\"""#, nil),
            ("{a:1}", 1, 2, #"expected a key or "}", found "a""#, "write keys in double quotes"),
            ("{1:1}", 1, 2, #"expected a key or "}", found "1""#, "write keys in double quotes"),
            ("['a']", 1, 2, #"expected a value or "]", found "'""#, "use double quotes"),
            ("// a\n1", 1, 1, #"expected a value, found "/""#, "remove the comment: JSON has no comments"),
            (
                "1 // a", 1, 3, #"expected the end of the text after the JSON value, found "/""#,
                "remove the comment: JSON has no comments"
            ),
            ("[] []", 1, 4, #"expected the end of the text after the JSON value, found "[""#, nil),
            ("01", 1, 2, #"expected the end of the text after the JSON value, found "1""#, nil),
            ("1.", 1, 3, "expected a digit, found the end of the text", nil),
            ("[1.]", 1, 4, #"expected a digit, found "]""#, nil),
            ("-", 1, 2, "expected a digit, found the end of the text", nil),
            ("1e+", 1, 4, "expected a digit, found the end of the text", nil),
            ("+1", 1, 1, #"expected a value, found "+""#, nil),
            (".5", 1, 1, #"expected a value, found ".""#, nil),
            (
                "[True]", 1, 2, #"expected a value, found "True""#,
                "write strings in double quotes; the only words without quotes are true, false and null"
            ),
            (
                "nulls", 1, 1, #"expected a value, found "nulls""#,
                "write strings in double quotes; the only words without quotes are true, false and null"
            ),
            (
                "[undefined]", 1, 2, #"expected a value, found "undefined""#,
                "write strings in double quotes; the only words without quotes are true, false and null"
            ),
            // The first lines of keys in base64.
            (
                "MHcCAQEEIA\n", 1, 1, #"expected a value, found "MHcC…""#,
                "write strings in double quotes; the only words without quotes are true, false and null"
            ),
            (
                "AwEHoUQDQgAE", 1, 1, #"expected a value, found "AwEH…""#,
                "write strings in double quotes; the only words without quotes are true, false and null"
            ),
            ("[-Infinity]", 1, 3, #"expected a digit, found "I""#, nil),
            (
                "NaN", 1, 1, #"expected a value, found "NaN""#,
                "write strings in double quotes; the only words without quotes are true, false and null"
            ),
            (
                #""\x41""#, 1, 3, #"unknown escape: a backslash and "x""#,
                #"write a backslash as "\\""#
            ),
            (#""\u00g0""#, 1, 6, #"expected a hexadecimal digit after "\u", found "g""#, nil),
            (#""a\ud800""#, 1, 3, #""\ud800" is half of a surrogate pair, but the other half is missing"#, nil),
            (#""\udc00""#, 1, 2, #""\udc00" is half of a surrogate pair, but the other half is missing"#, nil),
            (#""\ud800\u0041""#, 1, 2, #""\ud800" is half of a surrogate pair, but the other half is missing"#, nil),
            (
                "[\"a\nb\"]", 1, 4, #"the string contains the control character "\n" without an escape"#,
                "close the string on the line on which it begins"
            ),
            ("\"\t\"", 1, 2, #"the string contains the control character "\t" without an escape"#, #"write "\t""#),
            ("\"\0\"", 1, 2, #"the string contains the control character "\u{0}" without an escape"#, nil),
            ("\u{a0}1", 1, 1, "expected a value, found \"\u{a0}\"", nil),
            ("\u{feff}\u{feff}1", 1, 1, #"expected a value, found "\u{feff}""#, nil),
            (
                "{\"a\":1,\n\"\\u0061\":2}", 2, 1, #"duplicate key "a": first on line 1"#,
                "remove one: readers differ in which value they use"
            ),
        ] as [(String, Int, Int, String, String?)])
    func refuses(text: String, line: Int, column: Int, message: String, hint: String?) {
        let error = #expect(throws: JSONError.self) { try JSONDocument(Array(text.utf8)) }
        #expect(error?.position == SourcePosition(line: line, column: column))
        #expect(error?.message == message)
        #expect(error?.hint == hint)
    }

    /// RFC 3629, section 4: lone continuation bytes, overlong forms, surrogates, values above U+10FFFF, truncated sequences.
    @Test(
        arguments: [
            [0x80], [0xbf], [0xc0, 0x80], [0xc1, 0xbf], [0xe0, 0x80, 0x80], [0xe0, 0x9f, 0xbf], [0xed, 0xa0, 0x80],
            [0xed, 0xbf, 0xbf], [0xf0, 0x80, 0x80, 0x80], [0xf0, 0x8f, 0xbf, 0xbf], [0xf4, 0x90, 0x80, 0x80],
            [0xf5, 0x80, 0x80, 0x80], [0xff], [0xfe], [0xc3], [0xe2, 0x82], [0xf0, 0x9f, 0x98],
        ] as [[UInt8]])
    func rejectsInvalidUTF8(bytes: [UInt8]) {
        let quote = UInt8(ascii: "\"")
        let inside = #expect(throws: JSONError.self) { try JSONDocument([quote, 0x61] + bytes + [quote]) }
        #expect(inside?.reason == .invalidUTF8)
        #expect(inside?.position == SourcePosition(line: 1, column: 3))
        let outside = #expect(throws: JSONError.self) { try JSONDocument([UInt8(ascii: "[")] + bytes) }
        #expect(outside?.message == "expected a value or \"]\", found a byte that is not UTF-8")
    }

    @Test func recognizesUTF16() {
        for bytes in [[0xff, 0xfe, 0x5b, 0, 0x5d, 0], [0xfe, 0xff, 0, 0x5b, 0, 0x5d]] as [[UInt8]] {
            let error = #expect(throws: JSONError.self) { try JSONDocument(bytes) }
            #expect(error?.message == "the text is UTF-16, expected UTF-8")
            #expect(error?.hint == "save it as UTF-8")
        }
    }

    @Test func limitsDepthAndSize() throws {
        func nested(_ depth: Int) -> [UInt8] {
            Array((String(repeating: "[", count: depth) + String(repeating: "]", count: depth)).utf8)
        }
        _ = try JSONDocument(nested(64))
        let deep = #expect(throws: JSONError.self) { try JSONDocument(nested(65)) }
        #expect(deep?.position == SourcePosition(line: 1, column: 65))
        #expect(deep?.message == "arrays and objects are nested deeper than 64 levels")
        #expect(throws: JSONError.self) { try JSONDocument([UInt8](repeating: UInt8(ascii: "["), count: 1_000_000)) }
        _ = try JSONDocument(nested(4), maximumSize: 8)
        let long = #expect(throws: JSONError.self) { try JSONDocument(nested(4), maximumSize: 7) }
        #expect(long?.message == "the text is longer than 7 bytes")
    }

    @Test func rejectsWhatFoundationRejects() throws {
        var generator = SeededGenerator(seed: 8259)
        let seeds = [
            #"{"a":[1,2.5e-3,{"b":null,"c":true,"d":false}],"e":"x\u00e9\n\ud83d\ude00 é😀"}"#,
            #"[1,-0,0.5,1E+2,"",{},[],"\"\\\/\b\f\n\r\t"]"#, " \"abc\" ", "123", "{\"k\" : [ null , \"\u{2028}\" ] }",
        ].map { Array($0.utf8) }
        let pieces: [[UInt8]] =
            [[0x80], [0xff], [0xc3], [0xed, 0xa0, 0x80], [0], [0x1f]]
            + [
                "{", "}", "[", "]", ",", ":", "\"", "\\", "0", "1", "-", ".", "e", "null", "\n", #"\ud800"#, #"\udc00"#,
                "é",
            ]
            .map { Array($0.utf8) }
        var accepted = 0
        for _ in 0..<TestEnvironment.rounds(20_000) {
            var text = seeds.randomElement(using: &generator) ?? []
            for _ in 0..<Int.random(in: 1...3, using: &generator) {
                let place = Int.random(in: 0...text.count, using: &generator)
                let end = min(text.count, place + Int.random(in: 0...4, using: &generator))
                let piece = Bool.random(using: &generator) ? [] : pieces.randomElement(using: &generator) ?? []
                text.replaceSubrange(place..<end, with: piece)
            }
            guard let document = try? JSONDocument(text) else { continue }
            accepted += 1
            #expect(foundationAccepts(text), "\(String(decoding: text, as: UTF8.self))")
            // A value that is written and read again is equal.
            var writer = JSONWriter(.compact)
            writer.value(document.root)
            let again = try JSONDocument(writer.output).root
            var second = JSONWriter(.compact)
            second.value(again)
            #expect(second.output == writer.output)
        }
        #expect(accepted > TestEnvironment.rounds(1000))
    }

    private func foundationAccepts(_ text: [UInt8]) -> Bool {
        (try? JSONSerialization.jsonObject(with: Data(text), options: .fragmentsAllowed)) != nil
    }
}
