import SampleTool
import Testing

@testable import Arguments

/// The properties of an option for help and completion. ``ValuesTests`` covers its value.
struct OptionTests {
    @Test func declarationHasTheGivenProperties() {
        let time = SampleTool.time.declaration
        #expect(time.name == "time")
        #expect(time.spelling == "--time")
        #expect(time.short == "t")
        #expect(time.help == "take the leaves out after this long")
        #expect(time.value?.placeholder == "SECONDS")
        #expect(SampleTool.boiling.declaration.conflicts == ["cold"])
        #expect(SampleTool.cold.declaration.value == nil)
    }

    @Test func showsDefaults() {
        #expect(SampleTool.time.declaration.presence == .defaulted("180"))
        #expect(SampleTool.strength.declaration.presence == .defaulted("medium"))
        #expect(SampleTool.cups.declaration.presence == .defaulted("2"))
        let silent = Option.single(
            "rest", takes: SampleTool.seconds, default: SampleTool.Seconds(count: 1), help: "wait")
        #expect(silent.declaration.presence == .defaulted(nil))
        let named = Option.single("jug", takes: .text("JUG"), default: "", defaultText: "none", help: "the jug")
        #expect(named.declaration.presence == .defaulted("none"))
        #expect(SampleTool.shelves.declaration.presence == .repeatable("top"))
        #expect(SampleTool.tin.declaration.presence == .required)
        #expect(SampleTool.label.declaration.presence == .optional)
    }

    @Test func listsOnlyClosedChoices() {
        #expect(SampleTool.strength.declaration.value?.isClosed == true)
        #expect(SampleTool.strength.declaration.value?.choices == ["mild", "medium", "strong"])
        #expect(SampleTool.shelves.declaration.value?.isClosed == false)
        #expect(SampleTool.shelves.declaration.value?.choices == ["top", "bottom"])
    }
}
