import Testing

@testable import Arguments

/// What an option gives is tested with the values; here is what help and completion are told of it.
struct OptionTests {
    @Test func `a declaration tells what was declared`() {
        let time = Brew.time.declaration
        #expect(time.name == "time")
        #expect(time.spelling == "--time")
        #expect(time.short == "t")
        #expect(time.help == "take the leaves out after this long")
        #expect(time.value?.placeholder == "SECONDS")
        #expect(Brew.boiling.declaration.conflicts == ["cold"])
        #expect(Brew.cold.declaration.value == nil)
    }

    @Test func `a default is shown where it can be spelled`() {
        #expect(Brew.time.declaration.presence == .defaulted("180"))
        #expect(Brew.strength.declaration.presence == .defaulted("medium"))
        #expect(Brew.cups.declaration.presence == .defaulted("2"))
        let silent = Option.single("rest", takes: Brew.seconds, default: Brew.Seconds(count: 1), help: "wait")
        #expect(silent.declaration.presence == .defaulted(nil))
        let named = Option.single("jug", takes: .text("JUG"), default: "", defaultText: "none", help: "the jug")
        #expect(named.declaration.presence == .defaulted("none"))
        #expect(Brew.shelves.declaration.presence == .repeatable("top"))
        #expect(Brew.tin.declaration.presence == .required)
        #expect(Brew.label.declaration.presence == .optional)
    }

    @Test func `only a closed set of words is a list for help`() {
        #expect(Brew.strength.declaration.value?.isClosed == true)
        #expect(Brew.strength.declaration.value?.choices == ["mild", "medium", "strong"])
        #expect(Brew.shelves.declaration.value?.isClosed == false)
        #expect(Brew.shelves.declaration.value?.choices == ["top", "bottom"])
    }
}
