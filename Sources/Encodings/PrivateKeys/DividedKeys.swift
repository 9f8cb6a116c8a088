/// The pieces of private keys that are divided in a text, but the first one of each.
struct DividedKeys {
    private(set) var pieces: [Range<Int>] = []
    private var isSorted = true
    private let text: [UInt8]
    /// The first piece that was not used.
    private var next = 0
    /// The characters that may be read to find pieces. The limit keeps the work linear if many keys begin in the text.
    private var budget: Int

    init(_ text: [UInt8]) {
        self.text = text
        budget = 4 * text.count + 65_536
    }

    /// Adds the pieces of a key that begins at an index. Returns the first one; nil if none begins there, or if it is not divided.
    @discardableResult
    mutating func add(at index: Int) -> (kind: PrivateKeyKind, range: Range<Int>)? {
        guard let key = DividedKey(at: index, of: text, budget: &budget, isStartEnough: false),
            let first = key.pieces.first
        else { return nil }
        // Another key can begin between the pieces of one.
        if let last = pieces.last, last.lowerBound > first.lowerBound { isSorted = false }
        pieces += key.pieces.dropFirst()
        return (key.kind, first)
    }

    /// The rest of a piece from an index. Indices must be given in order.
    mutating func piece(at index: Int) -> Range<Int>? {
        if !isSorted {
            pieces[next...].sort { $0.lowerBound < $1.lowerBound }
            isSorted = true
        }
        while next < pieces.count, pieces[next].upperBound <= index { next += 1 }
        guard next < pieces.count, pieces[next].lowerBound <= index else { return nil }
        return index..<pieces[next].upperBound
    }
}
