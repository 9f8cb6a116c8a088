/// The private keys in a text of which so much is in the text that it can be nothing else, for readers that use its parts separately: a part
/// of a key without its start would not be recognized.
package struct PrivateKeyRanges {
    /// In the order of the text; no two overlap.
    private var keys: [(kind: PrivateKeyKind, range: Range<Int>)] = []

    package init(_ text: [UInt8]) {
        self.init(text, PrivateKeySearch(text))
    }

    /// - Parameter search: a search in the same text.
    init(_ text: [UInt8], _ search: PrivateKeySearch) {
        var divided = DividedKeys(text)
        var index = 0
        while let key = search.first(from: index) {
            let range = search.extended(key.range)
            divided.add(at: range.lowerBound)
            keys.append((key.kind, range))
            index = max(range.upperBound, index + 1)
        }
        guard !divided.pieces.isEmpty else { return }
        keys += divided.pieces.map { (.privateKey, $0) }
        keys.sort { $0.range.lowerBound < $1.range.lowerBound }
        var last = 0
        for index in keys.indices.dropFirst() {
            if keys[index].range.lowerBound < keys[last].range.upperBound {
                let end = max(keys[index].range.upperBound, keys[last].range.upperBound)
                keys[last].range = keys[last].range.lowerBound..<end
            } else {
                last += 1
                keys[last] = keys[index]
            }
        }
        keys.removeSubrange((last + 1)...)
    }

    /// The ranges of all keys and of their pieces.
    var ranges: [Range<Int>] { keys.map(\.range) }

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
