/// How somebody writes objects and arrays: what stands between their signs, so that what is added looks like what is there.
package struct JSONManner: Hashable {
    /// After the opening bracket.
    package var opening = " "
    /// Between a key and its value.
    package var colon = ": "
    /// Between one member and the next.
    package var comma = ", "
    /// Before the closing bracket.
    package var closing = " "

    package static let compact = JSONManner(opening: "", colon: ":", comma: ",", closing: "")

    /// Whether there is an end of a line in it, so that it fits at one depth only.
    package var hasLines: Bool { (opening + comma + closing).utf8.contains(UInt8(ascii: "\n")) }

    /// `{"a":1}`: no blank anywhere.
    package var isCompact: Bool { colon == ":" && !comma.utf8.contains(UInt8(ascii: " ")) && !hasLines }

    private init(opening: String, colon: String, comma: String, closing: String) {
        (self.opening, self.colon, self.comma, self.closing) = (opening, colon, comma, closing)
    }

    package init() {}

    /// The manner of what stands at a place.
    ///
    /// - Parameter bytes: the text of which the places are.
    package init?(of places: JSONPlaces, in bytes: [UInt8]) {
        guard let first = places.members.first, let last = places.members.last else { return nil }
        func text(_ start: Int, _ end: Int) -> String {
            guard start >= 0, start <= end, end <= bytes.count else { return "" }
            return String(decoding: bytes[start..<end], as: UTF8.self)
        }
        opening = text(places.range.lowerBound + 1, first.start)
        closing = text(last.end, places.range.upperBound - 1)
        colon = last.key.map { text($0.upperBound, last.value.range.lowerBound) } ?? ":"
        if places.members.count > 1 {
            comma = text(places.members[places.members.count - 2].end, last.start)
        } else if opening.utf8.contains(UInt8(ascii: "\n")) {
            comma = "," + opening
        } else {
            // An array of one element says nothing of blanks between two, unless that element does.
            let inner = last.value.members.isEmpty ? nil : JSONManner(of: last.value, in: bytes)
            comma = inner?.isCompact ?? (opening.isEmpty && first.key != nil && colon == ":") ? "," : ", "
        }
    }

    /// An object with these members, values in JSON.
    package func object(_ members: [(key: String, value: String)]) -> String {
        let texts = members.map { JSONText.quoted($0.key) + colon + $0.value }
        return "{" + opening + texts.joined(separator: comma) + closing + "}"
    }
}
