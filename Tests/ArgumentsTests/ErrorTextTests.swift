import Testing

@testable import Arguments

struct ErrorTextTests {
    @Test(arguments: [
        // An unknown option.
        Refused(
            ["make", "--no-such=a b"], #"make has no option "--no-such=a b""#,
            #""brew make --help" lists the options"#),
        Refused(["make", "--tmie", "5"], #"make has no option "--tmie""#, #"did you mean "--time"?"#),
        Refused(["make", "--tmie=5"], #"make has no option "--tmie=5""#, #"did you mean "--time"?"#),
        Refused(["make", "--with"], #"make has no option "--with""#, #"did you mean "--with-addition"?"#),
        Refused(["make", "--TIME=5"], #"make has no option "--TIME=5""#, #"did you mean "--time"?"#),
        Refused(["make", "--c"], #"make has no option "--c""#, #"did you mean "--cold" or "--cups"?"#),
        Refused(["make", "--=5"], #"make has no option "--=5""#, #""brew make --help" lists the options"#),
        Refused(["make", "---cold"], #"make has no option "---cold""#, #"did you mean "--cold"?"#),
        Refused(["make", "--tin=x"], #"make has no option "--tin=x""#, #""--tin" belongs to keep"#),
        Refused(["keep", "--verbose"], #"keep has no option "--verbose""#, #""--verbose" belongs to make and clean"#),
        Refused(["clean", "-a"], #"clean has no option "-a""#, #""-a" belongs to make"#),
        Refused(
            ["make", "--version"], #"make has no option "--version""#, #""--version" stands alone: "brew --version""#),
        Refused(["make", "-V"], #"make has no option "-V""#, #""-V" stands alone: "brew -V""#),
        Refused(["make", "-x"], #"make has no option "-x""#, #""brew make --help" lists the options"#),
        Refused(["make", "-4x"], #"make has no option "-x" (in "-4x")"#, #""brew make --help" lists the options"#),
        Refused(["make", "-time", "5"], #""-time": expected a number of seconds above 0"#, nil),
        Refused(
            ["make", "-strength=mild"], #"make has no option "-strength" (in "-strength=mild")"#,
            #"did you mean "--strength"?"#),
        Refused(["make", "-\u{1B}"], #"make has no option "-\u{1B}""#, #""brew make --help" lists the options"#),
        // A missing or an unexpected value.
        Refused(["make", "--time"], #""--time" needs a value: a number of seconds above 0"#, nil),
        Refused(["make", "-4t"], #""-t" needs a value: a number of seconds above 0"#, nil),
        Refused(["make", "--label"], #""--label" needs a value: TEXT"#, nil),
        Refused(["make", "--strength"], #""--strength" needs a value: mild, medium or strong"#, nil),
        Refused(
            ["make", "--label", "--cold"], #""--label" needs a value, but "--cold" follows it"#,
            #"if "--cold" is the value, write "--label=--cold""#),
        Refused(
            ["make", "-l", "--time=5"], #""-l" needs a value, but "--time=5" follows it"#,
            #"if "--time=5" is the value, write "-l--time=5""#),
        Refused(
            ["make", "--label", "--", "x"], #""--label" needs a value, but "--" follows it"#,
            #"if "--" is the value, write "--label=--""#),
        Refused(
            ["make", "--cold=yes"], #""--cold=yes": --cold takes no value"#, #"write "--cold" alone, or leave it out"#),
        Refused(["make", "--cold="], #""--cold=": --cold takes no value"#, #"write "--cold" alone, or leave it out"#),
        Refused(["make", "-4=yes"], #""-4=yes": -4 takes no value"#, #"write "-4" alone, or leave it out"#),
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
            "keep one of the two"),
        Refused(
            ["keep", "1", "--tin=a", "--tin=a"], #""--tin" was given twice: "--tin=a" and "--tin=a""#,
            "keep one of the two"),
        Refused(["make", "--cold", "-6"], #""--cold" and "-6" cannot be used together"#, nil),
        Refused(["keep", "1"], #"keep needs the option "--tin TIN""#, #""brew keep --help" shows how it is used"#),
        Refused(
            ["keep", "--tin=x"], "keep needs at least one SHELF, but none was given",
            #""brew keep --help" shows how it is used"#),
        Refused(["pour"], "pour needs one GUEST, but none was given", #""brew pour --help" shows how it is used"#),
        Refused(
            ["pour", "a", "b"], #"unexpected "b": pour takes one GUEST"#, #""brew pour --help" shows how it is used"#),
        Refused(
            ["clean", "--", "-x"], #"unexpected "-x": clean takes no operands"#,
            #""brew clean --help" shows how it is used"#),
    ])
    func `each refusal is one sentence and a next step`(line: Refused) throws {
        try line.check()
    }

    @Test func `a command can refuse in the same voice`() throws {
        let values = try make("--time=5", "-l", "pot")
        let location = try #require(values.location(of: SampleTool.time))
        let error = ArgumentError.rejected(location, ValueError("nobody drinks that", hint: "wait longer"))
        #expect(error.message == #""--time=5": nobody drinks that"#)
        #expect(error.hint == "wait longer")
        let unfit = ArgumentError.invalidCombination(ValueError("make needs a TEA or --verbose"))
        #expect(unfit.message == "make needs a TEA or --verbose")
        #expect(unfit.hint == nil)
    }

    @Test func `words are listed as in a sentence`() {
        #expect(ErrorText.list([], "or") == "")
        #expect(ErrorText.list(["a"], "or") == "a")
        #expect(ErrorText.list(["a", "b"], "or") == "a or b")
        #expect(ErrorText.list(["a", "b", "c"], "and") == "a, b and c")
    }
}
