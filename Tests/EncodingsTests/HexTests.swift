import Testing

@testable import Encodings

@Suite struct HexTests {
    /// The vectors of RFC 4648, section 10, which are in upper case.
    static let vectors = [
        ("", ""), ("f", "66"), ("fo", "666F"), ("foo", "666F6F"), ("foob", "666F6F62"), ("fooba", "666F6F6261"),
        ("foobar", "666F6F626172"),
    ]

    @Test(arguments: vectors) func agreesWithStandard(plain: String, encoded: String) throws {
        #expect(Hex.encode(plain.utf8) == encoded.lowercased())
        #expect(try Hex.decode(encoded.utf8) == Array(plain.utf8))
        #expect(try Hex.decode(encoded.lowercased().utf8) == Array(plain.utf8))
    }

    @Test func writesEveryByte() throws {
        let all = (0...255).map { UInt8($0) }
        #expect(Hex.encode(all) == all.map { ($0 < 16 ? "0" : "") + String($0, radix: 16) }.joined())
        #expect(try Hex.decode(Hex.encode(all).utf8) == all)
    }

    @Test(arguments: [
        ("6", HexError.oddLength(1)), ("66f", .oddLength(3)), ("6g", .character(UInt8(ascii: "g"), offset: 1)),
        ("66:6f", .character(UInt8(ascii: ":"), offset: 2)), ("0x66", .character(UInt8(ascii: "x"), offset: 1)),
        ("66 ", .character(UInt8(ascii: " "), offset: 2)), ("6@", .character(UInt8(ascii: "@"), offset: 1)),
        ("6G", .character(UInt8(ascii: "G"), offset: 1)), ("/6", .character(UInt8(ascii: "/"), offset: 0)),
        ("6`", .character(UInt8(ascii: "`"), offset: 1)),
    ])
    func refuses(text: String, error: HexError) {
        #expect(throws: error) { try Hex.decode(text.utf8) }
    }
}
