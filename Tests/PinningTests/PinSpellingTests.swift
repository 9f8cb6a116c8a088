import Foundation
import TestSupport
import Testing

@testable import Encodings
@testable import Pinning

@Suite struct PinSpellingTests {
    /// Published pins of well-known roots: base64 and hexadecimal.
    static let published = [
        (
            "C5+lpZ7tcVwmwQIMcRtPbsQtWLABXhQzejna0wHFr8M=",
            "0b9fa5a59eed715c26c1020c711b4f6ec42d58b0015e14337a39dad301c5afc3"
        ),
        (
            "hxqRlPTu1bMS/0DITB1SSu0vd4u/8l8TjPgfaAp63Gc=",
            "871a9194f4eed5b312ff40c84c1d524aed2f778bbff25f138cf81f680a7adc67"
        ),
        (
            "diGVwiVYbubAI3RW4hB9xU8e/CH2GnkuvVFZE8zmgzI=",
            "762195c225586ee6c0237456e2107dc54f1efc21f61a792ebd515913cce68332"
        ),
        // A pin that begins with a slash, as one pin in 64 does.
        (
            "/qK31kX7pz11PB7Jp4cMQOH3sMVh6Se5hb9xGGbjbyI=",
            "fea2b7d645fba73d753c1ec9a7870c40e1f7b0c561e927b985bf711866e36f22"
        ),
    ]

    @Test(arguments: published) func readsEverySpelling(base64: String, hex: String) throws {
        let pin = try #require(Pin(digest: Hex.decode(hex.utf8)))
        let pairs = stride(from: 0, to: 64, by: 2).map { String(hex.dropFirst($0).prefix(2)) }.joined(separator: ":")
        for spelling in [
            base64, "sha256/\(base64)", "sha256//\(base64)", "pin-sha256=\"\(base64)\"", "pin-sha256=\(base64)",
            "pin-sha256:\(base64)", "SHA256:\(base64)", "SHA256:\(base64.dropLast())", "sha256:\(base64.dropLast())",
            "SHA256/\(base64)", "Pin-SHA256=\"\(base64)\"",
            hex, hex.uppercased(), pairs, pairs.uppercased(), "sha256:\(hex)", "sha256/\(hex)", "SHA256:\(pairs)",
        ] {
            #expect(try Pin(spelling: spelling) == pin, "\(spelling)")
        }
        #expect(pin.base64 == base64)
    }

    static let x1 = "C5+lpZ7tcVwmwQIMcRtPbsQtWLABXhQzejna0wHFr8M="
    static let hex = "0b9fa5a59eed715c26c1020c711b4f6ec42d58b0015e14337a39dad301c5afc3"
    static let form = "write the SHA-256 of a public key: 44 characters of base64, or 64 hexadecimal digits"
    static let hint = "generate the pin again from the certificate or key"

    @Test(
        arguments: [
            ("", .empty, "the pin is empty", form),
            (
                "sha1/U8tRPZ7ZHRnQnRmCpEAAeZnE0oU=", .algorithm("sha1"),
                #""sha1/U8tRPZ7ZHRnQnRmCpEAAeZnE0oU=" is a sha1 digest, but a pin is a sha256 digest"#, hint
            ),
            (
                "pin-sha1=\"x\"", .algorithm("sha1"),
                #""pin-sha1=\"x\"" is a sha1 digest, but a pin is a sha256 digest"#,
                hint
            ),
            (
                "SHA512:abcd", .algorithm("sha512"),
                #""SHA512:abcd" is a sha512 digest, but a pin is a sha256 digest"#,
                hint
            ),
            ("MD5:00:11", .algorithm("md5"), #""MD5:00:11" is a md5 digest, but a pin is a sha256 digest"#, hint),
            (
                "U8tRPZ7ZHRnQnRmCpEAAeZnE0oU=", .length(20),
                #""U8tRPZ7ZHRnQnRmCpEAAeZnE0oU=" has 20 bytes, but a pin has 32"#, form
            ),
            ("sha256/", .length(0), #""sha256/" has 0 bytes, but a pin has 32"#, form),
            ("AA==", .length(1), #""AA==" has 1 byte, but a pin has 32"#, form),
            ("AAAAA", .length(3), #""AAAAA" has 3 bytes, but a pin has 32"#, form),
            (
                String(x1.dropLast()), .missingPadding,
                #""C5+lpZ7tcVwmwQIMcRtPbsQtWLABXhQzejna0wHFr8M" does not end with "=""#,
                #"write "C5+lpZ7tcVwmwQIMcRtPbsQtWLABXhQzejna0wHFr8M=""#
            ),
            (
                "pin-sha256=\"\(x1.dropLast())\"", .missingPadding,
                #""pin-sha256=\"C5+lpZ7tcVwmwQIMcRtPbsQtWLABXhQzejna0wHFr8M\"" does not end with "=""#,
                #"write "pin-sha256=\"C5+lpZ7tcVwmwQIMcRtPbsQtWLABXhQzejna0wHFr8M=\"""#
            ),
            (
                "\(x1)=", .misplacedPadding(offset: 44),
                #""C5+lpZ7tcVwmwQIMcRtPbsQtWLABXhQzejna0wHFr8M==" has "=" at character 45, which is allowed only at the end"#,
                form
            ),
            (
                "sha256/!5+lpZ7tcVwmwQIMcRtPbsQtWLABXhQzejna0wHFr8M=", .character(offset: 7),
                #""sha256/!5+lpZ7tcVwmwQIMcRtPbsQtWLABXhQzejna0wHFr8M=" has "!" at character 8, which is not in the base64 alphabet"#,
                nil
            ),
            (
                "C5+lpZ7tcVwmwQIMcRtPbsQtWLABXhQzejna0wHFr8é=", .character(offset: 42),
                #""C5+lpZ7tcVwmwQIMcRtPbsQtWLABXhQzejna0wHFr8é=" has "é" at character 43, which is not in the base64 alphabet"#,
                nil
            ),
            (
                "\(x1)\n", .character(offset: 44),
                #""C5+lpZ7tcVwmwQIMcRtPbsQtWLABXhQzejna0wHFr8M=\n" has "\n" at character 45, which is not in the base64 alphabet"#,
                "remove the white space"
            ),
            (
                "SHA256:C5-lpZ7tcVwmwQIMcRtPbsQtWLABXhQzejna0wHFr8M", .urlAlphabet(offset: 9),
                #""SHA256:C5-lpZ7tcVwmwQIMcRtPbsQtWLABXhQzejna0wHFr8M" has "-" at character 10, which belongs to base64url"#,
                #"write "+" for "-" and "/" for "_""#
            ),
            (
                "hxqRlPTu1bMS_0DITB1SSu0vd4u_8l8TjPgfaAp63Gc=", .urlAlphabet(offset: 12),
                #""hxqRlPTu1bMS_0DITB1SSu0vd4u_8l8TjPgfaAp63Gc=" has "_" at character 13, which belongs to base64url"#,
                #"write "+" for "-" and "/" for "_""#
            ),
            (
                "C5+lpZ7tcVwmwQIMcRtPbsQtWLABXhQzejna0wHFr8N=", .trailingBits(offset: 42),
                #""C5+lpZ7tcVwmwQIMcRtPbsQtWLABXhQzejna0wHFr8N=" has "N" at character 43, which has bits that are not part of a byte"#,
                "copy the pin again: a character was changed or lost"
            ),
            (
                "SHA256:C5+lpZ7tcVwmwQIMcRtPbsQtWLABXhQzejna0wHFr8N", .trailingBits(offset: 49),
                #""SHA256:C5+lpZ7tcVwmwQIMcRtPbsQtWLABXhQzejna0wHFr8N" has "N" at character 50, which has bits that are not part of a byte"#,
                "copy the pin again: a character was changed or lost"
            ),
            (
                "\(hex.dropLast())g", .hexDigit(offset: 63),
                #""0b9fa5a59eed715c26c1020c711b4f6ec42d58b0015e14337a39dad301c5afcg" has "g" at character 64, which is not a hexadecimal digit"#,
                nil
            ),
            (
                "0b:9f:a5:a59eed715c26c1020c711b4f6ec42d58b0015e14337a39dad301c5afc3", .missingColon(offset: 11),
                #""0b:9f:a5:a59eed715c26c1020c711b4f6ec42d58b0015e14337a39dad301c5afc3" has "9" at character 12, where a colon is expected"#,
                nil
            ),
            (
                String(hex.dropLast()), .oddHexDigits(63),
                #""0b9fa5a59eed715c26c1020c711b4f6ec42d58b0015e14337a39dad301c5afc" has 63 hexadecimal digits, but a pin has 64"#,
                form
            ),
            (
                "da39a3ee5e6b4b0d3255bfef95601890afd80709", .length(20),
                #""da39a3ee5e6b4b0d3255bfef95601890afd80709" has 20 bytes, but a pin has 32"#, form
            ),
            (
                "pin-sha256=\"\(x1)", .unclosedQuote,
                #""pin-sha256=\"C5+lpZ7tcVwmwQIMcRtPbsQtWLABXhQzejna0wHFr8M=" has no closing quote"#,
                #"write "pin-sha256=\"C5+lpZ7tcVwmwQIMcRtPbsQtWLABXhQzejna0wHFr8M=\"""#
            ),
            ("pin-sha256=\"", .unclosedQuote, #""pin-sha256=\"" has no closing quote"#, #"write "pin-sha256=\"\"""#),
            (
                "sha256/47DEQpj8HBSa+/TImW+5JCeuQeRkm5NMpJWZG3hSuFU=", .digestOfNothing,
                #""sha256/47DEQpj8HBSa+/TImW+5JCeuQeRkm5NMpJWZG3hSuFU=" is the SHA-256 of empty input"#,
                "\(hint): the command that should print the key printed nothing"
            ),
            (
                "E3B0C44298FC1C149AFBF4C8996FB92427AE41E4649B934CA495991B7852B855", .digestOfNothing,
                #""E3B0C44298FC1C149AFBF4C8996FB92427AE41E4649B934CA495991B7852B855" is the SHA-256 of empty input"#,
                "\(hint): the command that should print the key printed nothing"
            ),
        ] as [(String, PinSpellingError.Reason, String, String?)])
    func reportsErrors(spelling: String, reason: PinSpellingError.Reason, message: String, hint: String?) {
        let error = #expect(throws: PinSpellingError.self) { try Pin(spelling: spelling) }
        #expect(error == PinSpellingError(spelling: spelling, reason: reason))
        #expect(error?.message == message)
        #expect(error?.hint == hint)
    }

    @Test func neverTrapsAndNeverPrintsControlCharacters() {
        var generator = SeededGenerator(seed: 7469)
        let seeds =
            Self.published.flatMap { [$0.0, "sha256//\($0.0)", "pin-sha256=\"\($0.0)\"", $0.1] } + [
                "sha1/", "é\u{301}",
            ]
        for _ in 0..<TestEnvironment.rounds(20_000) {
            var bytes = Array(seeds.randomElement(using: &generator)?.utf8 ?? "".utf8)
            for _ in 0..<Int.random(in: 1...4, using: &generator) {
                let place = Int.random(in: 0...bytes.count, using: &generator)
                switch Int.random(in: 0..<3, using: &generator) {
                case 0: bytes.insert(UInt8.random(in: 0...255, using: &generator), at: place)
                case 1: bytes.removeSubrange(place..<min(bytes.count, place + 1))
                default: bytes.removeLast(min(bytes.count, Int.random(in: 0...50, using: &generator)))
                }
            }
            do throws(PinSpellingError) {
                _ = try Pin(spelling: String(decoding: bytes, as: UTF8.self))
            } catch {
                let text = error.message + (error.hint ?? "")
                #expect(!text.unicodeScalars.contains { $0.properties.generalCategory == .control })
            }
        }
    }

    /// By chance, one SHA-256 pin in four million begins with the name of another algorithm.
    @Test(arguments: [
        "MD5/dZCUtdSx/J7R/4tbhcwYRsQaXI2/zyx0xGOjcAs=", "md5/dZCUtdSx/J7R/4tbhcwYRsQaXI2/zyx0xGOjcAs=",
        "SHA1/ZCUtdSx/J7R/4tbhcwYRsQaXI2/zyx0xGOjcAs=", "sha1/ZCUtdSx/J7R/4tbhcwYRsQaXI2/zyx0xGOjcAs=",
        "SHA/ZCUtdSxx/J7R/4tbhcwYRsQaXI2/zyx0xGOjcAs=",
    ])
    func readsAPinThatBeginsLikeAnotherAlgorithm(text: String) throws {
        let bytes = try #require(Data(base64Encoded: text))
        #expect(bytes.count == 32)
        #expect(try Pin(spelling: text).bytes == Array(bytes))
        #expect(try Pin(spelling: "sha256/" + text).bytes == Array(bytes))
    }

    /// 16 or 20 bytes are not a SHA-256, whatever text follows.
    @Test(arguments: [("md5/XrY7u+Abfl6P9sE5pKxVAw==", "md5"), ("sha1/2jmj7l5rSw0yVb/vlWAYkK/YBwk=", "sha1")])
    func refusesAPinOfAnotherAlgorithm(text: String, name: String) {
        let error = #expect(throws: PinSpellingError.self) { try Pin(spelling: text) }
        #expect(error?.reason == .algorithm(name))
    }
}
