import Foundation
import TestSupport
import Testing

@testable import Encodings

@Suite struct Base64Tests {
    /// RFC 4648, section 10.
    static let vectors = [
        ("", ""), ("f", "Zg=="), ("fo", "Zm8="), ("foo", "Zm9v"), ("foob", "Zm9vYg=="), ("fooba", "Zm9vYmE="),
        ("foobar", "Zm9vYmFy"),
    ]

    @Test(arguments: vectors) func agreesWithStandard(plain: String, encoded: String) throws {
        #expect(Base64.encode(Array(plain.utf8)) == encoded)
        #expect(try Base64.decode(encoded) == Array(plain.utf8))
        #expect(try Base64.decodeSkippingWhiteSpace(Array(encoded.utf8)) == Array(plain.utf8))
    }

    @Test func agreesWithFoundation() throws {
        var generator = SeededGenerator(seed: 1)
        for count in 0..<200 {
            let bytes = (0..<count).map { _ in UInt8.random(in: 0...255, using: &generator) }
            let encoded = Data(bytes).base64EncodedString()
            #expect(Base64.encode(bytes) == encoded)
            #expect(try Base64.decode(encoded) == bytes)
            for options: Data.Base64EncodingOptions in [
                [.lineLength64Characters, .endLineWithLineFeed], [.lineLength76Characters, .endLineWithCarriageReturn],
                [.lineLength64Characters, .endLineWithCarriageReturn, .endLineWithLineFeed],
            ] {
                let lines = Array(Data(bytes).base64EncodedString(options: options).utf8)
                #expect(try Base64.decodeSkippingWhiteSpace(lines) == bytes)
            }
        }
    }

    @Test func appendsToOutput() {
        var output = Array("pin=".utf8)
        Base64.append(Array("foob".utf8), to: &output)
        #expect(String(decoding: output, as: UTF8.self) == "pin=Zm9vYg==")
    }

    @Test(arguments: [
        ("Zg", Base64Error.missingPadding(offset: 2)),
        ("Zg=", .missingPadding(offset: 3)),
        ("Zm8", .missingPadding(offset: 3)),
        ("Zm9vY", .truncated(offset: 5)),
        ("Zg===", .misplacedPadding(offset: 4)),
        ("Zm9v=", .misplacedPadding(offset: 4)),
        ("=", .misplacedPadding(offset: 0)),
        ("Z===", .misplacedPadding(offset: 1)),
        ("Zg==Zg==", .misplacedPadding(offset: 3)),
        ("Zm8=Zg==", .misplacedPadding(offset: 3)),
        ("Zh==", .trailingBits(offset: 1)),
        ("Zm9=", .trailingBits(offset: 2)),
        ("Zm-v", .character(UInt8(ascii: "-"), offset: 2)),
        ("Zm9vZm9_", .character(UInt8(ascii: "_"), offset: 7)),
        ("Zm9v\nZm9v", .character(UInt8(ascii: "\n"), offset: 4)),
        ("Zg==\n", .character(UInt8(ascii: "\n"), offset: 4)),
        ("Zm9\u{e9}", .character(0xc3, offset: 3)),
        ("Zm9\0", .character(0, offset: 3)),
    ])
    func refuses(text: String, error: Base64Error) {
        #expect(throws: error) { try Base64.decode(text) }
        // In a slice after other text, the offsets are the same.
        #expect(throws: error) { try Base64.decode(Array("@@\(text)".utf8).dropFirst(2)) }
    }

    @Test(arguments: [
        (" Z g = =\r\n", "f"), ("\nZm9v\n\tYmFy\n\n", "foobar"), ("Zm9vY\ng==", "foob"), ("\n \n", ""),
    ])
    func skipsWhiteSpaceAnywhere(text: String, plain: String) throws {
        #expect(try Base64.decodeSkippingWhiteSpace(Array(text.utf8)) == Array(plain.utf8))
    }

    @Test(arguments: [
        ("Zg\n", Base64Error.missingPadding(offset: 3)),
        ("Zm9v\nYmF@", .character(UInt8(ascii: "@"), offset: 8)),
        ("Zm8=\nZg==", .misplacedPadding(offset: 4)),
        ("Zm8=\n@", .character(UInt8(ascii: "@"), offset: 5)),
    ])
    func refusesBetweenWhiteSpace(text: String, error: Base64Error) {
        #expect(throws: error) { try Base64.decodeSkippingWhiteSpace(Array(text.utf8)) }
    }

    @Test func hasOneEncodingForEachValue() throws {
        // Before the padding, only characters whose spare bits are zero are valid.
        for symbol in "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/" {
            let text = "AA\(symbol)="
            guard let bytes = try? Base64.decode(text) else { continue }
            #expect(Base64.encode(bytes) == text)
        }
    }
}
