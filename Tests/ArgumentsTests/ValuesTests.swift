import Testing

@testable import Arguments

struct ValuesTests {
    @Test func `what is not typed has its default`() throws {
        let values = try make()
        #expect(values[Brew.time].count == 180)
        #expect(values[Brew.strength] == .medium)
        #expect(values[Brew.cups] == 2)
        #expect(values[Brew.label] == nil)
        #expect(values[Brew.cold] == false)
        #expect(values[Brew.shelves] == [9])
        #expect(values[Brew.additions] == [])
        #expect(values[Brew.teas] == [])
        #expect(values.operands == [])
    }

    @Test func `what is typed is read by its key`() throws {
        let values = try make("--strength=strong", "--cups", "12", "--shelf=3", "--shelf", "bottom", "assam")
        #expect(values[Brew.strength] == .strong)
        #expect(values[Brew.cups] == 12)
        #expect(values[Brew.shelves] == [3, 0])
        #expect(values[Brew.teas] == ["assam"])
        #expect(try brew(["keep", "--tin=red", "top", "4"])[Brew.tin] == "red")
        #expect(try brew(["keep", "--tin=red", "top", "4"])[Brew.store] == [9, 4])
        #expect(try brew(["pour", "me"])[Brew.guest] == "me")
        #expect(try brew(["pour", "me"])[Brew.size] == .small)
    }

    @Test func `a default that is typed counts as typed`() throws {
        #expect(try make("--cups=2").contains(Brew.cups))
        #expect(try !make().contains(Brew.cups))
        #expect(try make("-4").contains(Brew.cold))
        #expect(try make("--shelf=top").contains(Brew.shelves))
    }

    @Test func `places tell where and how something was typed`() throws {
        let values = try make("assam", "-a", "oat milk", "--time=5", "-4ahoney", "--", "-x")
        #expect(values.place(of: Brew.time) == Place(position: 4, text: "--time=5"))
        #expect(
            values.places(of: Brew.additions) == [
                Place(position: 2, text: "-a oat milk"), Place(position: 5, text: "-4ahoney"),
            ])
        #expect(values.place(of: Brew.additions)?.position == 2)
        #expect(values.place(of: Brew.cold) == Place(position: 5, text: "-4ahoney"))
        #expect(values.place(of: Brew.label) == nil)
        #expect(values.places(of: Brew.label) == [])
        #expect(values.operandPlaces == [Place(position: 1, text: "assam"), Place(position: 7, text: "-x")])
    }

    @Test func `operands keep every scalar that was typed`() throws {
        let words = ["caf\u{E9}", "cafe\u{301}", "\u{202E}x", "日本", "a\u{0}b", "🫖"]
        let typed = try brew(["make", "--"] + words).operands
        #expect(typed.map { Array($0.unicodeScalars) } == words.map { Array($0.unicodeScalars) })
    }

    @Test func `asking for what a command does not declare is a mistake in the program`() async {
        await #expect(processExitsWith: .failure) {
            _ = try brew(["clean"])[Brew.time]
        }
    }
}
