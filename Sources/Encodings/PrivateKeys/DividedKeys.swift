/// The pieces of private keys that are divided in a text, in the order of the text.
struct DividedKeys {
    private(set) var pieces: [Range<Int>] = []
    private let text: [UInt8]
    /// The first piece that was not used.
    private var next = 0
    /// The characters that may be read to find pieces. The limit keeps the work linear if many keys begin in the text.
    private var budget: Int

    init(_ text: [UInt8]) {
        self.text = text
        budget = 4 * text.count + 65_536
    }

    /// Adds what follows of a key.
    ///
    /// - Parameter end: the index after the characters of the key that were already found.
    mutating func add(_ key: PrivateKeyMatch, upTo end: Int) {
        guard let missing = key.missing else { return }
        pieces += missing.pieces(from: end, of: text, budget: &budget)
    }

    /// The rest of a piece from an index. Indices must be given in order.
    mutating func piece(at index: Int) -> Range<Int>? {
        while next < pieces.count, pieces[next].upperBound <= index { next += 1 }
        guard next < pieces.count, pieces[next].lowerBound <= index else { return nil }
        return index..<pieces[next].upperBound
    }
}
