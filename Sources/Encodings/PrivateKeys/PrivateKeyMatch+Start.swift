extension PrivateKeyMatch {
    /// Whether a key or a mark can begin at an index. The check of two or three characters rules out nearly all others, because every text
    /// of a report is searched.
    static func canBegin(at index: Int, of text: Span<UInt8>) -> Bool {
        guard index + 4 < text.count else { return true }
        let (first, next, third) = (text[index], text[index + 1], text[index + 2])
        if text[index + 4].isWhiteSpace, isSwappedWord(at: index, of: text) { return true }
        switch first {
        case UInt8(ascii: "M"): return (UInt8(ascii: "A")...UInt8(ascii: "P")).contains(next) || next.isWhiteSpace
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
                || third == UInt8(ascii: "\\") || third == 0x02 || next.isDigit && isAtWord(index, of: text)
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

    /// Whether four hexadecimal digits are a word of two bytes, of which the second one comes first: the first byte of a key.
    private static func isSwappedWord(at index: Int, of text: Span<UInt8>) -> Bool {
        guard isAtWord(index, of: text) else { return false }
        switch (text[index + 2], text[index + 3]) {
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
