import InProcessRuns
import TestSupport
import Testing

@testable import CommandSupport
@testable import Commands

/// A command prints which files it wrote if a person reads the output, but not if a program does.
struct WroteMessageTests {
    private func errors(of arguments: [String], columns: Int?) -> String {
        let (output, errors) = (CapturedStream(), CapturedStream(columns: columns))
        let console = Console(
            input: 0, output: output, errors: errors, environment: .variables(TestEnvironment.base),
            readPassword: { _ in .noTerminal }, ownsProcess: false)
        #expect(Pinctl.run(arguments, on: console) == .success)
        return errors.text
    }

    @Test func convertNamesItsFiles() throws {
        let folder = try TemporaryFolder("wrote")
        defer { folder.remove() }
        let pin = "47DEQpj8HBSa+/TImW+5JCeuQeRkm5NMpJWZG3hSuFU="
        let set = try folder.write(
            #"{"version":1,"hosts":{"a.example.com":["\#(pin.replacing("47DE", with: "48DE"))","\#(pin.replacing("47DE", with: "49DE"))"]}}"#,
            to: "p.json")
        let file = folder.path("Pins.kt")
        let convert = ["convert", set, "--to", "okhttp", "--output", file]
        #expect(errors(of: convert, columns: 500).hasSuffix("pinctl: wrote \(file)\n"))
        #expect(!errors(of: convert, columns: nil).contains("wrote"))
        let into = folder.path("out") + "/"
        #expect(
            errors(of: ["convert", set, "--to", "okhttp", "--output", into], columns: 500)
                .hasSuffix("pinctl: wrote \(into) (1 file)\n"))
    }
}
