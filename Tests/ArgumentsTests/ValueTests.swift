import SampleTool
import Testing

@testable import Arguments

struct ValueTests {
    private let location = ArgumentLocation(position: 0, text: "--x")

    private func read<Output>(_ text: String, as value: Value<Output>) -> Result<Output, ArgumentError> {
        Result { () throws(ArgumentError) in try value.read(text, at: location) }
    }

    @Test(arguments: ["", "a", "-1", "\u{1B}", "日本"])
    func acceptsAnyText(text: String) {
        #expect(read(text, as: .text("NAME")) == .success(text))
    }

    @Test func acceptsAnyNonEmptyPath() {
        for path in ["-", "a b", "--x", "/"] { #expect(read(path, as: .path("FILE")) == .success(path)) }
        let error = ArgumentError.invalidValue(location, expected: "a path", suggestions: [])
        #expect(read("", as: .path("FILE")) == .failure(error))
    }

    @Test(arguments: [("1", 1), ("12", 12), ("+7", 7), ("007", 7), ("-3", -3)])
    func parsesIntegersInRange(text: String, number: Int) {
        #expect(read(text, as: .integer("N", in: -3...12)) == .success(number))
    }

    @Test(arguments: ["", "13", "-4", "1.5", " 1", "1 ", "0x1", "1e1", "١", "99999999999999999999", "one"])
    func refusesOtherIntegers(text: String) {
        let error = ArgumentError.invalidValue(location, expected: "a whole number from -3 to 12", suggestions: [])
        #expect(read(text, as: .integer("N", in: -3...12)) == .failure(error))
    }

    @Test func acceptsOnlyTheChoices() {
        let value = Value.choice(SampleTool.Strength.self, "STRENGTH")
        #expect(read("mild", as: value) == .success(.mild))
        let error = ArgumentError.invalidValue(location, expected: "mild, medium or strong", suggestions: ["mild"])
        #expect(read("Mild", as: value) == .failure(error))
        #expect(read("bucket", as: .choice([SampleTool.Size.small, .large], "SIZE")) != .success(.bucket))
    }

    @Test func readsAListOfChoices() {
        let value = Value.list(SampleTool.Strength.allCases, "STRENGTH")
        #expect(read("mild", as: value) == .success([.mild]))
        #expect(read("strong,mild", as: value) == .success([.strong, .mild]))
        let alone = ArgumentError.invalidValue(location, expected: "mild, medium or strong", suggestions: ["mild"])
        #expect(read("Mild", as: value) == .failure(alone))
        let refusal = ValueError(
            "expected mild, medium or strong, separated by commas; \"stron\" is unknown",
            hint: "did you mean \"strong\"?")
        #expect(read("mild,stron", as: value) == .failure(.rejected(location, refusal)))
        let empty = ValueError("expected mild, medium or strong, separated by commas; \"\" is unknown", hint: nil)
        #expect(read("mild,", as: value) == .failure(.rejected(location, empty)))
    }

    @Test func reportsTheErrorOfAValue() {
        #expect(read("3", as: SampleTool.shelf) == .success(3))
        let refusal = ValueError("shelf 10 is above 9", hint: "the top one is 9")
        #expect(read("10", as: SampleTool.shelf) == .failure(.rejected(location, refusal)))
    }
}
