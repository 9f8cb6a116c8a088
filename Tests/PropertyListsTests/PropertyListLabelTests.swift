import InputPromises
import PropertyLists
import TestSupport
import Testing

/// The comments of arrays in XML property lists after edits.
@Suite struct PropertyListLabelTests {
    /// The labels of the new array, in a file on one line. Between two values on one line, a comment is the label of the first one.
    @Test(arguments: [
        "<array/>", "<array></array>", "<array> </array>", "<array><string>A</string></array>", "<true/>",
    ])
    func newValuesOnOneLineHaveTheirLabels(old: String) throws {
        for labels in [[nil, "backup"], ["a", "backup"], ["a", nil], [nil, nil], [nil, "b", nil, "c"]] {
            let file = "<plist version=\"1.0\"><dict><key>k</key>\(old)</dict></plist>"
            for key in ["k", "new"] {
                let values = zip(["A", "C", "D", "E"], labels).map { PropertyListValue.string($0, comment: $1) }
                let list = try PropertyList(Array(file.utf8))
                let result = try list.replacingRoot(with: list.root.setting(key, to: .array(values)))
                let found = try PropertyList(result).root[key]?.array ?? []
                #expect(found == values)
                #expect(found.map(\.comment) == labels, "\(String(decoding: result, as: UTF8.self))")
            }
        }
    }

    /// Files of random shape, on lines and on one line, with comments between all elements.
    @Test func editsKeepLabelsAtTheirValues() {
        var generator = SeededGenerator(seed: 43)
        for _ in 0..<TestEnvironment.rounds(4_000) {
            let isOnOneLine = Bool.random(using: &generator)
            let value = Self.dictionary(depth: 0, isOnOneLine, &generator)
            let text = "<plist version=\"1.0\">\(value)</plist>"
            let violation = PropertyListPromise.violation(in: Array(text.utf8))
            #expect(violation == nil, "\(text)")
        }
    }

    /// A comment that is no label of a value must not become the label of a new one.
    @Test(arguments: [
        "<!-- backup -->", "\n<!-- backup -->\n", "<!-- backup --><!-- a --><string>A</string>", "<?x?><!-- backup -->",
    ])
    func newValuesHaveNoOtherLabels(inner: String) throws {
        let list = try PropertyList(Array("<plist><array>\(inner)</array></plist>".utf8))
        let values = [PropertyListValue.string("C")] + (list.root.array ?? [])
        let result = try list.replacingRoot(
            with: PropertyListValue(.array(values), sourceRanges: list.root.sourceRanges))
        #expect(try PropertyList(result).root.array?.map(\.comment) == values.map(\.comment))
    }

    private static func space(_ isOnOneLine: Bool, _ generator: inout SeededGenerator) -> String {
        let all = [
            "", "", " ", "<!-- a -->", "<!-- b -->", "<!---->", "<?x?>", "\n", "\n\t", "\n  ", "\r\n\t", "<!--\n-->",
        ]
        return (isOnOneLine ? all[..<7] : all[...]).randomElement(using: &generator) ?? ""
    }

    private static func dictionary(
        depth: Int, _ isOnOneLine: Bool, _ generator: inout SeededGenerator
    ) -> String {
        var text = "<dict>"
        for index in 0..<Int.random(in: 0..<4, using: &generator) {
            text += space(isOnOneLine, &generator) + "<key>\(index)</key>" + space(isOnOneLine, &generator)
            text += value(depth: depth, isOnOneLine, &generator)
        }
        return text + space(isOnOneLine, &generator) + "</dict>"
    }

    private static func value(depth: Int, _ isOnOneLine: Bool, _ generator: inout SeededGenerator) -> String {
        switch Int.random(in: 0..<6, using: &generator) {
        case 0: return "<array/>"
        case 1: return "<true/>"
        case 2: return "<string>s</string>"
        case 3 where depth < 3: return dictionary(depth: depth + 1, isOnOneLine, &generator)
        case _ where depth < 3:
            var text = "<array>"
            for _ in 0..<Int.random(in: 0..<5, using: &generator) {
                text += space(isOnOneLine, &generator) + space(isOnOneLine, &generator)
                text += value(depth: depth + 1, isOnOneLine, &generator)
            }
            return text + space(isOnOneLine, &generator) + space(isOnOneLine, &generator) + "</array>"
        default: return "<false/>"
        }
    }
}
