import Testing

@testable import Arguments

struct InconsistencyTests {
    private func inconsistencies(_ options: [any Declared]) -> [String] {
        let command = Command("make", summary: "", options: [OptionGroup("All", options)])
        return Tool("brew", summary: "", version: "", commands: [command]).inconsistencies
    }

    @Test func `a tool that is well declared has none`() {
        #expect(Brew.tool.inconsistencies == [])
    }

    @Test func `what is declared twice is found`() {
        #expect(
            inconsistencies([Brew.time, Brew.time]) == [
                #"make has two options "--time""#, #"make has two options "-t""#,
            ])
        #expect(inconsistencies([Option.flag("hot", short: "h", help: "")]) == [#"make has two options "-h""#])
        let tool = Tool(
            "brew", summary: "", version: "", commands: [Brew.clean, Command("help", summary: ""), Brew.clean])
        #expect(tool.inconsistencies == [#"brew has two commands "clean""#, #"brew has two commands "help""#])
    }

    @Test(arguments: ["-", "="] as [Unicode.Scalar])
    func `a letter that cannot be typed is found`(letter: Unicode.Scalar) {
        let expected = [#"make has an option that cannot be typed: "--odd""#]
        #expect(inconsistencies([Option.flag("odd", short: letter, help: "")]) == expected)
    }

    @Test(arguments: ["", "--time", "a=b"])
    func `a name that cannot be typed is found`(name: String) {
        #expect(inconsistencies([Option.flag(name, help: "")]).count == 1)
    }
}
