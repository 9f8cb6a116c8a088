import Testing

@testable import Arguments

struct OperandTests {
    private let tool = Tool(
        "brew", summary: "", version: "", date: "",
        commands: [
            Command("one", summary: "", operands: one), Command("optional", summary: "", operands: optional),
            Command("any", summary: "", operands: any), Command("some", summary: "", operands: some),
            Command("none", summary: ""),
        ])
    private static let number = Value<Int>("N", expected: "a number") { Int($0) }
    private static let one = Operand.one(number, help: "")
    private static let optional = Operand.optional(number, help: "")
    private static let any = Operand.any(number, help: "")
    private static let some = Operand.some(number, help: "")

    private func read<Output>(_ name: String, _ words: [String], _ key: Operand<Output>) -> Output? {
        guard case .command(_, let values)? = try? tool.parse([name] + words) else { return nil }
        return values[key]
    }

    @Test func oneOperand() {
        #expect(read("one", ["5"], Self.one) == 5)
        #expect(read("one", [], Self.one) == nil)
        #expect(read("one", ["5", "6"], Self.one) == nil)
    }

    @Test func optionalOperand() {
        #expect(read("optional", ["5"], Self.optional) == .some(5))
        #expect(read("optional", [], Self.optional) == .some(.none))
        #expect(read("optional", ["5", "6"], Self.optional) == .none)
    }

    @Test func anyOperands() {
        #expect(read("any", [], Self.any) == [])
        #expect(read("any", ["5", "-", "6"], Self.any) == nil)
        #expect(read("any", ["5", "6", "5"], Self.any) == [5, 6, 5])
    }

    @Test func someOperands() {
        #expect(read("some", [], Self.some) == nil)
        #expect(read("some", ["--", "-5", "6"], Self.some) == [-5, 6])
    }

    @Test func noOperands() throws {
        #expect(throws: Never.self) { try tool.parse(["none", "--"]) }
        #expect(throws: ArgumentError.self) { try tool.parse(["none", ""]) }
    }
}
