extension ArraySlice<UInt8> {
    /// The bytes without white space at either end.
    package var trimmed: ArraySlice<UInt8> {
        var slice = drop { $0.isWhiteSpace }
        while let last = slice.last, last.isWhiteSpace { slice.removeLast() }
        return slice
    }

    /// - Parameter text: the text to find, in lower case.
    package func starts(withIgnoringCase text: String) -> Bool {
        guard count >= text.utf8.count else { return false }
        return zip(self, text.utf8).allSatisfy { $0 == $1 || $0.lowercased == $1 }
    }

    /// The range of the first occurrence of `text`, which is in lower case.
    package func firstRange(ignoringCase text: String) -> Range<Int>? {
        let wanted = Array(text.utf8)
        guard let first = wanted.first, count >= wanted.count else { return nil }
        let isLetter = (UInt8(ascii: "a")...UInt8(ascii: "z")).contains(first)
        let capital = isLetter ? first & 0xDF : first
        let bytes = span
        let last = bytes.count - wanted.count
        var start = 0
        while start <= last {
            if bytes[start] == first || bytes[start] == capital {
                var matched = 1
                while matched < wanted.count, bytes[start &+ matched].lowercased == wanted[matched] { matched &+= 1 }
                if matched == wanted.count { return startIndex + start..<startIndex + start + matched }
            }
            start &+= 1
        }
        return nil
    }
}

extension [UInt8] {
    /// - Parameter text: the text to find, in lower case.
    package func contains(ignoringCase text: String) -> Bool { self[...].firstRange(ignoringCase: text) != nil }

    /// Whether the bytes contain `word`, which is ASCII and not empty.
    package func has(_ word: String) -> Bool {
        let word = Array(word.utf8)
        guard let first = word.first, count >= word.count else { return false }
        let text = span
        let wanted = word.span
        var start = 0
        while start &+ wanted.count <= text.count {
            if text[start] == first {
                var matched = 1
                while matched < wanted.count, text[start &+ matched] == wanted[matched] { matched &+= 1 }
                if matched == wanted.count { return true }
            }
            start &+= 1
        }
        return false
    }
}

extension UInt8 {
    /// The lower case of an ASCII letter; any other byte unchanged.
    package var lowercased: UInt8 { (UInt8(ascii: "A")...UInt8(ascii: "Z")).contains(self) ? self | 0x20 : self }

    /// Whether the byte is ASCII white space.
    package var isWhiteSpace: Bool { self == 0x20 || (0x09...0x0d).contains(self) }

    /// Whether the byte is LF or CR, which end a line also alone.
    package var endsLine: Bool { self == 0x0a || self == 0x0d }

    package var isDigit: Bool { (UInt8(ascii: "0")...UInt8(ascii: "9")).contains(self) }

    /// Whether the byte can be part of an identifier in a programming language, including every byte of a non-ASCII character.
    package var isWord: Bool {
        isDigit || (UInt8(ascii: "a")...UInt8(ascii: "z")).contains(lowercased) || self == UInt8(ascii: "_")
            || self >= 0x80
    }
}
