import SampleTool
import Testing

@testable import Arguments

struct ToolTests {
    /// The request of a line in one or two words.
    private func asked(_ arguments: [String]) throws -> String {
        switch try SampleTool.tool.parse(arguments) {
        case .nothing: "nothing"
        case .version(let asJSON): asJSON ? "version as JSON" : "version"
        case .help(let command): "help \(command?.name ?? "brew")"
        case .command(let command, _): command.name
        }
    }

    @Test(arguments: [
        ([], "nothing"),
        (["make"], "make"), (["clean"], "clean"), (["--", "clean"], "clean"),
        (["help"], "help brew"), (["--help"], "help brew"), (["-h"], "help brew"), (["-hV"], "help brew"),
        (["help", "keep"], "help keep"), (["help", "help"], "help help"), (["help", "--", "keep"], "help keep"),
        (["help", "--help"], "help help"), (["--help", "keep"], "help keep"), (["--help", "nosuch"], "help brew"),
        (["make", "--help"], "help make"), (["make", "-h"], "help make"), (["keep", "-h"], "help keep"),
        (["--version"], "version"), (["-V"], "version"), (["-VV", "make"], "version"),
        (["--version", "--json"], "version as JSON"), (["--json", "-V"], "version as JSON"),
    ])
    func parsesTheRequest(arguments: [String], what: String) throws {
        #expect(try asked(arguments) == what)
    }

    @Test(arguments: [
        ["make", "--nosuch", "--help"], ["make", "--help", "--nosuch"], ["make", "--time=0", "-h"],
        ["make", "-4h6"], ["make", "--time", "--help"], ["make", "--cold=1", "a", "-h"],
        ["--nosuch", "make", "--help"],
        ["make", "--time=1", "--time=2", "--help"], ["--version=1", "make", "-h"],
    ])
    func helpPrecedesErrors(arguments: [String]) throws {
        #expect(try asked(arguments) == "help make")
    }

    @Test func helpAsAValueOrAfterTwoDashesIsNotARequest() throws {
        #expect(try make("-l", "-h")[SampleTool.label] == "-h")
        #expect(try make("--label=--help")[SampleTool.label] == "--help")
        #expect(try make("-l-h")[SampleTool.label] == "-h")
        #expect(try make("--", "--help").operands == ["--help"])
    }

    @Test func helpIsACommand() {
        #expect(SampleTool.tool.commands.map(\.name) == ["make", "keep", "pour", "clean", "help"])
        #expect(SampleTool.tool.command(named: "pour")?.summary == "fill a cup")
        #expect(SampleTool.tool.command(named: "nosuch") == nil)
    }
}
