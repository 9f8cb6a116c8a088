import TestSupport
import Testing

@testable import PinSetCodec
@testable import PinSetFormats
@testable import Pinning

/// Escapes and interpolations in strings. The expected texts are what `node`, `clang` and `swiftc` print for the literals.
struct StringEscapeTests {
    private static let pins =
        "\"C5+lpZ7tcVwmwQIMcRtPbsQtWLABXhQzejna0wHFr8M=\", \"sRHdihwgkaib1P1gxX8HFszlD+7/gTfNvuAybgLPNis=\""

    private func decoded(_ escape: String, _ language: StringEscape.Language) -> [UInt8]? {
        StringEscape.decode(in: Array(escape.utf8), at: 0, language: language)?.text
    }

    @Test(arguments: [
        ("\\u002e", "."), ("\\u{2e}", "."), ("\\x2e", "."), ("\\.", "."), ("\\/", "/"), ("\\\n", ""), ("\\\r\n", ""),
        ("\\\u{2028}", ""), ("\\'", "'"), ("\\b", "\u{8}"), ("\\v", "\u{b}"), ("\\0", "\0"), ("\\u00e9", "é"),
    ])
    func escapesOfJavaScript(escape: String, text: String) {
        #expect(decoded(escape, .javaScript) == Array(text.utf8))
    }

    @Test(arguments: [
        ("\\056", "."), ("\\x2e", "."), ("\\u00e9", "é"), ("\\U0001F600", "\u{1F600}"), ("\\/", "/"), ("\\q", "q"),
        ("\\?", "?"), ("\\e", "\u{1b}"), ("\\1z", "\u{1}"), ("\\1234", "S"),
    ])
    func escapesOfObjectiveC(escape: String, text: String) {
        #expect(decoded(escape, .objectiveC) == Array(text.utf8))
    }

    @Test(arguments: [("\\u{2e}", "."), ("\\0", "\0"), ("\\n", "\n"), ("\\\"", "\""), ("\\u{1F600}", "\u{1F600}")])
    func escapesOfSwift(escape: String, text: String) {
        #expect(decoded(escape, .swift) == Array(text.utf8))
    }

    /// Errors of the language, and escapes whose text depends on more than the source.
    @Test(arguments: [
        ("\\101", StringEscape.Language.javaScript), ("\\8", .javaScript), ("\\x2", .javaScript),
        ("\\u12", .javaScript),
        ("\\u{110000}", .javaScript), ("\\ud83d", .javaScript), ("\\", .javaScript), ("\\x", .objectiveC),
        ("\\377", .objectiveC), ("\\xff", .objectiveC), ("\\x1000000000000002e", .objectiveC), ("\\ud83d", .objectiveC),
        ("\\u2e", .objectiveC), ("\\x2e", .swift), ("\\q", .swift), ("\\u002e", .swift), ("\\u{}", .swift),
        ("\\u{2e", .swift), ("\\u{0000000002e}", .swift), ("\\(a)", .swift),
    ])
    func unknownEscapes(escape: String, language: StringEscape.Language) {
        #expect(decoded(escape, language) == nil)
    }

    private func hosts(_ text: String, as format: PinSetFormat) throws -> (
        hosts: [String], messages: [String], unknown: Int
    ) {
        let reading = try PinSet.read(Array(text.utf8), as: format, with: ConversionInputs())
        let unknown = reading.warnings.count { if case .valueNotLiteral = $0.reason { true } else { false } }
        return (reading.set.entries.map(\.host), reading.warnings.map(\.message), unknown)
    }

    private func javaScript(_ host: String) -> String {
        "initializeSslPinning({\(host): {publicKeyHashes: [\(Self.pins)]}, 'z.example': {publicKeyHashes: [\(Self.pins)]}});"
    }

    private func swift(_ host: String) -> String {
        let value = "[kTSKPublicKeyHashes: [\(Self.pins)]]"
        return "let c = [kTSKPinnedDomains: [\(host): \(value), \"z.example\": \(value)]]"
    }

    @Test(arguments: [
        "\"a\\u002eexample\"", "'a\\x2eexample'", "['a\\.example']", "[`a\\u{2e}example`]", "\"a.exa\\\nmple\"",
    ])
    func hostsOfJavaScript(host: String) throws {
        let (hosts, messages, unknown) = try hosts(javaScript(host), as: .reactNative)
        #expect(unknown == 0)
        #expect(hosts.sorted() == ["a.example", "z.example"])
        #expect(!messages.contains { $0.contains("never matches") })
    }

    @Test func hostsOfSwiftAndObjectiveC() throws {
        #expect(try hosts(swift("\"a\\u{2e}example\""), as: .trustkit).hosts.sorted() == ["a.example", "z.example"])
        let objectiveC =
            "@{kTSKPinnedDomains: @{@\"\\\na\\056example\": @{kTSKPublicKeyHashes: @[\(Self.pins.replacing("\"C", with: "@\"C"))]}}}"
        #expect(try hosts(objectiveC, as: .trustkit).hosts == ["a.example"])
    }

    /// A text that is not known is a loss with its line, and no claim about the platform.
    @Test(arguments: [
        ("\"\\(sub).example\"", true), ("\"\\(f(\"),]\"))\\(g(\"\\(h)\")).example\"", true),
        ("#\"a\\u{2e}example\"#", true),
        ("\"\\q.example\"", true), ("[`${sub}.example`]", false), ("[`${f({a: `}`, b: \"`}\"})}.example`]", false),
        ("[`${s.replace(/[\"/`}]/g, '}') /* ` } */ + 6 / 2 + a[0] / 3}.example`]", false),
        ("[`${s // it's }\n}.example`]", false), ("[`${`${`${/`/.source}`}`}.example`]", false),
        ("'\\101.example'", false),
    ])
    func unknownTexts(host: String, isSwift: Bool) throws {
        let (hosts, messages, unknown) = try hosts(
            isSwift ? swift(host) : javaScript(host), as: isSwift ? .trustkit : .reactNative)
        #expect(hosts == ["z.example"])
        #expect(unknown == 1)
        #expect(!messages.contains { $0.contains("never matches") || $0.contains("rejects") })
    }

    @Test(arguments: ["\\(pin)", "\\q"]) func unknownPins(text: String) throws {
        let (hosts, messages, unknown) = try hosts(
            swift("\"a.example\"").replacing("\"C5", with: "\"\(text)\", \"C5"), as: .trustkit)
        #expect(hosts.count == 2)
        #expect(unknown == 1)
        #expect(!messages.contains { $0.contains("base64") || $0.contains("rejects") })
    }

    /// Text that ends within an interpolation, at any byte, is an error or a loss.
    @Test func cutTextsEnd() {
        for text in [swift("\"\\(f(\"),]\"))\""), javaScript("[`${f({a: `}`})}`]"), swift("#\"a\\\"#")] {
            let bytes = Array(text.utf8)
            for end in bytes.indices {
                for format in [PinSetFormat.trustkit, .reactNative] {
                    _ = try? PinSet.read(Array(bytes[..<end]), as: format, with: ConversionInputs())
                }
            }
        }
    }
}
