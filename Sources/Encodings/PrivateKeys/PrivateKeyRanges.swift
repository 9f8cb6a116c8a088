/// The private keys in a text of which so much is in the text that it can be nothing else, for readers that use its parts separately: a part
/// of a key without its start would not be recognized.
package struct PrivateKeyRanges {
    /// In the order of the text; no two overlap.
    private var keys: [(kind: PrivateKeyKind, range: Range<Int>)] = []
    /// The index of the first key of which the rest is elsewhere (``PrivateKeyMatch/isDivided``).
    private(set) var firstDivided: Int?

    package init(_ text: [UInt8]) {
        self.init(text, PrivateKeySearch(text))
    }

    /// - Parameter search: a search in the same text.
    init(_ text: [UInt8], _ search: PrivateKeySearch) {
        var index = 0
        while let key = search.first(from: index) {
            let range = search.extended(key.range)
            keys.append((key.kind, range))
            if key.isDivided, firstDivided == nil { firstDivided = range.lowerBound }
            index = max(range.upperBound, index + 1)
        }
    }

    /// The ranges of all keys.
    var ranges: [Range<Int>] { keys.map(\.range) }

    /// The line on which each key begins, from 1.
    func lines(in text: [UInt8]) -> [Int] {
        var (line, index) = (1, 0)
        return ranges.map { range in
            line += text[index..<range.lowerBound].count { $0 == 0x0A }
            index = range.lowerBound
            return line
        }
    }

    /// What of a private key a range of the text contains; nil if it contains nothing.
    package func kind(in range: Range<Int>) -> PrivateKeyKind? {
        // The first key that ends after the start of the range.
        var (low, high) = (0, keys.count)
        while low < high {
            let middle = low + (high - low) / 2
            if keys[middle].range.upperBound > range.lowerBound { high = middle } else { low = middle + 1 }
        }
        guard low < keys.count, keys[low].range.lowerBound < range.upperBound else { return nil }
        return keys[low].kind
    }
}
