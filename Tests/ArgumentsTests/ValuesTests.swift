import SampleTool
import Testing

@testable import Arguments

struct ValuesTests {
    @Test func usesDefaults() throws {
        let values = try make()
        #expect(values[SampleTool.time].count == 180)
        #expect(values[SampleTool.strength] == .medium)
        #expect(values[SampleTool.cups] == 2)
        #expect(values[SampleTool.label] == nil)
        #expect(values[SampleTool.cold] == false)
        #expect(values[SampleTool.shelves] == [9])
        #expect(values[SampleTool.additions] == [])
        #expect(values[SampleTool.teas] == [])
        #expect(values.operands == [])
    }

    @Test func readsValuesByKey() throws {
        let values = try make("--strength=strong", "--cups", "12", "--shelf=3", "--shelf", "bottom", "assam")
        #expect(values[SampleTool.strength] == .strong)
        #expect(values[SampleTool.cups] == 12)
        #expect(values[SampleTool.shelves] == [3, 0])
        #expect(values[SampleTool.teas] == ["assam"])
        #expect(try brew(["keep", "--tin=red", "top", "4"])[SampleTool.tin] == "red")
        #expect(try brew(["keep", "--tin=red", "top", "4"])[SampleTool.store] == [9, 4])
        #expect(try brew(["pour", "me"])[SampleTool.guest] == "me")
        #expect(try brew(["pour", "me"])[SampleTool.size] == .small)
    }

    @Test func containsATypedDefault() throws {
        #expect(try make("--cups=2").contains(SampleTool.cups))
        #expect(try !make().contains(SampleTool.cups))
        #expect(try make("-4").contains(SampleTool.cold))
        #expect(try make("--shelf=top").contains(SampleTool.shelves))
    }

    @Test func reportsLocations() throws {
        let values = try make("assam", "-a", "oat milk", "--time=5", "-4ahoney", "--", "-x")
        #expect(values.location(of: SampleTool.time) == ArgumentLocation(position: 4, text: "--time=5"))
        #expect(
            values.locations(of: SampleTool.additions) == [
                ArgumentLocation(position: 2, text: "-a oat milk"), ArgumentLocation(position: 5, text: "-4ahoney"),
            ])
        #expect(values.location(of: SampleTool.additions)?.position == 2)
        #expect(values.location(of: SampleTool.cold) == ArgumentLocation(position: 5, text: "-4ahoney"))
        #expect(values.location(of: SampleTool.label) == nil)
        #expect(values.locations(of: SampleTool.label) == [])
        #expect(
            values.operandLocations == [
                ArgumentLocation(position: 1, text: "assam"), ArgumentLocation(position: 7, text: "-x"),
            ])
    }

    @Test func keepsEveryScalarOfOperands() throws {
        let words = ["caf\u{E9}", "cafe\u{301}", "\u{202E}x", "日本", "a\u{0}b", "🫖"]
        let typed = try brew(["make", "--"] + words).operands
        #expect(typed.map { Array($0.unicodeScalars) } == words.map { Array($0.unicodeScalars) })
    }

    @Test func readingAnUndeclaredOptionStopsTheProgram() async {
        await #expect(processExitsWith: .failure) {
            _ = try brew(["clean"])[SampleTool.time]
        }
    }
}
