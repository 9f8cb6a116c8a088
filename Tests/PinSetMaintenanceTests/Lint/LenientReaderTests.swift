import TestSupport
import Testing

@testable import Encodings
@testable import PinSetCodec
@testable import PinSetFormats
@testable import PinSetMaintenance
@testable import Pinning
@testable import ServerPinFormats

/// The linter reports an error if and only if `PinSet(json:)` rejects the text.
@Suite struct LenientReaderTests {
    private static let full = """
        { "version": 1, "note": { "by": ["x"], "to": { "a": 1, "b": 2 } },
          "hosts": {
            "api.example.com": { "subdomains": "one", "expires": "2027-06-01", "enforce": true, "anchors": ["ca.pem"],
              "owner": [{ "a": 1, "b": 2 }],
              "pins": [{ "sha256": "\(Lint.rootX1)", "role": "root", "state": "active", "label": "l", "notAfter": "2035-06-04" },
                       { "sha256": "sha256/\(Lint.a)", "state": "backup", "ticket": { "a": 1, "b": { "to": [] } } }] },
            "192.0.2.1": ["\(Lint.b)"], "www.example.org": ["pin-sha256:\(Lint.a)", "\(Lint.rootX2)"] } }
        """

    /// The tokens that the test exchanges.
    private static let words = [
        "1", "2", "null", "true", "[]", "{}", "\"\"", "\"leaf\"", "\"one\"", "\"2027-06-01\"", "\"2027-13-01\"",
        "\"root\"",
        "\"version\"", "\"hosts\"", "\"pins\"", "\"sha256\"", "\"example.com:443\"", "\"api.example.com\"",
        "\"47DEQpj8HBSa+/TImW+5JCeuQeRkm5NMpJWZG3hSuFU=\"", "\"\(Lint.a)\"", ",", "}", "]", " ",
        "\"a\"", "\"b\"", "\"by\"", "\"\\u0061\"",
    ]

    @Test func rejectsWhatStrictReaderRejects() throws {
        var generator = SeededGenerator(seed: 9)
        var refused = 0
        for _ in 0..<TestEnvironment.rounds(1000) {
            var text = Self.full
            for _ in 0..<Int.random(in: 1...2, using: &generator) {
                // A token is exchanged: a string, a number, a word or a bracket.
                let tokens = text.ranges(of: /"[^"]*"|[0-9]+|true|\[\]|[\[\]{},]/)
                guard let range = tokens.randomElement(using: &generator) else { continue }
                text.replaceSubrange(range, with: Self.words.randomElement(using: &generator) ?? "")
            }
            let bytes = Array(text.utf8)
            let isRefused = (try? PinSet(json: bytes)) == nil
            if isRefused { refused += 1 }
            let findings = try LintInput(bytes, as: .pins).findings.list
            #expect(findings.contains { $0.severity == .error } == isRefused, "\(text)\n\(findings)")
            for finding in findings { #expect(finding.line != nil && finding.column != nil) }
        }
        #expect((100...950).contains(refused))
    }

    /// Both readers also agree about bytes that are removed, repeated or replaced.
    @Test func rejectsTheSameBytesAsTheStrictReader() throws {
        var generator = SeededGenerator(seed: 10)
        let start = Array(Self.full.utf8)
        var counts = (refused: 0, accepted: 0)
        for _ in 0..<TestEnvironment.rounds(2000) {
            var bytes = start
            let first = Int.random(in: 0..<bytes.count, using: &generator)
            let last = min(bytes.count, first + Int.random(in: 1...30, using: &generator))
            switch Int.random(in: 0...2, using: &generator) {
            case 0: bytes.removeSubrange(first..<last)
            case 1: bytes.insert(contentsOf: bytes[first..<last], at: last)
            default: bytes[first] = UInt8.random(in: 0...255, using: &generator)
            }
            let isRefused = (try? PinSet(json: bytes)) == nil
            if isRefused { counts.refused += 1 } else { counts.accepted += 1 }
            let findings = try? LintInput(bytes, as: .pins).findings.list
            let isReported = findings.map { $0.contains { $0.severity == .error } } ?? true
            #expect(isReported == isRefused, "\(String(decoding: bytes, as: UTF8.self))")
        }
        #expect(counts.refused > TestEnvironment.rounds(100) && counts.accepted > TestEnvironment.rounds(100))
    }

    /// RFC 8259 does not define the meaning of a duplicate key, so both readers reject it at any depth.
    @Test func rejectsDuplicateKeyInUnknownValue() throws {
        for note in [#"{ "a": 1, "a": 2 }"#, #"[{ "b": { "a": 1, "a": 2 } }]"#] {
            let text = Self.full.replacing(#"{ "by": ["x"], "to": { "a": 1, "b": 2 } }"#, with: note)
            let bytes = Array(text.utf8)
            #expect(throws: PinSetError.self) { try PinSet(json: bytes) }
            let findings = try LintInput(bytes, as: .pins).findings.list
            #expect(findings.filter { $0.severity == .error }.map(\.code) == [.duplicateKey])
        }
    }

    /// Five mistakes give five findings, each with its line.
    @Test func reportsAllMistakes() throws {
        let findings = try Lint.findings(
            """
            { "version": "1",
              "hosts": {
                "example.com:443": ["\(Lint.a)", "\(Lint.b)"],
                "example.org": {
                  "expires": "soon",
                  "pins": [
                    { "sha256": "47DEQpj8HBSa+/TImW+5JCeuQeRkm5NMpJWZG3hSuFU=" },
                    { "sha256": "\(Lint.a)", "role": "boss" } ] },
                "EXAMPLE.org": [] } }
            """)
        #expect(
            findings.map { "\($0.line ?? 0) \($0.code.rawValue)" } == [
                "1 wrong-type", "3 invalid-host", "5 invalid-date", "7 empty-hash", "8 unknown-word",
                "9 duplicate-host",
                "9 empty-pins",
            ])
    }

    @Test func suggestsKnownKey() throws {
        let findings = try Lint.findings(
            Lint.pins(Lint.key(Lint.a), Lint.key(Lint.b), more: "\"Subdomain\": \"one\", "))
        #expect(findings.map(\.code) == [.unknownKey])
        #expect(findings.first?.hint == "if \"subdomains\" is meant, correct the spelling")
    }

    /// A set with every key of the format has no unknown key.
    @Test func acceptsEveryKnownKey() throws {
        let text = """
            { "version": 1, "hosts": { "example.org": {
                "subdomains": "none", "expires": "2099-01-01", "enforce": true, "anchors": ["ca.pem"],
                "pins": [ { "sha256": "\(Lint.a)", "role": "leaf", "state": "active", "label": "ours",
                    "notAfter": "2098-01-01", "added": "2026-11-21", "goneSince": "2026-11-21" } ] } } }
            """
        let set = try PinSet(json: Array(text.utf8))
        #expect(
            set.unknown.isEmpty
                && set.entries.allSatisfy { $0.unknown.isEmpty && $0.pins.allSatisfy(\.unknown.isEmpty) })
        #expect(try !Lint.findings(text).map(\.code).contains(.unknownKey))
        let wrong = text.replacing("\"goneSince\": \"2026-11-21\"", with: "\"goneSince\": \"soon\"")
        #expect(try Lint.findings(wrong).map(\.code).contains(.invalidDate))
    }

    @Test func rejectsOtherFiles() {
        for text in ["", "  \n", "hello", "[]", "<html></html>", "{ \"name\": 1 }"] {
            #expect(throws: PinSetFormatError.self) { try LintInput(Array(text.utf8)) }
        }
    }

    /// Write-only formats, and formats that need other inputs, are errors and not findings.
    @Test func rejectsUnreadableFormats() {
        #expect(throws: PinSetFormatError.self) { try LintInput(Array("x".utf8), as: .alamofire) }
        #expect(throws: PinSetFormatError.self) { try LintInput(Array("sha256//\(Lint.a)".utf8), as: .curl) }
    }

    /// After an invalid pin, lint continues with the file, even if the platform would reject the whole file.
    @Test func continuesAfterInvalidPin() throws {
        let text = """
            CertificatePinner.Builder()
                .add("example.com", "sha256/47DEQpj8HBSa+/TImW+5JCeuQeRkm5NMpJWZG3hSuFU=")
                .add("example.com", "sha256/\(Lint.a)")
                .add("example.org",
                     "sha256/\(Lint.rootX1)")
            """
        let findings = try Lint.findings(text)
        #expect(
            findings.map { "\($0.line ?? 0) \($0.code.rawValue)" } == [
                "2 empty-hash", "4 no-backup", "4 root-only",
            ])
    }
}
