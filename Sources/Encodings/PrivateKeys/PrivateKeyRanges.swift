/// The private keys in a text of which so much is in the text that it can be nothing else, for readers that use its parts separately: a part
/// of a key without its start would not be recognized.
package struct PrivateKeyRanges {
    /// In the order of the text; no two overlap.
    private var keys: [(kind: PrivateKeyKind, range: Range<Int>)] = []

    package init(_ text: [UInt8]) {
        guard PrivateKeySearch.possibleStart(in: text.span) != nil else { return }
        let search = PrivateKeySearch(text)
        var index = 0
        while let key = search.first(from: index) {
            let range = search.extended(key.range)
            keys.append((key.kind, range))
            index = max(range.upperBound, index + 1)
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
