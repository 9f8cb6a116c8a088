import SampleTool
import Testing

@testable import Arguments

struct ToolTests {
    /// The request of a command line, in one or two words.
    private func asked(_ arguments: [String]) throws -> String {
        switch try SampleTool.tool.parse(arguments) {
        case .nothing: "nothing"
        case .version(let asJSON): asJSON ? "version as JSON" : "version"
        case .help(.tool, let form): "\(name(of: form)) brew"
        case .help(.command(let command), let form): "\(name(of: form)) \(command.name)"
        case .help(.topic(let topic), let form): "\(name(of: form)) \(topic.name)"
        case .command(let command, _): command.name
        }
    }

    private func name(of form: HelpForm) -> String {
        switch form {
        case .brief: "brief help"
        case .complete: "help"
        case .manualPage: "manual page"
        }
    }

    @Test(arguments: [
        ([], "nothing"),
        (["make"], "make"), (["clean"], "clean"), (["--", "clean"], "clean"),
        (["help"], "help brew"), (["--help"], "help brew"), (["-h"], "brief help brew"), (["-hV"], "brief help brew"),
        (["help", "keep"], "help keep"), (["help", "help"], "help help"), (["help", "--", "keep"], "help keep"),
        (["help", "--help"], "help help"), (["--help", "keep"], "help keep"), (["--help", "nosuch"], "help brew"),
        (["make", "--help"], "help make"), (["make", "-h"], "brief help make"), (["keep", "-h"], "brief help keep"),
        (["-h", "make", "--help"], "brief help make"), (["make", "-h", "--help"], "help make"),
        (["help", "--man"], "manual page brew"), (["help", "keep", "--man"], "manual page keep"),
        (["help", "tea-tin"], "help tea-tin"), (["help", "--man", "tea-tin"], "manual page tea-tin"),
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
        let form = arguments.contains("--help") ? "help" : "brief help"
        #expect(try asked(arguments) == "\(form) make")
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
