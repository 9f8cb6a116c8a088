import Foundation
import InProcessRuns
import TestSupport
import Testing

/// Text from a server's certificate is escaped, so that no terminal and no runner of a CI service interprets it.
@Suite(.blocking) struct OutputInjectionTests {
    /// CSI as one C1 character, DEL, a bidirectional override, a zero-width space, and two forms of workflow commands
    /// (ActionCommand.TryParse and TryParseV2 in the source of GitHub's runner).
    private static let subject = "x\u{9B}2J\u{7F}\u{202E}\u{200B} ##[error file=app.c]well"

    private let folder: TemporaryFolder

    init() throws {
        folder = try TemporaryFolder("injection")
        let config = """
            [req]
            distinguished_name = name
            string_mask = utf8only
            utf8 = yes
            prompt = no
            [name]
            CN = \(Self.subject)
            """
        try folder.write(config, to: "openssl.cnf")
        _ = try ChildProcess.output(
            of: [
                "openssl", "req", "-x509", "-newkey", "ec", "-pkeyopt", "ec_paramgen_curve:P-256", "-nodes", "-keyout",
                folder.path("key.pem"), "-out", folder.path("chain.pem"), "-config", folder.path("openssl.cnf"),
                "-addext", "subjectAltName=DNS:localhost", "-days", "30",
            ])
        try folder.write(
            #"{"version":1,"hosts":{"localhost":["C5+lpZ7tcVwmwQIMcRtPbsQtWLABXhQzejna0wHFr8M="]}}"#,
            to: "::error file=pins.json")
    }

    @Test(arguments: ["text", "json", "ndjson", "junit", "sarif", "github", "prometheus"])
    func verifyEscapesTheSubject(format: String) throws {
        for anchors in [["--anchors", "chain.pem"], []] {
            let run = try PinctlRun.inProcess(
                ["verify", "--pins", "::error file=pins.json", "--chain", "chain.pem", "--format", format] + anchors,
                folder: folder.url)
            #expect(run.status == 1)
            expectHarmless(run.text, format)
            expectHarmless(run.errors, format)
        }
    }

    @Test(arguments: ["text", "json"]) func hashEscapesTheSubject(format: String) throws {
        let run = try PinctlRun.inProcess(["hash", "--format", format, "chain.pem"], folder: folder.url)
        #expect(run.status == 0)
        #expect(run.text.contains("2J"))
        expectHarmless(run.text, format)
    }

    @Test(arguments: ["text", "json", "ndjson", "junit", "sarif", "github"])
    func lintEscapesThePathOfTheSet(format: String) throws {
        let run = try PinctlRun.inProcess(
            ["lint", "::error file=pins.json", "--format", format], folder: folder.url)
        #expect(run.text.contains("no-backup") || run.status == 0, "\(run)")
        expectHarmless(run.text, format)
    }

    /// A long name is wrapped, so a word inside it begins a line.
    @Test func wrappedNamesAreNoCommands() throws {
        let name =
            "/O=Harmless Example Company/OU=Department of Long Names/CN=xxxxxxxxxxxx ::error::pwned-by-certificate-x"
        _ = try ChildProcess.output(
            of: [
                "openssl", "req", "-x509", "-key", folder.path("key.pem"), "-out", folder.path("long.pem"), "-subj",
                name,
                "-days", "30",
            ])
        let run = try PinctlRun.inProcess(["inspect", "long.pem"], folder: folder.url)
        #expect(run.status == 0 && run.text.contains("pwned"), "\(run)")
        expectHarmless(run.text, "text")
        expectHarmless(run.errors, "text")
    }

    private func expectHarmless(_ text: String, _ format: String) {
        for scalar in text.unicodeScalars where scalar != "\n" {
            let category = scalar.properties.generalCategory
            #expect(category != .control && category != .format, "U+\(String(scalar.value, radix: 16)) in \(format)")
        }
        #expect(!text.contains("##["), "\(format)")
        for line in text.split(separator: "\n").map({ $0.drop(while: \.isWhitespace) }) where line.hasPrefix("::") {
            // These are the commands that the report itself contains.
            #expect(format == "github" && line.contains("title=pinctl "), "\(line)")
        }
    }
}
