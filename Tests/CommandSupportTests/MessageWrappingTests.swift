import Testing

@testable import CommandSupport

struct MessageWrappingTests {
    @Test func aMessageThatFitsStays() {
        let text = "pinctl: error: a\npinctl: hint: b\n"
        #expect(Message.wrapped(text, to: 60) == text)
        #expect(Message.wrapped("", to: 60).isEmpty)
    }

    @Test func aLongMessageIsWrappedAtWords() {
        #expect(
            Message.wrapped("pinctl: error: cannot read the file of the pins\n", to: 24)
                == "pinctl: error: cannot\n  read the file of the\n  pins\n")
    }

    @Test func aCommandStaysWhole() {
        let text = "pinctl: hint: run pinctl verify --pins some/long/path/pins.json, which prints the chain\n"
        #expect(
            Message.wrapped(text, to: 40)
                == "pinctl: hint: run\n  pinctl verify --pins some/long/path/pins.json\n  which prints the chain\n")
    }

    @Test(arguments: [#"'my set; a, b (c).json'"#, #"'it'\''s; b.json'"#, #"$'a\n\'; b.json'"#, "a.json"])
    func aQuotedWordDoesNotEndACommand(word: String) {
        let text = "pinctl: hint: run pinctl verify --pins \(word) api.example.com, which prints the chain\n"
        #expect(
            Message.wrapped(text, to: 40)
                == "pinctl: hint: run\n  pinctl verify --pins \(word) api.example.com\n  which prints the chain\n")
    }

    @Test func aWordThatIsWiderThanTheTerminalStaysWhole() {
        let pin = String(repeating: "A", count: 44)
        #expect(Message.wrapped("pinctl: note: \(pin)\n", to: 20) == "pinctl: note:\n  \(pin)\n")
    }

    @Test func textThatIsNoMessageStays() {
        let text = "Usage: pinctl COMMAND [OPTIONS] [OPERANDS]\n"
        #expect(Message.wrapped(text, to: 10) == text)
    }
}
