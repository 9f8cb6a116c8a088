import Foundation
import TestSupport
import Testing

@testable import Encodings
@testable import Pinning

@Suite struct JSONWriterTests {
    private func text(_ style: JSONWriter.Style, _ write: (inout JSONWriter) -> Void) -> String {
        var writer = JSONWriter(style)
        write(&writer)
        return String(decoding: writer.output, as: UTF8.self)
    }

    private func report(_ writer: inout JSONWriter) {
        writer.object { host in
            host.field("target", "example.com:443")
            host.field("reason", nil as String?)
            host.object("trust") { trust in
                trust.field("trusted", true)
                trust.field("days", -3)
            }
            host.array("chain") { chain in
                chain.object { $0.field("notAfter", Timestamp(secondsSince1970: 0)) }
                chain.object { _ in }
                chain.array { _ in }
                chain.value("last")
            }
            host.field("names", ["a", "b"])
            host.field("none", [])
            host.field("der", base64: Array("foob".utf8))
            host.field("sha256", hex: [0, 255])
            host.null("error")
        }
        writer.endLine()
    }

    @Test func writesCompactJSON() {
        let expected =
            #"{"target":"example.com:443","reason":null,"trust":{"trusted":true,"days":-3},"#
            + #""chain":[{"notAfter":"1970-01-01T00:00:00Z"},{},[],"last"],"names":["a","b"],"none":[],"#
            + #""der":"Zm9vYg==","sha256":"00ff","error":null}"# + "\n"
        #expect(text(.compact, report) == expected)
    }

    @Test func writesIndentedJSON() {
        let expected = """
            {
              "target": "example.com:443",
              "reason": null,
              "trust": {
                "trusted": true,
                "days": -3
              },
              "chain": [
                {
                  "notAfter": "1970-01-01T00:00:00Z"
                },
                {},
                [],
                "last"
              ],
              "names": [
                "a",
                "b"
              ],
              "none": [],
              "der": "Zm9vYg==",
              "sha256": "00ff",
              "error": null
            }

            """
        #expect(text(.pretty, report) == expected)
    }

    @Test func writesOneValueOnEachLine() {
        let lines = text(.compact) { writer in
            for number in 1...3 {
                writer.object { $0.field("n", number) }
                writer.endLine()
            }
        }
        #expect(lines == "{\"n\":1}\n{\"n\":2}\n{\"n\":3}\n")
    }

    @Test func continuesAfterOutputIsTaken() {
        var writer = JSONWriter(.pretty)
        var taken: [UInt8] = []
        writer.beginObject()
        writer.key("hosts")
        writer.beginArray()
        for number in 1...2 {
            writer.object { $0.field("n", number) }
            taken += writer.output
            writer.output.removeAll(keepingCapacity: true)
        }
        writer.endArray()
        writer.endObject()
        writer.endLine()
        taken += writer.output
        let expected = """
            {
              "hosts": [
                {
                  "n": 1
                },
                {
                  "n": 2
                }
              ]
            }

            """
        #expect(String(decoding: taken, as: UTF8.self) == expected)
    }

    @Test func skipsNilValues() {
        let values = text(.compact) { writer in
            writer.array { array in
                array.value(nil as String?)
                array.value(nil as Int?)
                array.value(nil as Bool?)
                array.value(nil as Timestamp?)
                array.value(base64: nil)
                array.value(hex: nil)
            }
        }
        #expect(values == "[null,null,null,null,null,null]")
    }

    @Test func escapesRequiredCharacters() {
        let string = "\u{0}\u{1}\u{8}\t\n\u{b}\u{c}\r\u{1f} \"\\/\u{7f}é\u{2028}😀"
        let expected = #""\u0000\u0001\b\t\n\u000b\f\r\u001f \"\\/\u007fé\u2028😀""#
        #expect(text(.compact) { $0.value(string) } == expected)
    }

    @Test func keepsReadValues() throws {
        let source = #"{"z":[1.50,-0,1e999],"a":{"k":null,"é":"\n"},"t":true}"#
        let value = try JSONDocument(Array(source.utf8)).root
        #expect(text(.compact) { $0.value(value) } == source)
    }

    @Test func documentAndFoundationReadBack() throws {
        var generator = SeededGenerator(seed: 4627)
        for _ in 0..<300 {
            let value = randomValue(depth: 0, using: &generator)
            for style in [JSONWriter.Style.compact, .pretty] {
                var writer = JSONWriter(style)
                writer.value(value)
                #expect(withoutPositions(try JSONDocument(writer.output).root) == value)
                _ = try JSONSerialization.jsonObject(with: Data(writer.output), options: .fragmentsAllowed)
            }
        }
    }

    private static let nowhere = SourcePosition(line: 0, column: 0)

    private func randomValue(depth: Int, using generator: inout SeededGenerator) -> JSONValue {
        let content: JSONValue.Content
        switch Int.random(in: 0..<(depth < 4 ? 7 : 5), using: &generator) {
        case 0: content = .null
        case 1: content = .bool(Bool.random(using: &generator))
        case 2: content = .number(String(Int.random(in: -1000...1000, using: &generator)))
        case 3, 4: content = .string(randomString(using: &generator))
        case 5:
            content = .array(
                (0..<Int.random(in: 0..<5, using: &generator)).map { _ in
                    randomValue(depth: depth + 1, using: &generator)
                }
            )
        default:
            content = .object(
                (0..<Int.random(in: 0..<5, using: &generator)).map { index in
                    JSONMember(
                        key: "\(index)" + randomString(using: &generator), at: Self.nowhere,
                        value: randomValue(depth: depth + 1, using: &generator)
                    )
                }
            )
        }
        return JSONValue(content, at: Self.nowhere)
    }

    private func randomString(using generator: inout SeededGenerator) -> String {
        var string = ""
        for _ in 0..<Int.random(in: 0..<12, using: &generator) {
            let limit: UInt32 = [0x20, 0x80, 0x800, 0x10ffff].randomElement(using: &generator) ?? 0x80
            guard let scalar = Unicode.Scalar(UInt32.random(in: 0...limit, using: &generator)) else { continue }
            string.unicodeScalars.append(scalar)
        }
        return string
    }

    private func withoutPositions(_ value: JSONValue) -> JSONValue {
        switch value.content {
        case .array(let values): JSONValue(.array(values.map(withoutPositions)), at: Self.nowhere)
        case .object(let members):
            JSONValue(
                .object(
                    members.map { JSONMember(key: $0.key, at: Self.nowhere, value: withoutPositions($0.value)) }
                ),
                at: Self.nowhere
            )
        default: JSONValue(value.content, at: Self.nowhere)
        }
    }

    /// The writer escapes characters that a terminal interprets or hides and text that the runner of a CI service interprets as a
    /// command. A reader returns the original text.
    @Test(arguments: [
        ("\u{9B}2J", #"\u009b2J"#), ("a\u{7F}", #"a\u007f"#), ("\u{202E}gpj.exe", #"\u202egpj.exe"#),
        ("\u{200B}\u{200D}\u{FEFF}", #"\u200b\u200d\ufeff"#), ("\u{2028}", #"\u2028"#),
        ("\u{E0041}", #"\udb40\udc41"#), ("\u{FFFE}\u{FFFF}\u{FE0F}", #"\ufffe\uffff\ufe0f"#),
        ("##[error]", ##"#\u0023[error]"##), ("##vso[x]", ##"#\u0023vso[x]"##),
        ("# ## #[ ###[", ##"# ## #[ ##\u0023["##),
        ("é 😀 日本", "é 😀 日本"),
    ])
    func escapesTextThatALogInterprets(string: String, escaped: String) throws {
        let json = text(.compact) { $0.value(string) }
        #expect(json == "\"\(escaped)\"")
        let read = try JSONSerialization.jsonObject(with: Data(json.utf8), options: .fragmentsAllowed)
        #expect(read as? String == string)
    }
}
