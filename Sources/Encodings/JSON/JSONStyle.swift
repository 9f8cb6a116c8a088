/// The white space and separators of a JSON object or array. New text in this style matches the existing text.
package struct JSONStyle: Hashable {
    /// The text after the opening bracket.
    package var opening = " "
    /// The text between a key and its value.
    package var colon = ": "
    /// The text between two members.
    package var comma = ", "
    /// The text before the closing bracket.
    package var closing = " "

    package static let compact = JSONStyle(opening: "", colon: ":", comma: ",", closing: "")

    /// Whether the style contains line breaks. Such a style is correct only for one nesting depth, because it includes the
    /// indentation.
    package var hasLines: Bool { (opening + comma + closing).utf8.contains(UInt8(ascii: "\n")) }

    /// Whether the style has no white space, as in `{"a":1}`.
    package var isCompact: Bool { colon == ":" && !comma.utf8.contains(UInt8(ascii: " ")) && !hasLines }

    private init(opening: String, colon: String, comma: String, closing: String) {
        (self.opening, self.colon, self.comma, self.closing) = (opening, colon, comma, closing)
    }

    package init() {}

    /// The style of an object or array.
    ///
    /// - Parameter bytes: the text to which the ranges belong.
    package init?(of sourceMap: JSONSourceMap, in bytes: [UInt8]) {
        guard let first = sourceMap.members.first, let last = sourceMap.members.last else { return nil }
        func text(_ start: Int, _ end: Int) -> String {
            guard start >= 0, start <= end, end <= bytes.count else { return "" }
            return String(decoding: bytes[start..<end], as: UTF8.self)
        }
        opening = text(sourceMap.range.lowerBound + 1, first.start)
        closing = text(last.end, sourceMap.range.upperBound - 1)
        colon = last.key.map { text($0.upperBound, last.value.range.lowerBound) } ?? ":"
        if sourceMap.members.count > 1 {
            comma = text(sourceMap.members[sourceMap.members.count - 2].end, last.start)
        } else if opening.utf8.contains(UInt8(ascii: "\n")) {
            comma = "," + opening
        } else {
            // An array of one element has no separator. So only its element shows the style.
            let inner = last.value.members.isEmpty ? nil : JSONStyle(of: last.value, in: bytes)
            comma = inner?.isCompact ?? (opening.isEmpty && first.key != nil && colon == ":") ? "," : ", "
        }
    }

    /// An object with these members. The values are JSON.
    package func object(_ members: [(key: String, value: String)]) -> String {
        let texts = members.map { JSONText.quoted($0.key) + colon + $0.value }
        return "{" + opening + texts.joined(separator: comma) + closing + "}"
    }
}
