import SampleTool
import Testing

@testable import Arguments

struct DeclarationErrorTests {
    private func declarationErrors(_ options: [any AnyOption]) -> [String] {
        let command = Command("make", summary: "", options: [OptionGroup("All", options)])
        return Tool("brew", summary: "", version: "", date: "", commands: [command]).declarationErrors
    }

    @Test func acceptsAValidTool() {
        #expect(SampleTool.tool.declarationErrors == [])
    }

    @Test func findsRepeatedDeclarations() {
        #expect(
            declarationErrors([SampleTool.time, SampleTool.time]) == [
                #"make has two options "--time""#, #"make has two options "-t""#,
            ])
        #expect(declarationErrors([Option.flag("hot", short: "h", help: "")]) == [#"make has two options "-h""#])
        let tool = Tool(
            "brew", summary: "", version: "", date: "",
            commands: [SampleTool.clean, Command("help", summary: ""), SampleTool.clean])
        #expect(tool.declarationErrors == [#"brew has two commands "clean""#, #"brew has two commands "help""#])
    }

    @Test(arguments: ["-", "="] as [Unicode.Scalar])
    func findsInvalidShortOptions(letter: Unicode.Scalar) {
        let expected = [#"make has an option that cannot be typed: "--odd""#]
        #expect(declarationErrors([Option.flag("odd", short: letter, help: "")]) == expected)
    }

    @Test(arguments: ["", "--time", "a=b"])
    func findsInvalidNames(name: String) {
        #expect(declarationErrors([Option.flag(name, help: "")]).count == 1)
    }
}
