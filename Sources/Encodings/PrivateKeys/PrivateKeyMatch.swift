/// A private key in a text, or what can be its start.
struct PrivateKeyMatch {
    let kind: PrivateKeyKind
    /// The characters to hide but the first four; empty if only a mark was found, for example the first line of PEM.
    let range: Range<Int>
    /// Whether there is so much of the key that the text cannot be something else. A text that names a type of key is enough.
    let isWhole: Bool
    /// Whether the text ends before it is clear that this is a key: the next line of a file can tell it.
    let isOpen: Bool
    /// Whether the rest of the key is elsewhere: base64 or hexadecimal digits end before the key does, or they continue it as no program
    /// prints a key. Another part could be anywhere in the text.
    let isDivided: Bool

    /// The bytes of a key that is whole. The bytes before the secret of any key are fewer than this.
    private static let minimumCount = 16
    /// The digits of a word that is the start of a key. They are at least eight bytes.
    private static let minimumWord = 16
    /// The characters of an offset at the start of a line of a dump.
    private static let minimumOffset = 4
    /// The shortest piece of a key that is not bounded by the length of a structure.
    private static let minimumPiece = 16

    /// Reads a private key in one of the forms of ``WrittenBytes``, which begins at an index; nil if none begins there.
    ///
    /// - Parameter allowsStart: whether the text can end before it is clear that this is a key.
    init?(bytesAt index: Int, of text: [UInt8], allowsStart: Bool = false) {
        let forms = Self.forms(at: index, of: text)
        for form in forms {
            var bytes = Self.bytes(at: index, of: text, form)
            if let start = PrivateKeyStart.read(&bytes, allowsStart: false) {
                self.init(start, bytes, at: index, of: text, form)
                return
            }
        }
        if let form = forms.first, let word = Self.word(at: index, of: text, form) {
            self = word
            return
        }
        guard allowsStart else { return nil }
        for form in forms {
            var bytes = Self.bytes(at: index, of: text, form)
            if let start = PrivateKeyStart.read(&bytes, allowsStart: true), bytes.isAtEnd {
                self.init(start, bytes, at: index, of: text, form)
                return
            }
        }
        return nil
    }

    private static func bytes(at index: Int, of text: [UInt8], _ form: WrittenBytes.Form) -> WrittenBytes {
        let hasOffsets = form != .base64 && form != .characters && followsOffset(index, in: text)
        return WrittenBytes(text, from: index, as: form, hasOffsets: hasOffsets)
    }

    /// Reads the start of a key in a word, after which something else follows; nil if none begins there.
    private static func word(at index: Int, of text: [UInt8], _ form: WrittenBytes.Form) -> PrivateKeyMatch? {
        guard form == .base64 || form == .hexadecimal, isStartOfWord(index, in: text) else { return nil }
        let bytes = WrittenBytes(text, from: index, as: form)
        var word = Word(bytes: bytes)
        // Many words can begin within the digits of one line, so only those of a key are all read.
        guard bytes.piece(atMost: minimumWord).digits == minimumWord,
            let start = PrivateKeyStart.read(&word, allowsStart: true), start.isOnlyOfKeys
        else { return nil }
        return PrivateKeyMatch(
            kind: start.kind, range: index..<bytes.piece.end, isWhole: true, isOpen: false, isDivided: true)
    }

    /// Whether no other letter or digit is directly before an index, but that of an escape or of `0x`.
    private static func isStartOfWord(_ index: Int, in text: [UInt8]) -> Bool {
        guard let last = text[..<index].last, WrittenBytes.isLetterOrDigit(last) else { return true }
        let before = text[..<(index - 1)].last
        return last.lowercased == UInt8(ascii: "x") && before == UInt8(ascii: "0")
            || "nrtx".utf8.contains(last) && before == UInt8(ascii: "\\")
    }

    /// The bytes of digits without a separator.
    private struct Word: IteratorProtocol {
        private(set) var bytes: WrittenBytes
        private let start: Int

        init(bytes: WrittenBytes) { (self.bytes, start) = (bytes, bytes.startOfPiece) }

        mutating func next() -> UInt8? {
            guard bytes.startOfPiece == start, let byte = bytes.next(), bytes.startOfPiece == start else { return nil }
            return byte
        }
    }

    private init(
        _ start: PrivateKeyStart, _ bytes: WrittenBytes, at index: Int, of text: [UInt8], _ form: WrittenBytes.Form
    ) {
        var bytes = bytes
        kind = start.kind
        isOpen = !start.isCertain
        if bytes.hasOffsets || form == .characters {
            // A dump has offsets, and the bytes again as characters. Nothing tells where it ends.
            (range, isDivided) = (index..<text.count, false)
            isWhole = range.count >= 2 * Self.minimumCount
            return
        }
        var count = start.count
        var lastBytes: UInt64 = 0
        var hasEnd = false
        while start.length.map({ count < $0 }) ?? true {
            let end = bytes.end
            guard let byte = bytes.next() else { break }
            if start.length == nil, form == .base64, Self.isAfterPieces(bytes, after: end, in: text) {
                bytes = WrittenBytes(text, from: end, as: form)
                break
            }
            count += 1
            lastBytes = lastBytes << 8 | UInt64(byte)
            if lastBytes == Self.endOfPEM { hasEnd = true }
        }
        // A length can be wrong, and padding can follow. A text that is cut can end within a byte.
        var end = bytes.end
        switch form {
        case .base64:
            end = WrittenBytes.base64Digits(text[end...]).end
            while case let next = LineEnd.skip(text[end...]), text[next...].first == UInt8(ascii: "=") {
                end = next + 1
            }
        case .hexadecimal:
            end = text[end...].prefix { Hex.value(of: $0) != nil }.endIndex
            let isPair = end > index + 3 && Hex.value(of: text[end - 3]) == nil
            if isPair, case let rest = text[bytes.endOfGap...], rest.count == 1,
                rest.allSatisfy({ Hex.value(of: $0) != nil })
            {
                end = text.count
            }
        case .swappedWords, .decimal, .octal, .characters: break
        }
        range = index..<end
        switch form {
        case .base64, .hexadecimal:
            let word = WrittenBytes(text, from: index, as: form).piece(atMost: Self.minimumWord)
            isWhole = count >= Self.minimumCount || start.isCertain && word.digits == Self.minimumWord
            let isComplete =
                if let length = start.length {
                    count == length && Self.isUndivided(range, of: length, form, in: text)
                } else {
                    hasEnd
                }
            isDivided = isWhole && !isComplete
        case .swappedWords, .decimal, .octal, .characters:
            (isWhole, isDivided) = (count >= Self.minimumCount, false)
        }
    }

    /// The last characters before the type of a block in PEM: `-----END`.
    private static let endOfPEM: UInt64 = 0x2D2D_2D2D_2D45_4E44

    /// Whether digits contain all bytes of a key and nothing else: separate bytes, or lines of one length but the last one.
    private static func isUndivided(
        _ range: Range<Int>, of length: Int, _ form: WrittenBytes.Form, in text: [UInt8]
    ) -> Bool {
        var bytes = WrittenBytes(text, from: range.lowerBound, as: form)
        var (start, sum, first, last) = (-1, 0, 0, 0)
        while bytes.end < range.upperBound, bytes.next() != nil {
            guard bytes.startOfPiece != start else { continue }
            start = bytes.startOfPiece
            // A longer line than the first one, or one after a shorter one, comes from something else.
            guard sum == 0 || last == first else { return false }
            last = bytes.piece.digits
            if sum == 0 { first = last }
            guard last <= first else { return false }
            // Some programs print bytes up to 15 with one digit.
            if form == .hexadecimal, first <= 2 { last = first }
            sum += last
        }
        return sum == (form == .base64 ? (8 * length + 5) / 6 : 2 * length)
    }

    /// The end of base64 of any length, and the number of its bytes.
    static func endOfPieces(from start: Int, in text: [UInt8]) -> (end: Int, count: Int) {
        var bytes = WrittenBytes(text, from: start, as: .base64)
        var (end, count) = (start, 0)
        while bytes.next() != nil, !isAfterPieces(bytes, after: end, in: text) {
            (end, count) = (bytes.end, count + 1)
        }
        return (end, count)
    }

    /// Whether the last byte of base64 was read from a word that follows it.
    private static func isAfterPieces(_ bytes: WrittenBytes, after lastEnd: Int, in text: [UInt8]) -> Bool {
        guard bytes.startOfPiece > lastEnd else { return false }
        let piece = text[bytes.startOfPiece...].prefix(minimumPiece).prefix { WrittenBytes.base64Value(of: $0) != nil }
        let isWord = piece.dropFirst().allSatisfy { (UInt8(ascii: "a")...UInt8(ascii: "z")).contains($0) }
        guard piece.count < minimumPiece, isWord, piece.endIndex < text.endIndex else { return false }
        // A text that is cut can end within a piece, and an escape can continue it.
        return text[piece.endIndex] != UInt8(ascii: "=") && WrittenBytes.base64Digit(text[piece.endIndex...]) == nil
    }

    /// Whether the offset of a dump is before an index, on the same line: `00000000: 302e`, `0000 - 30 2e`.
    private static func followsOffset(_ index: Int, in text: [UInt8]) -> Bool {
        let before = text[..<index].suffix(24)
        let gap = before.reversed().prefix {
            $0 == 0x20 || $0 == 0x09 || $0 == UInt8(ascii: ":") || $0 == UInt8(ascii: "-")
        }
        let offset = before.dropLast(gap.count).reversed().prefix { Hex.value(of: $0) != nil }
        return !gap.isEmpty && offset.count >= minimumOffset
    }

    /// The forms in which a key can begin at an index, by its first characters.
    private static func forms(at index: Int, of text: [UInt8]) -> [WrittenBytes.Form] {
        func has(_ start: String) -> Bool {
            text[index...].prefix(start.utf8.count).elementsEqual(start.utf8, by: { $0.lowercased == $1 })
        }
        func follows(_ isExpected: (UInt8) -> Bool) -> Bool { index == 0 || isExpected(text[index - 1]) }
        func isNumber(_ number: String) -> Bool {
            has(number) && follows { !WrittenBytes.isLetterOrDigit($0) && $0 != UInt8(ascii: ".") }
                && text[(index + number.utf8.count)...].first.map { !$0.isDigit } ?? true
                && !WrittenBytes.isFraction(text[(index + number.utf8.count)...])
        }
        var forms: [WrittenBytes.Form] = []
        switch text[index] {
        // The structure of ``PrivateKeyStart``, a line of PEM, the mark of OpenSSH, and that of PuTTY.
        case UInt8(ascii: "M"):
            if text[(index + 1)...].first.map({
                (UInt8(ascii: "A")...UInt8(ascii: "P")).contains($0) || $0.isWhiteSpace
            })
                ?? true
            {
                forms = [.base64]
            }
        case UInt8(ascii: "L"): if has("ls") { forms = [.base64] }
        case UInt8(ascii: "b"): if has("b3") { forms = [.base64] }
        case UInt8(ascii: "U"): if has("uh") { forms = [.base64] }
        case UInt8(ascii: "2"): if has("2d") { forms = [.hexadecimal] }
        case UInt8(ascii: "3"): if has("30") { forms = [.hexadecimal] }
        case UInt8(ascii: "5"): if has("50") { forms = [.hexadecimal] }
        case UInt8(ascii: "6"): if has("6f") { forms = [.hexadecimal] }
        case UInt8(ascii: "4"): if isNumber("48") || isNumber("45") { forms = [.decimal] }
        case UInt8(ascii: "8"): if isNumber("80") { forms = [.decimal] }
        case UInt8(ascii: "1"):
            if isNumber("111") { forms = [.decimal] }
            if isNumber("157") || isNumber("120") { forms = [.octal] }
        case UInt8(ascii: "0"):
            if isNumber("060") || isNumber("055") { forms = [.octal] }
            if isNumber("048") || isNumber("045") || isNumber("080") { forms = [.decimal] }
            forms.append(.characters)
        default: break
        }
        // The first byte is the second one of the word.
        if text[index...].count > 4,
            ["30", "2d", "6f", "50"].contains(where: { text[(index + 2)..<(index + 4)].elementsEqual($0.utf8) }),
            text[index + 4].isWhiteSpace, follows(\.isWhiteSpace), Hex.value(of: text[index]) != nil
        {
            forms.append(.swappedWords)
        }
        return forms
    }
}
