extension PrivateKeyMatch {
    /// Whether a key or a mark can begin at an index. The check of two or three characters rules out nearly all others, because every text
    /// of a report is searched.
    static func canBegin(at index: Int, of text: Span<UInt8>) -> Bool {
        guard index + 4 < text.count else { return true }
        let characters = (text[index], text[index + 1], text[index + 2], text[index + 3], text[index + 4])
        return canBegin(with: characters, at: index, of: text)
    }

    /// The first index, from `start`, at which a key or a mark can begin; or the fourth index from the end of the text.
    static func nextStart(from start: Int, of text: Span<UInt8>) -> Int {
        guard start + 4 < text.count else { return start }
        var index = start
        // Each character is read once.
        var (first, next, third, fourth) = (text[index], text[index + 1], text[index + 2], text[index + 3])
        while index + 4 < text.count {
            let fifth = text[index + 4]
            if canBegin(with: (first, next, third, fourth, fifth), at: index, of: text) { return index }
            (first, next, third, fourth) = (next, third, fourth, fifth)
            index += 1
        }
        return index
    }

    private static func canBegin(
        with characters: (UInt8, UInt8, UInt8, UInt8, UInt8), at index: Int, of text: Span<UInt8>
    ) -> Bool {
        let (first, next, third, fourth, fifth) = characters
        if fifth.isWhiteSpace, isSwappedWord(third, fourth), isAtWord(index, of: text) { return true }
        switch first {
        case UInt8(ascii: "M"):
            return (UInt8(ascii: "A")...UInt8(ascii: "P")).contains(next) && isStructure(next, third, fourth)
                || next.isWhiteSpace
        case UInt8(ascii: "L"): return next == UInt8(ascii: "S")
        case UInt8(ascii: "b"): return next == UInt8(ascii: "3")
        case UInt8(ascii: "U"):
            return next == UInt8(ascii: "H") || next == UInt8(ascii: "F") || LineEnd.canBegin(with: next)
        case UInt8(ascii: "B"): return next == UInt8(ascii: "S") || LineEnd.canBegin(with: next)
        case UInt8(ascii: "Q"): return next == UInt8(ascii: "U") || LineEnd.canBegin(with: next)
        case UInt8(ascii: "2"): return next | 0x20 == UInt8(ascii: "d")
        case UInt8(ascii: "3"), UInt8(ascii: "5"), UInt8(ascii: "8"): return next == UInt8(ascii: "0")
        case UInt8(ascii: "6"): return next | 0x20 == UInt8(ascii: "f")
        case UInt8(ascii: "4"): return next == UInt8(ascii: "8") || next == UInt8(ascii: "5")
        case UInt8(ascii: "1"):
            return next == UInt8(ascii: "1") || next == UInt8(ascii: "2") || next == UInt8(ascii: "5")
        case UInt8(ascii: "0"):
            return next == UInt8(ascii: "5") || next == UInt8(ascii: "6") || next == UInt8(ascii: "\\") || next >= 0x80
                || third == UInt8(ascii: "\\") || third == 0x02
                || next.isDigit && (index == 0 || !WrittenBytes.isLetterOrDigit(text[index - 1]))
        case UInt8(ascii: "P"), UInt8(ascii: "p"):
            return next | 0x20 == UInt8(ascii: "r") && third | 0x20 == UInt8(ascii: "i")
                || next | 0x20 == UInt8(ascii: "u") && third | 0x20 == UInt8(ascii: "t")
        case UInt8(ascii: "R"), UInt8(ascii: "r"):
            return next | 0x20 == UInt8(ascii: "i") && third | 0x20 == UInt8(ascii: "v")
        case UInt8(ascii: "A"), UInt8(ascii: "a"):
            return next | 0x20 == UInt8(ascii: "g") && third | 0x20 == UInt8(ascii: "e")
        case UInt8(ascii: "D"), UInt8(ascii: "d"): return next == UInt8(ascii: "=") || next | 0x20 == UInt8(ascii: "k")
        case UInt8(ascii: "C"), UInt8(ascii: "c"):
            return next | 0x20 == UInt8(ascii: "o") && third | 0x20 == UInt8(ascii: "e")
        case UInt8(ascii: "E"), UInt8(ascii: "e"):
            return next | 0x20 == UInt8(ascii: "x") && third | 0x20 == UInt8(ascii: "p")
        case UInt8(ascii: "S"), UInt8(ascii: "s"):
            return next | 0x20 == UInt8(ascii: "e") && third | 0x20 == UInt8(ascii: "e")
        default: return false
        }
    }

    /// Whether the digits of base64 after the first one of a structure are the start of its length and of a key, as ``PrivateKeyStart``
    /// reads them. True if a separator or an escape is between them.
    private static func isStructure(_ second: UInt8, _ third: UInt8, _ fourth: UInt8) -> Bool {
        guard let high = WrittenBytes.base64Value(of: second), let middle = WrittenBytes.base64Value(of: third),
            let low = WrittenBytes.base64Value(of: fourth)
        else { return true }
        switch high << 4 | middle >> 2 {
        case 0x20...0x80: return middle << 6 | low == 0x02 || middle << 6 | low == 0x30
        case 0x81...0x84: return true
        default: return false
        }
    }

    /// Whether the last two digits of a word of two bytes, of which the second one comes first, are the first byte of a key.
    private static func isSwappedWord(_ third: UInt8, _ fourth: UInt8) -> Bool {
        switch (third, fourth) {
        case (UInt8(ascii: "3"), UInt8(ascii: "0")), (UInt8(ascii: "2"), UInt8(ascii: "d")),
            (UInt8(ascii: "6"), UInt8(ascii: "f")), (UInt8(ascii: "5"), UInt8(ascii: "0")):
            return true
        default: return false
        }
    }

    private static func isAtWord(_ index: Int, of text: Span<UInt8>) -> Bool {
        index == 0 || text[index - 1].isWhiteSpace || text[index - 1] == UInt8(ascii: "\\")
    }
}
