package import Arguments

/// A command-line tool for tests. It has an option of each kind and a command for each number of operands.
package enum SampleTool {
    package enum Strength: String, CaseIterable, Sendable { case mild, medium, strong }
    package enum Size: String, Sendable { case small, large, bucket }
    package struct Seconds: Equatable, Sendable {
        package let count: Int

        package init(count: Int) { self.count = count }
    }

    package static let seconds = Value("SECONDS", expected: "a number of seconds above 0") { text in
        Int(text).flatMap { $0 > 0 ? Seconds(count: $0) : nil }
    }
    package static let shelf = Value<Int>("SHELF", expected: "a shelf", choices: ["top", "bottom"]) {
        text throws(ValueError) in
        if text == "top" { return 9 }
        if text == "bottom" { return 0 }
        guard let number = Int(text) else { return nil }
        guard number < 10 else { throw ValueError("shelf \(number) is above 9", hint: "the top one is 9") }
        return number
    }

    package static let time = Option.single(
        "time", short: "t", takes: seconds, default: Seconds(count: 180), defaultText: "180",
        help: "take the leaves out after this long")
    package static let strength = Option.single(
        "strength", takes: .choice(Strength.self, "STRENGTH"), default: .medium, help: "how much tea to a cup")
    package static let cups = Option.single(
        "cups", short: "c", takes: .integer("N", in: 1...12), default: 2, help: "how many")
    package static let label = Option.optional(
        "label", short: "l", takes: .text("TEXT"), help: "what to write on the pot")
    package static let cold = Option.flag("cold", short: "4", help: "with cold water")
    package static let boiling = Option.flag(
        "boiling", short: "6", conflicts: [cold], help: "with water that boils, which green tea does not like at all")
    package static let verbose = Option.flag("verbose", help: "print each step")
    package static let shelves = Option.repeated(
        "shelf", takes: shelf, default: [9], defaultText: "top", help: "where to look for the tin")
    package static let additions = Option.repeated(
        "with-addition", short: "a", takes: .text("THING"), help: "what else goes in")
    package static let teas = Operand.any(.text("TEA"), help: "what to brew; a word by itself is a kind of tea")

    package static let make = Command(
        "make",
        summary: "brew tea of each kind, one pot after another",
        operands: teas,
        options: [
            OptionGroup("Water", [cold, boiling]),
            OptionGroup("Leaves", [time, strength, shelves, additions]),
            OptionGroup("Pot", [cups, label, verbose]),
        ],
        examples: [
            Example("brew make earl-grey", "two cups, three minutes"),
            Example(
                "brew make --time 120 --strength mild sencha 'gunpowder green'", "two pots of green tea, neither bitter"
            ),
        ],
        notes: [
            Note(
                "Hours and hardness",
                "Cold water needs hours instead of minutes. Boil the water if you do not have these hours.",
                "Hard water makes dull tea."),
            Note(
                "Exit status",
                rows: [
                    "0": "there is tea", "1": "the tin was found and there was no tea of that kind in it at all, none",
                ]),
        ])

    package static let store = Operand.some(shelf, help: "shelves to fill")
    package static let tin = Option.required("tin", takes: .path("TIN"), help: "the tin to put there")
    package static let keep = Command(
        "keep", summary: "put a tin away", operands: store, options: [OptionGroup("Tin", [tin])])

    package static let size = Option.single(
        "size", takes: .choice([Size.small, .large], "SIZE"), default: .small, help: "of the cup")
    package static let guest = Operand.one(.text("GUEST"), help: "whose cup")
    package static let pour = Command(
        "pour", summary: "fill a cup", operands: guest, options: [OptionGroup("Cup", [size])])

    package static let clean = Command("clean", summary: "wash the pot", options: [OptionGroup("Pot", [verbose])])

    package static let tool = Tool(
        "brew", summary: "make tea, keep it and pour it", version: "1.2", date: "June 1, 2027",
        commands: [make, keep, pour, clean],
        topics: [
            Topic("tea-tin", summary: "what a tin is", notes: [Note("Description", "A tin has a lid.")])
        ],
        examples: [Example("brew make assam", "a pot of it")])
}
