import Testing

@testable import Arguments

struct ToolTests {
    /// The request of a line, in one or two words.
    private func asked(_ arguments: [String]) throws -> String {
        switch try SampleTool.tool.parse(arguments) {
        case .nothing: "nothing"
        case .version: "version"
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
    ])
    func `a line asks for one thing`(arguments: [String], what: String) throws {
        #expect(try asked(arguments) == what)
    }

    @Test(arguments: [
        ["make", "--nosuch", "--help"], ["make", "--help", "--nosuch"], ["make", "--time=0", "-h"],
        ["make", "-4h6"], ["make", "--time", "--help"], ["make", "--cold=1", "a", "-h"],
        ["--nosuch", "make", "--help"],
        ["make", "--time=1", "--time=2", "--help"], ["--version=1", "make", "-h"],
    ])
    func `help is given before any error of the line is told`(arguments: [String]) throws {
        #expect(try asked(arguments) == "help make")
    }

    @Test func `help is not asked for by a value or after two dashes`() throws {
        #expect(try make("-l", "-h")[SampleTool.label] == "-h")
        #expect(try make("--label=--help")[SampleTool.label] == "--help")
        #expect(try make("-l-h")[SampleTool.label] == "-h")
        #expect(try make("--", "--help").operands == ["--help"])
    }

    @Test(arguments: [
        Refused(["--"], #"a command is expected after "--""#, #""brew help" lists the commands"#),
        Refused(["mkae"], #"unknown command "mkae""#, #"did you mean "make"?"#),
        Refused(["hlep", "make"], #"unknown command "hlep""#, #"did you mean "help"?"#),
        Refused(["cle"], #"unknown command "cle""#, #"did you mean "clean"?"#),
        Refused(["zzz", "--help"], #"unknown command "zzz""#, #""brew help" lists the commands"#),
        Refused([""], #"unknown command """#, #""brew help" lists the commands"#),
        Refused(["-"], #"unknown command "-""#, #""brew help" lists the commands"#),
        Refused(["--", "--help"], #"unknown command "--help""#, #"did you mean "help"?"#),
        Refused(["help", "mkae"], #"unknown command "mkae""#, #"did you mean "make"?"#),
        Refused(
            ["help", "make", "keep"], #"unexpected "keep": help takes at most one COMMAND"#,
            #""brew help --help" shows how it is used"#),
        Refused(["make\u{1B}[2J"], #"unknown command "make\u{1B}[2J""#, #""brew help" lists the commands"#),
        Refused(
            ["--time", "5", "make"], #"brew has no option "--time""#,
            #""--time" belongs to make: write it after the command"#),
        Refused(
            ["--verbose=1", "make"], #"brew has no option "--verbose=1""#,
            #""--verbose" belongs to make and clean: write it after the command"#),
        Refused(["-4", "make"], #"brew has no option "-4""#, #""-4" belongs to make: write it after the command"#),
        Refused(["--hepl", "make", "--tmie"], #"brew has no option "--hepl""#, #"did you mean "--help"?"#),
        Refused(["-V", "--hepl"], #"brew has no option "--hepl""#, #"did you mean "--help"?"#),
        Refused(["--verison"], #"brew has no option "--verison""#, #"did you mean "--version"?"#),
        Refused(["-version"], #"brew has no option "-version""#, #"did you mean "--version"?"#),
        Refused(
            ["--zzz"], #"brew has no option "--zzz""#, #"options go after the command: "brew COMMAND [OPTIONS]""#),
        Refused(
            ["--version=1"], #""--version=1": --version takes no value"#, #"write "--version" alone, or leave it out"#),
        Refused(["--help=make"], #""--help=make": --help takes no value"#, #"write "--help" alone, or leave it out"#),
    ])
    func `a line without a known command is refused`(line: Refused) throws {
        try line.check()
    }

    @Test func `help is a command like the others`() {
        #expect(SampleTool.tool.commands.map(\.name) == ["make", "keep", "pour", "clean", "help"])
        #expect(SampleTool.tool.command(named: "pour")?.summary == "fill a cup")
        #expect(SampleTool.tool.command(named: "nosuch") == nil)
    }
}
