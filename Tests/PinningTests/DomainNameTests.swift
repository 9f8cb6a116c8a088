import TestSupport
import Testing

@testable import Encodings
@testable import Pinning

@Suite struct DomainNameTests {
    /// The results that Tests/Vectors/make-names.py computed with other programs.
    static let vectors: [(spelling: String, result: String)] = Vectors.table("names.tsv").compactMap { fields in
        fields.count == 2 ? (fields[0], fields[1]) : nil
    }

    @Test func convertsNamesToALabels() {
        #expect(Self.vectors.count > 500)
        for (spelling, result) in Self.vectors {
            let name = Self.text(spelling)
            #expect((try? DomainName.normalized(name)) ?? "-" == result, "\(spelling)")
            guard result != "-" else { continue }
            #expect((try? DomainName.normalized(result)) == result, "\(spelling)")
        }
    }

    /// Text in which some characters are written as `\u{…}`.
    static func text(_ spelling: String) -> String {
        var text = String.UnicodeScalarView()
        for (index, part) in spelling.split(separator: "\\u{", omittingEmptySubsequences: false).enumerated() {
            var rest = part
            if index > 0, let end = part.firstIndex(of: "}"), let code = UInt32(part[..<end], radix: 16),
                let scalar = Unicode.Scalar(code)
            {
                text.append(scalar)
                rest = part[end...].dropFirst()
            }
            text.append(contentsOf: rest.unicodeScalars)
        }
        return String(text)
    }

    @Test(
        arguments: [
            ("", .empty, "is empty"),
            (".", .emptyLabel, "has an empty label: two dots in a row, or one at the start"),
            ("a..b", .emptyLabel, "has an empty label: two dots in a row, or one at the start"),
            ("ü。。b", .emptyLabel, "has an empty label: two dots in a row, or one at the start"),
            ("a\u{A0}b", .whiteSpace, "contains white space"), ("a\u{3000}b", .whiteSpace, "contains white space"),
            ("a\nb", .whiteSpace, "contains white space"),
            ("a\u{0}b", .character("\u{0}"), "contains a character that host names cannot contain: U+0000"),
            ("a\u{1B}[0mb", .character("\u{1B}"), "contains a character that host names cannot contain: U+001B"),
            ("a!b", .character("!"), #"contains a character that host names cannot contain: "!""#),
            ("a！b", .character("!"), #"contains a character that host names cannot contain: "!""#),
            ("i❤.ws", .character("❤"), #"contains a character that host names cannot contain: "❤" (U+2764)"#),
            (
                "\u{FFFD}.ws", .character("\u{FFFD}"),
                "contains a character that host names cannot contain: \"\u{FFFD}\" (U+FFFD)"
            ),
            ("a\u{200B}b", .character("\u{200B}"), "contains a character that host names cannot contain: U+200B"),
            ("a\u{200D}b", .misplaced("\u{200D}"), "contains U+200D at a position where host names cannot contain it"),
            ("a.\u{301}b", .misplaced("\u{301}"), "contains U+0301 at a position where host names cannot contain it"),
            ("xn--ü", .misplaced("-"), #"contains "-" at a position where host names cannot contain it"#),
            ("1.2.3", .badAddress, "is neither a host name nor an IPv4 address of four numbers from 0 to 255"),
            ("1.2.3.4", .badAddress, "is neither a host name nor an IPv4 address of four numbers from 0 to 255"),
            ("0x7f000001", .badAddress, "is neither a host name nor an IPv4 address of four numbers from 0 to 255"),
            ("a.0X1", .badAddress, "is neither a host name nor an IPv4 address of four numbers from 0 to 255"),
            ("１２７．１", .badAddress, "is neither a host name nor an IPv4 address of four numbers from 0 to 255"),
        ] as [(String, DomainNameError, String)])
    func refuses(name: String, error: DomainNameError, reason: String) {
        #expect(throws: error) { try DomainName.normalized(name) }
        #expect(error.reason == reason)
    }

    @Test func limitsLengths() throws {
        func refusal(of name: String) -> DomainNameError? {
            #expect(throws: DomainNameError.self) { try DomainName.normalized(name) }
        }
        let label = String(repeating: "a", count: 63)
        #expect(try DomainName.normalized(label + ".b") == label + ".b")
        #expect(refusal(of: label + "a.b") == .labelTooLong(label + "a"))
        // 63 bytes as an A-label, by Python's codec "punycode"; one more letter makes 64.
        let long = String(repeating: "ü", count: 57)
        #expect(try DomainName.normalized(long) == "xn--td" + String(repeating: "a", count: 57))
        #expect(refusal(of: long + "ü") == .labelTooLong(long + "ü"))
        let name = String(repeating: "a.", count: 126) + "b"
        #expect(try DomainName.normalized(name + ".") == name)
        #expect(refusal(of: name + "c") == .tooLong(254))
    }

    /// The work to reject each of these must be linear in its length.
    @Test(
        .notWithSanitizer,
        arguments: [
            "a", "ü", "\u{301}", "a\u{301}", "\u{345}\u{301}", "ॐ", "ꮳ", "가", "\u{200D}", "\u{F900}", ".", "a.", "ü.",
        ])
    func refusesEndlessNamesAtOnce(unit: String) {
        for count in [1000, 1300, 100_000] {
            let name = String(repeating: unit, count: count)
            let work = Work.nanoseconds { #expect(throws: DomainNameError.self) { try DomainName.normalized(name) } }
            #expect(work < 500_000_000, "\(count)")
        }
    }

    @Test func acceptsAnyTextWithoutTrap() throws {
        var generator = SeededGenerator(seed: 5891)
        let alphabet = Array(
            "aZ09-_.。ü\u{308}ßΣς가\u{1100}\u{1161}か\u{3099}ｶﾞنا\u{200C}क\u{94D}\u{200D}😀\u{0}\u{FFFD}ｘ漢\u{F900}"
                .unicodeScalars)
        var accepted = 0
        for _ in 0..<TestEnvironment.rounds(20_000) {
            var scalars = String.UnicodeScalarView()
            for _ in 0..<Int.random(in: 0...12, using: &generator) {
                scalars.append(try #require(alphabet.randomElement(using: &generator)))
            }
            guard let name = try? DomainName.normalized(String(scalars)) else { continue }
            accepted += 1
            #expect(name.utf8.allSatisfy { $0 > 0x20 && $0 < 0x7F })
            #expect(try DomainName.normalized(name) == name)
        }
        #expect(accepted > TestEnvironment.rounds(1000))
    }
}
