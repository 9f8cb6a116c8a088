import Arguments
import SampleTool
import TestSupport
import Testing

@testable import CommandSupport
@testable import Commands

struct ArgumentErrorMessageTests {
    @Test(arguments: [
        // An unknown option.
        Refused(
            ["make", "--no-such=a b"], #"make has no option "--no-such=…""#,
            #"run "brew make --help" to list the options"#),
        Refused(["make", "--tmie", "5"], #"make has no option "--tmie""#, #"did you mean "--time"?"#),
        Refused(["make", "--tmie=5"], #"make has no option "--tmie=…""#, #"did you mean "--time"?"#),
        Refused(["make", "--with"], #"make has no option "--with""#, #"did you mean "--with-addition"?"#),
        Refused(["make", "--TIME=5"], #"make has no option "--TIME=…""#, #"did you mean "--time"?"#),
        Refused(["make", "--c"], #"make has no option "--c""#, #"did you mean "--cold" or "--cups"?"#),
        Refused(["make", "--=5"], #"make has no option "--=…""#, #"run "brew make --help" to list the options"#),
        Refused(["make", "---cold"], #"make has no option "---cold""#, #"did you mean "--cold"?"#),
        Refused(["make", "--tin=x"], #"make has no option "--tin=…""#, #""--tin" is an option of keep"#),
        Refused(["make", "-T"], #"make has no option "-T""#, #"did you mean "-t"?"#),
        Refused(
            ["keep", "--verbose"], #"keep has no option "--verbose""#, #""--verbose" is an option of make and clean"#),
        Refused(["clean", "-a"], #"clean has no option "-a""#, #""-a" is an option of make"#),
        Refused(
            ["make", "--version"], #"make has no option "--version""#,
            #"use "--version" without a command: "brew --version""#),
        Refused(["make", "-V"], #"make has no option "-V""#, #"use "-V" without a command: "brew -V""#),
        Refused(["make", "-x"], #"make has no option "-x""#, #"run "brew make --help" to list the options"#),
        Refused(
            ["make", "-4x"], #"make has no option "-x" (in "-4x")"#, #"run "brew make --help" to list the options"#),
        // The text after the letter or the = may be a password.
        Refused(
            ["make", "-xSECRET"], #"make has no option "-x" (in "-x…")"#, #"run "brew make --help" to list the options"#
        ),
        Refused(
            ["make", "-4xSECRET=4x"], #"make has no option "-x" (in "-4x…")"#,
            #"run "brew make --help" to list the options"#),
        Refused(
            ["make", "--no-such=\u{301}SECRET"], #"make has no option "--no-such=…""#,
            #"run "brew make --help" to list the options"#),
        Refused(
            ["make", "--cold=\u{301}SECRET"], #""--cold=…": --cold takes no value"#,
            #"write "--cold" without a value, or omit it"#),
        Refused(["make", "-time", "5"], #""-time": expected a number of seconds above 0"#, nil),
        Refused(
            ["make", "-strength=mild"], #"make has no option "-strength" (in "-strength=…")"#,
            #"did you mean "--strength"?"#),
        Refused(["make", "-\u{1B}"], #"make has no option "-\u{1B}""#, #"run "brew make --help" to list the options"#),
        // A missing or an unexpected value.
        Refused(["make", "--time"], #""--time" needs a value: a number of seconds above 0"#, nil),
        Refused(["make", "-4t"], #""-t" needs a value: a number of seconds above 0"#, nil),
        Refused(["make", "--label"], #""--label" needs a value: TEXT"#, nil),
        Refused(["make", "--strength"], #""--strength" needs a value: mild, medium or strong"#, nil),
        Refused(
            ["make", "--label", "--cold"], #""--label" needs a value, but "--cold" follows it"#,
            #"if "--cold" is the value, write "--label=--cold""#),
        Refused(
            ["make", "-l", "--time=5"], #""-l" needs a value, but "--time=…" follows it"#,
            #"if "--time=…" is the value, write "-l--time=…""#),
        Refused(
            ["make", "--label", "--", "x"], #""--label" needs a value, but "--" follows it"#,
            #"if "--" is the value, write "--label=--""#),
        Refused(
            ["make", "--cold=yes"], #""--cold=…": --cold takes no value"#,
            #"write "--cold" without a value, or omit it"#),
        Refused(
            ["make", "--cold="], #""--cold=": --cold takes no value"#, #"write "--cold" without a value, or omit it"#),
        Refused(["make", "-4=yes"], #""-4=…": -4 takes no value"#, #"write "-4" without a value, or omit it"#),
        // An invalid value.
        Refused(["make", "--time=abc"], #""--time=abc": expected a number of seconds above 0"#, nil),
        Refused(["make", "--time", "0"], #""--time 0": expected a number of seconds above 0"#, nil),
        Refused(["make", "--time="], #""--time=": expected a number of seconds above 0"#, nil),
        Refused(["make", "--time", ""], #""--time ''": expected a number of seconds above 0"#, nil),
        Refused(["make", "-t-5"], #""-t-5": expected a number of seconds above 0"#, nil),
        Refused(["make", "-4t", "x\ny"], #""-4t x\ny": expected a number of seconds above 0"#, nil),
        Refused(["make", "--cups=13"], #""--cups=13": expected a whole number from 1 to 12"#, nil),
        Refused(
            ["make", "--cups=99999999999999999999"],
            #""--cups=99999999999999999999": expected a whole number from 1 to 12"#, nil),
        Refused(
            ["make", "--strength=mlid"], #""--strength=mlid": expected mild, medium or strong"#,
            #"did you mean "mild"?"#),
        Refused(
            ["make", "--strength", "STRONG"], #""--strength STRONG": expected mild, medium or strong"#,
            #"did you mean "strong"?"#),
        Refused(
            ["make", "--strength=m"], #""--strength=m": expected mild, medium or strong"#,
            #"did you mean "mild" or "medium"?"#),
        Refused(["make", "--strength=none"], #""--strength=none": expected mild, medium or strong"#, nil),
        Refused(["pour", "x", "--size=bucket"], #""--size=bucket": expected small or large"#, nil),
        Refused(["make", "--shelf=botom"], #""--shelf=botom": expected a shelf"#, #"did you mean "bottom"?"#),
        Refused(["make", "--shelf", "12"], #""--shelf 12": shelf 12 is above 9"#, "the top one is 9"),
        Refused(["keep", "--tin=a", "1", "12"], #""12": shelf 12 is above 9"#, "the top one is 9"),
        Refused(["keep", "--tin=a", "1", "tpo"], #""tpo": expected a shelf"#, #"did you mean "top"?"#),
        // Too many or too few arguments.
        Refused(
            ["make", "--time=5", "-t", "6"], #""--time" was given twice: "--time=5" and "-t 6""#,
            "remove one of them"),
        Refused(
            ["keep", "1", "--tin=a", "--tin=a"], #""--tin" was given twice: "--tin=a" and "--tin=a""#,
            "remove one of them"),
        Refused(["make", "--cold", "-6"], #""--cold" and "-6" cannot be used together"#, nil),
        Refused(["keep", "1"], #"keep needs the option "--tin TIN""#, #"run "brew keep --help" for the usage"#),
        Refused(
            ["keep", "--tin=x"], "keep needs at least one SHELF, but none was given",
            #"run "brew keep --help" for the usage"#),
        Refused(["pour"], "pour needs one GUEST, but none was given", #"run "brew pour --help" for the usage"#),
        Refused(
            ["pour", "a", "b"], #"unexpected "b": pour takes one GUEST"#, #"run "brew pour --help" for the usage"#),
        Refused(
            ["clean", "--", "-x"], #"unexpected "-x": clean takes no operands"#,
            #"run "brew clean --help" for the usage"#),
    ])
    func hasAMessageAndAHint(line: Refused) throws {
        try line.check()
    }

    @Test func containsTheReasonOfACommand() throws {
        let values = try make("--time=5", "-l", "pot")
        let location = try #require(values.location(of: SampleTool.time))
        let error = ArgumentError.rejected(location, ValueError("too short", hint: "wait longer"))
        #expect(error.message == #""--time=5": too short"#)
        #expect(error.hint == "wait longer")
        let unfit = ArgumentError.invalidCombination(ValueError("make needs a TEA or --verbose"))
        #expect(unfit.message == "make needs a TEA or --verbose")
        #expect(unfit.hint == nil)
    }

    @Test(arguments: [
        Refused(["--"], #"a command is expected after "--""#, #"run "brew help" to list the commands"#),
        Refused(["mkae"], #"unknown command "mkae""#, #"did you mean "make"?"#),
        Refused(["hlep", "make"], #"unknown command "hlep""#, #"did you mean "help"?"#),
        Refused(["cle"], #"unknown command "cle""#, #"did you mean "clean"?"#),
        Refused(["zzz", "--help"], #"unknown command "zzz""#, #"run "brew help" to list the commands"#),
        Refused([""], #"unknown command """#, #"run "brew help" to list the commands"#),
        Refused(["-"], #"unknown command "-""#, #"run "brew help" to list the commands"#),
        Refused(["--", "--help"], #"unknown command "--help""#, #"did you mean "help"?"#),
        Refused(["help", "mkae"], #"unknown command "mkae""#, #"did you mean "make"?"#),
        Refused(
            ["help", "make", "keep"], #"unexpected "keep": help takes at most one TOPIC"#,
            #"run "brew help --help" for the usage"#),
        Refused(["make\u{1B}[2J"], #"unknown command "make\u{1B}[2J""#, #"run "brew help" to list the commands"#),
        Refused(
            ["--time", "5", "make"], #"brew has no option "--time""#,
            #"write "--time" after the command: it is an option of make"#),
        Refused(
            ["--verbose=1", "make"], #"brew has no option "--verbose=…""#,
            #"write "--verbose" after the command: it is an option of make and clean"#),
        Refused(
            ["-4", "make"], #"brew has no option "-4""#, #"write "-4" after the command: it is an option of make"#),
        Refused(["--hepl", "make", "--tmie"], #"brew has no option "--hepl""#, #"did you mean "--help"?"#),
        Refused(["-V", "--hepl"], #"brew has no option "--hepl""#, #"did you mean "--help"?"#),
        Refused(["--verison"], #"brew has no option "--verison""#, #"did you mean "--version"?"#),
        Refused(["-version"], #"brew has no option "-version""#, #"did you mean "--version"?"#),
        Refused(
            ["--zzz"], #"brew has no option "--zzz""#, #"write options after the command: "brew COMMAND [OPTIONS]""#),
        Refused(
            ["--version=1"], #""--version=…": --version takes no value"#,
            #"write "--version" without a value, or omit it"#),
        Refused(
            ["--help=make"], #""--help=…": --help takes no value"#, #"write "--help" without a value, or omit it"#),
    ])
    func refusesALineWithoutAKnownCommand(line: Refused) throws {
        try line.check()
    }

    @Test(arguments: [5, 6, 7, 8] as [UInt64])
    func isOnePrintableSentence(seed: UInt64) {
        var refused = 0
        for line in RandomCommandLine.lines(5000, seed: seed) {
            guard let error = try? refusal(line) else { continue }
            refused += 1
            for sentence in [error.message, error.hint].compactMap(\.self) {
                #expect(!sentence.isEmpty && !sentence.hasSuffix("."), "\(line)")
                let isPrintable = sentence.unicodeScalars.allSatisfy {
                    ![.control, .format].contains($0.properties.generalCategory)
                }
                #expect(isPrintable, "\(line): \(sentence)")
            }
        }
        #expect(refused > 1000)
    }
}

/// A refused command line with its expected messages.
struct Refused: CustomTestStringConvertible, Sendable {
    let arguments: [String]
    let message: String
    let hint: String?

    init(_ arguments: [String], _ message: String, _ hint: String?) {
        self.arguments = arguments
        self.message = message
        self.hint = hint
    }

    var testDescription: String { arguments.joined(separator: " ") }

    func check(_ location: SourceLocation = #_sourceLocation) throws {
        let error = try refusal(arguments)
        #expect(error.message == message, sourceLocation: location)
        #expect(error.hint == hint, sourceLocation: location)
    }
}
