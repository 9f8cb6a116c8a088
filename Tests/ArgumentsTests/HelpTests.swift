import Encodings
import SampleTool
import Testing

@testable import Arguments

struct HelpTests {
    @Test func toolAt80Columns() {
        #expect(
            Help.text(for: SampleTool.tool, width: 80) == """
                Usage: brew COMMAND [OPTIONS] [OPERANDS]

                make tea, keep it and pour it

                Commands:
                  make           brew tea of each kind, one pot after another
                  keep           put a tin away
                  pour           fill a cup
                  clean          wash the pot
                  help           show help for brew, or for one command

                Options:
                  -h, --help     show this help
                  -V, --version  show the version (with --json: as JSON)

                Examples:
                  brew make assam
                      a pot of it

                "brew help COMMAND" explains a command and its options

                """)
    }

    @Test func toolAt40Columns() {
        #expect(
            Help.text(for: SampleTool.tool, width: 40) == """
                Usage: brew COMMAND [OPTIONS] [OPERANDS]

                make tea, keep it and pour it

                Commands:
                  make
                      brew tea of each kind, one pot
                      after another
                  keep
                      put a tin away
                  pour
                      fill a cup
                  clean
                      wash the pot
                  help
                      show help for brew, or for one
                      command

                Options:
                  -h, --help
                      show this help
                  -V, --version
                      show the version (with --json: as
                      JSON)

                Examples:
                  brew make assam
                      a pot of it

                "brew help COMMAND" explains a command
                and its options

                """)
    }

    @Test func shortHelpHasNoExamples() {
        #expect(
            Help.short(for: SampleTool.tool, width: 80) == """
                Usage: brew COMMAND [OPTIONS] [OPERANDS]

                make tea, keep it and pour it

                Commands:
                  make           brew tea of each kind, one pot after another
                  keep           put a tin away
                  pour           fill a cup
                  clean          wash the pot
                  help           show help for brew, or for one command

                Options:
                  -h, --help     show this help
                  -V, --version  show the version (with --json: as JSON)

                "brew help COMMAND" explains a command and its options

                """)
    }

    @Test func commandAt80Columns() {
        #expect(
            Help.text(for: SampleTool.make, of: SampleTool.tool, width: 80) == """
                Usage: brew make [OPTIONS] [TEA...]

                brew tea of each kind, one pot after another

                Operands:
                  TEA...              what to brew; a word by itself is a kind of tea

                Water:
                  -4, --cold          with cold water
                  -6, --boiling       with water that boils, which green tea does not like at
                                      all

                Leaves:
                  -t, --time SECONDS  take the leaves out after this long (default: 180)
                      --strength STRENGTH
                                      how much tea to a cup (mild, medium or strong; default:
                                      medium)
                      --shelf SHELF   where to look for the tin (default: top; repeatable)
                  -a, --with-addition THING
                                      what else goes in (repeatable)

                Pot:
                  -c, --cups N        how many (default: 2)
                  -l, --label TEXT    what to write on the pot
                      --verbose       print each step

                General:
                  -h, --help          show this help

                Examples:
                  brew make earl-grey
                      two cups, three minutes
                  brew make --time 120 --strength mild sencha 'gunpowder green'
                      two pots of green tea, neither bitter

                Hours and hardness:
                  Cold water needs hours instead of minutes. Boil the water if you do not have
                  these hours.

                  Hard water makes dull tea.

                Exit status:
                  0  there is tea
                  1  the tin was found and there was no tea of that kind in it at all, none

                """)
    }

    @Test func commandAt40Columns() {
        #expect(
            Help.text(for: SampleTool.make, of: SampleTool.tool, width: 40) == """
                Usage: brew make [OPTIONS] [TEA...]

                brew tea of each kind, one pot after
                another

                Operands:
                  TEA...
                      what to brew; a word by itself is
                      a kind of tea

                Water:
                  -4, --cold
                      with cold water
                  -6, --boiling
                      with water that boils, which green
                      tea does not like at all

                Leaves:
                  -t, --time SECONDS
                      take the leaves out after this
                      long (default: 180)
                  --strength STRENGTH
                      how much tea to a cup (mild,
                      medium or strong; default: medium)
                  --shelf SHELF
                      where to look for the tin
                      (default: top; repeatable)
                  -a, --with-addition THING
                      what else goes in (repeatable)

                Pot:
                  -c, --cups N
                      how many (default: 2)
                  -l, --label TEXT
                      what to write on the pot
                  --verbose
                      print each step

                General:
                  -h, --help
                      show this help

                Examples:
                  brew make earl-grey
                      two cups, three minutes
                  brew make --time 120 --strength mild sencha 'gunpowder green'
                      two pots of green tea, neither
                      bitter

                Hours and hardness:
                  Cold water needs hours instead of
                  minutes. Boil the water if you do not
                  have these hours.

                  Hard water makes dull tea.

                Exit status:
                  0  there is tea
                  1  the tin was found and there was no
                     tea of that kind in it at all, none

                """)
    }

    @Test func usageLineContainsRequiredOptions() {
        #expect(
            Help.text(for: SampleTool.keep, of: SampleTool.tool, width: 80) == """
                Usage: brew keep --tin TIN [OPTIONS] SHELF...

                put a tin away

                Operands:
                  SHELF...       shelves to fill

                Tin:
                      --tin TIN  the tin to put there (required)

                General:
                  -h, --help     show this help

                """)
        #expect(usage(of: SampleTool.pour) == "Usage: brew pour [OPTIONS] GUEST")
        #expect(usage(of: SampleTool.clean) == "Usage: brew clean [OPTIONS]")
        #expect(usage(of: SampleTool.tool.command(named: "help")) == "Usage: brew help [OPTIONS] [TOPIC]")
    }

    @Test func toolNotesComeBeforeTheLastLine() {
        let tool = Tool(
            "brew", summary: "", version: "", date: "", commands: [],
            notes: [Note("Status", "It says:", rows: ["0": "tea"])])
        let end = """

            Status:
              It says:
              0  tea

            "brew help COMMAND" explains a command and its options

            """
        #expect(Help.text(for: tool, width: 80).hasSuffix(end))
        #expect(!Help.short(for: tool, width: 80).contains("Status"))
    }

    @Test func wrapsTheUsageLine() {
        #expect(
            Help.text(for: SampleTool.keep, of: SampleTool.tool, width: 40).hasPrefix(
                """
                Usage: brew keep --tin TIN [OPTIONS]
                                 SHELF...

                """))
    }

    @Test func keepsTheWidthExceptForExamplesAndLongWords() {
        for width in 40...100 {
            for command in SampleTool.tool.commands {
                let lines = Help.text(for: command, of: SampleTool.tool, width: width).split(separator: "\n")
                let copied = command.examples.map { "  " + $0.line }
                let wide = lines.map(String.init).filter { $0.columns > width && !copied.contains($0) }
                #expect(wide == [], "\(command.name) at \(width)")
            }
        }
    }

    @Test func limitsTheWidth() {
        let text = { (width: Int) in Help.text(for: SampleTool.make, of: SampleTool.tool, width: width) }
        #expect(text(.max) == text(100))
        #expect(text(99).split(separator: "\n").allSatisfy { $0.count <= 99 })
        for width in [.min, -1, 0, 1] { #expect(text(width) == text(24)) }
    }

    @Test func helpContainsEveryOption() {
        for command in SampleTool.tool.commands {
            let text = Help.text(for: command, of: SampleTool.tool, width: 80)
            for option in command.options { #expect(text.contains(option.spelling)) }
        }
    }

    private func usage(of command: Command?) -> String? {
        command.flatMap {
            Help.text(for: $0, of: SampleTool.tool, width: 80).split(separator: "\n").first.map(String.init)
        }
    }
}
