import InProcessRuns
import TestSupport
import Testing

@testable import CommandSupport
@testable import Commands
@testable import Encodings

/// `sync` and `diff` on a narrow terminal.
struct TextWidthTests {
    private func text(of arguments: [String], columns: Int?) -> String {
        let output = CapturedStream(columns: columns)
        let console = Console(
            input: 0, output: output, errors: CapturedStream(), environment: .variables(TestEnvironment.base),
            readPassword: { _ in .noTerminal }, ownsProcess: false)
        #expect(Pinctl.run(arguments, on: console) == .failure)
        return output.text
    }

    private func expectWrapped(_ arguments: [String]) throws {
        let whole = text(of: arguments, columns: nil)
        for columns in [80, 60] {
            let wrapped = text(of: arguments, columns: columns)
            // The first line of a copy has its path, which is not divided.
            let lines = wrapped.split(separator: "\n").map(String.init).filter { !$0.contains(" (okhttp)") }
            #expect(lines.allSatisfy { $0.columns <= columns }, "\(wrapped)")
            #expect(lines.count > whole.split(separator: "\n").count)
            #expect(wrapped.split { " \n".contains($0) } == whole.split { " \n".contains($0) })
        }
    }

    @Test func wrapsAtTheWidthOfTheTerminal() throws {
        let folder = try TemporaryFolder("width")
        defer { folder.remove() }
        let (x1, x2) = ("C5+lpZ7tcVwmwQIMcRtPbsQtWLABXhQzejna0wHFr8M=", "diGVwiVYbubAI3RW4hB9xU8e/CH2GnkuvVFZE8zmgzI=")
        let set = try folder.write(
            #"{"version":1,"hosts":{"a.example.com":{"subdomains":"one","expires":"2027-06-01","pins":["\#(x1)"]}}}"#,
            to: "pins.json")
        let copy = try folder.write(
            #"val p = CertificatePinner.Builder().add("a.example.com", "sha256/\#(x2)").build()"#, to: "Pins.kt")
        let manifest = try folder.write(
            #"{"version":1,"set":"pins.json","copies":[{"file":"Pins.kt"}]}"#, to: "sync.json")
        try expectWrapped(["sync", "--check", "--color", "never", manifest])
        try expectWrapped(["diff", "--color", "never", set, copy])
    }
}
