import SampleTool
import Testing

@testable import Arguments

struct ParserTests {
    @Test func valueIsTheNextWordOrFollowsAnEqualsSign() throws {
        #expect(try make("--time", "5")[SampleTool.time].count == 5)
        #expect(try make("--time=5")[SampleTool.time].count == 5)
        #expect(try make("--label=a=b")[SampleTool.label] == "a=b")
    }

    @Test func acceptsAnEmptyValue() throws {
        #expect(try make("--label=")[SampleTool.label] == "")
        #expect(try make("--label", "")[SampleTool.label] == "")
        #expect(try make("-l", "")[SampleTool.label] == "")
        #expect(try make()[SampleTool.label] == nil)
    }

    @Test(arguments: [
        (["-lpot"], "pot"), (["-l", "pot"], "pot"), (["-l=pot"], "=pot"), (["-l="], "="), (["-4lpot"], "pot"),
        (["-4l", "pot"], "pot"), (["-l4"], "4"), (["-l\u{301}"], "\u{301}"), (["-l-4"], "-4"), (["-l--cold"], "--cold"),
    ])
    func shortOptionTakesTheRestOfItsWordOrTheNextWord(words: [String], label: String) throws {
        #expect(try brew(["make"] + words)[SampleTool.label] == label)
    }

    @Test func joinsShortFlagsInAnyOrder() throws {
        let error = try refusal(["make", "-46"])
        #expect(error == .conflict("-4", "-6"))
        #expect(try refusal(["make", "-64"]) == .conflict("-6", "-4"))
        let values = try make("-4c3", "-4")
        #expect(values[SampleTool.cold])
        #expect(values[SampleTool.cups] == 3)
    }

    @Test(arguments: [
        "-5", "-", "-c", "-x", "--5", "--nosuch", "--tim", "--nosuch=1", "make", "help", "-h", "--version", "",
    ])
    func valueMayLookLikeAnUndeclaredOption(word: String) throws {
        #expect(try make("--label", word)[SampleTool.label] == word)
        #expect(try make("-l", word, "assam").operands == ["assam"])
    }

    @Test(arguments: ["--", "--cold", "--time", "--time=5", "--label"])
    func declaredOptionIsNotAValue(word: String) throws {
        #expect(
            try refusal(["make", "--label", word])
                == .valueIsOption(of: "--label", ArgumentLocation(position: 2, text: word)))
        #expect(
            try refusal(["make", "-4l", word]) == .valueIsOption(of: "-l", ArgumentLocation(position: 2, text: word)))
        #expect(try make("--label=\(word)")[SampleTool.label] == word)
        #expect(try make("-l\(word)")[SampleTool.label] == word)
    }

    @Test func wordAfterAMissingValueIsStillAnOption() throws {
        guard case .help(.command(let command), .complete) = try SampleTool.tool.parse(["make", "--label", "--help"])
        else {
            Issue.record("no help")
            return
        }
        #expect(command.name == "make")
    }

    @Test func acceptsNegativeNumbersAsValues() throws {
        #expect(try make("--shelf", "-1", "--shelf=-2")[SampleTool.shelves] == [-1, -2])
    }

    @Test func wordsAfterTwoDashesAreOperands() throws {
        let values = try make("--cold", "--", "--time", "5", "-h", "--help", "--", "-")
        #expect(values.operands == ["--time", "5", "-h", "--help", "--", "-"])
        #expect(values[SampleTool.cold])
        #expect(!values.contains(SampleTool.time))
        #expect(try make("--").operands == [])
        #expect(try brew(["--", "make", "--cold"]).operands == ["--cold"])
    }

    @Test func twoDashesAsAJoinedValueAreAValue() throws {
        let values = try make("--label=--", "--cold")
        #expect(values[SampleTool.label] == "--")
        #expect(values[SampleTool.cold])
    }

    @Test func aSingleDashIsAnOperand() throws {
        #expect(try make("-", "--cold", "-").operands == ["-", "-"])
    }

    @Test func acceptsOptionsAndOperandsInAnyOrder() throws {
        let values = try make("assam", "--cold", "sencha", "-l", "pot", "", "--time=5")
        #expect(values.operands == ["assam", "sencha", ""])
        #expect(values[SampleTool.cold])
        #expect(values[SampleTool.label] == "pot")
        #expect(values[SampleTool.time].count == 5)
    }

    @Test func keepsTheOrderOfRepeatedValues() throws {
        #expect(try make("-a", "milk", "--with-addition=", "-ahoney")[SampleTool.additions] == ["milk", "", "honey"])
    }

    @Test func acceptsARepeatedFlag() throws {
        #expect(try make("--cold", "-44", "--cold")[SampleTool.cold])
    }

    @Test(arguments: [
        (["--time=5", "--time", "5"], "--time=5", "--time 5"), (["-t5", "--time=6"], "-t5", "--time=6"),
        (["-l", "", "-l="], "-l ''", "-l="), (["--cups=1", "-4c2", "-c3"], "--cups=1", "-4c2"),
    ])
    func refusesARepeatedSingleOption(words: [String], first: String, second: String) throws {
        guard case .givenTwice(_, let one, let two) = try refusal(["make"] + words) else {
            Issue.record("another error")
            return
        }
        #expect(one.text == first)
        #expect(two.text == second)
    }

    @Test func findsConflictsInTheOrderOfTheLine() throws {
        #expect(try refusal(["make", "--boiling", "-4"]) == .conflict("--boiling", "-4"))
        #expect(try refusal(["make", "-4", "x", "--boiling"]) == .conflict("-4", "--boiling"))
    }

    @Test func refusesAbbreviations() throws {
        for line in [["make", "--tim=5"], ["make", "--col"], ["mak"], ["--vers"]] {
            _ = try refusal(line)
        }
    }

    @Test func comparesNamesByCodePoints() throws {
        _ = try refusal(["make", "--Cold"])
        _ = try refusal(["make", "-T5"])
        _ = try refusal(["MAKE"])
    }

    @Test func reportsTheFirstError() throws {
        /// The word that an error is about.
        func word(_ arguments: String...) throws -> String? {
            switch try refusal(["make"] + arguments) {
            case .unknownOption(let option, _, _, _): option
            case .unexpectedValue(let location, _), .invalidValue(let location, _, _): location.text
            default: nil
            }
        }
        #expect(try word("--one", "--two") == "--one")
        #expect(try word("--cold=1", "--two") == "--cold=1")
        #expect(try word("--cups=99", "--time=0") == "--cups=99")
        #expect(try word("--time=0", "--cups=99") == "--time=0")
    }
}
