/// A private key in base64 or hexadecimal digits that is divided in a text: over comments, elements of a list, lines with a host each, or labels
/// of a host. Other characters are between its pieces, so that ``WrittenBytes`` does not read beyond the first one.
struct DividedKey {
    let kind: PrivateKeyKind
    /// The pieces in the order of the text; at least two.
    let pieces: [Range<Int>]

    /// The characters between two pieces: the marks of a comment, the tags of an element, or a name.
    private static let maximumGap = 256
    /// A shorter piece is a word, unless it is the last one.
    private static let minimumPiece = 12
    /// Signs and words between the pieces can be read as digits, so that the number of those that are missing is not exact.
    private static let slack = 16
    private static let minimumEnd = 8
    /// The digits in which a key is recognized: more than the first bytes of any key have.
    private static let maximumStart = 512
    /// More digits belong to no key: one of RSA with 16,384 bits has 12,300 digits of base64.
    private static let maximumCount = 65_536
    /// The digits of a key whose start does not tell its length: one of RSA with 4096 bits in PEM, again in base64, has 4400.
    private static let countWithoutLength = 8192
    /// The digits of a pin in base64, before its padding.
    private static let pin = 43
    /// Prefixes of pins that are digits of base64, too.
    private static let prefixes = ["sha256/", "sha1/", "sha384/", "sha512/"]

    /// Reads a key that begins at an index; nil if none begins there, or if it is not divided.
    ///
    /// - Parameters:
    ///   - budget: the characters that may be read. It is reduced by those that were read.
    ///   - isStartEnough: whether to read only the pieces until it is clear that this is a key. Their number is limited.
    init?(at start: Int, of text: [UInt8], budget: inout Int, isStartEnough: Bool) {
        guard budget > 0, let isBase64 = Self.isBase64(at: start, of: text) else { return nil }
        let first = Self.run(at: start, of: text, isBase64)
        budget -= first.range.count + 1
        guard first.count >= Self.minimumPiece else { return nil }
        var reader = Reader(text: text, isBase64: isBase64, firstCount: first.count)
        guard reader.add(first), !reader.isComplete else { return nil }
        var index = first.range.upperBound
        while index < text.count, index - reader.end <= Self.maximumGap, budget > 0 {
            var run = Self.run(at: index, of: text, isBase64)
            // Of as many characters as the first piece has, none is a sign of a comment.
            if run.range.count == first.range.count { (run.count, run.signs) = (run.count + run.signs, 0) }
            let next = max(index + 1, run.range.upperBound)
            budget -= next - index
            index = next
            guard reader.isPiece(run) else { continue }
            guard reader.add(run) else { return nil }
            if reader.isComplete || isStartEnough && reader.kind != nil { break }
        }
        guard let kind = reader.kind, reader.pieces.count > 1 else { return nil }
        (self.kind, pieces) = (kind, reader.pieces)
    }

    /// Whether a text contains a first piece at an index with which a key can begin, so that the next line can tell it.
    static func canBegin(at start: Int, of text: [UInt8]) -> Bool {
        guard let isBase64 = isBase64(at: start, of: text) else { return false }
        let first = run(at: start, of: text, isBase64)
        var reader = Reader(text: text, isBase64: isBase64, firstCount: first.count)
        return first.count >= minimumPiece && reader.add(first)
    }

    /// The digits at an index, up to the next other character: their number, and the number of signs before them that are probably no digits
    /// of the key. An escaped digit has several characters.
    private typealias Run = (range: Range<Int>, count: Int, signs: Int)

    /// Whether a key of base64, or one of hexadecimal digits, can begin at an index, which can be the end of the text; nil for neither of
    /// them.
    private static func isBase64(at index: Int, of text: [UInt8]) -> Bool? {
        guard text.indices.contains(index), PrivateKeyMatch.canBegin(at: index, of: text.span) else { return nil }
        switch text[index] {
        case UInt8(ascii: "M"), UInt8(ascii: "L"), UInt8(ascii: "b"), UInt8(ascii: "U"): return true
        case UInt8(ascii: "2"), UInt8(ascii: "3"), UInt8(ascii: "5"), UInt8(ascii: "6"): return false
        default: return nil
        }
    }

    private static func run(at start: Int, of text: [UInt8], _ isBase64: Bool) -> Run {
        guard isBase64 else {
            // A word with other letters is no number.
            let word = text[start...].prefix(while: WrittenBytes.isLetterOrDigit)
            return (start..<word.endIndex, word.allSatisfy { Hex.value(of: $0) != nil } ? word.count : 0, 0)
        }
        if let prefix = prefixes.first(where: { text[start...].starts(withIgnoringCase: $0) }) {
            let end = start + prefix.utf8.count
            return (end..<end, 0, 0)
        }
        var (end, count) = WrittenBytes.base64Digits(text[start...])
        if text[end...].first == UInt8(ascii: ">"), text[start..<end].suffix(2).elementsEqual("--".utf8) {
            (end, count) = (end - 2, count - 2)
        }
        // The signs of a comment, and the second slash of a pin of curl, can also be digits.
        var signs = 0
        if ["--", "//"].contains(where: { text[start..<end].starts(with: $0.utf8) }) {
            signs = 2
        } else if count > 0, text[start] == UInt8(ascii: "/"), text[..<start].last == UInt8(ascii: "/") {
            signs = 1
        }
        return (start..<end, count - signs, signs)
    }

    /// The pieces of a key and what they contain until now.
    private struct Reader {
        let text: [UInt8]
        let isBase64: Bool
        /// The digits of the first piece: the others often have as many.
        let firstCount: Int
        private(set) var pieces: [Range<Int>] = []
        /// nil until it is clear that this is a key.
        private(set) var kind: PrivateKeyKind?
        /// The digits of all pieces, until it is clear.
        private var digits: [UInt8] = []
        private var count = 0
        /// The digits of the whole key, if its start tells it.
        private var needed: Int?

        init(text: [UInt8], isBase64: Bool, firstCount: Int) {
            (self.text, self.isBase64, self.firstCount) = (text, isBase64, firstCount)
        }

        var end: Int { pieces.last?.upperBound ?? 0 }
        var isComplete: Bool { kind != nil && count >= needed ?? DividedKey.countWithoutLength }

        /// Adds a piece. Returns false if the pieces are not the start of a key.
        mutating func add(_ run: Run) -> Bool {
            pieces.append(run.range)
            count += run.count
            guard kind == nil else { return true }
            digits += text[run.range.dropFirst(run.signs)]
            var bytes = WrittenBytes(digits, from: 0, as: isBase64 ? .base64 : .hexadecimal)
            guard digits.count <= DividedKey.maximumStart,
                let start = PrivateKeyStart.read(&bytes, allowsStart: true), start.isCertain || bytes.isAtEnd
            else { return false }
            guard start.isCertain else { return true }
            kind = start.kind
            // A length can be any number of four bytes.
            needed = start.length.map { isBase64 ? (8 * $0 + 5) / 6 : 2 * $0 }
            return needed ?? 0 <= DividedKey.maximumCount
        }

        func isPiece(_ run: Run) -> Bool {
            let digits = text[run.range]
            let missing = kind == nil ? nil : needed.map { $0 - count }
            // Pins can be between the pieces. With padding of one character, digits are complete if their number is 3 above a multiple of 4.
            if isBase64, run.count == DividedKey.pin, text[digits.endIndex...].first == UInt8(ascii: "=") {
                return run.count == missing && (needed ?? 0) % 4 == 3
            }
            if run.count == missing { return true }
            if let missing, run.count >= DividedKey.minimumEnd, abs(run.count - missing) <= DividedKey.slack {
                return true
            }
            guard run.count >= DividedKey.minimumPiece else { return false }
            if run.count == firstCount { return true }
            if !isBase64 { return digits.contains(where: \.isDigit) }
            return PrivateKeyMatch.isRandom(digits) || !Self.isName(digits)
        }

        /// Whether letters without digits can be a name (`NSExceptionAllowsInsecureHTTPLoads`, `MAX_AGE`): one of three letters or fewer is
        /// in upper case, or all are, and upper and lower case, or letters and signs, change at one of three characters or fewer. Hardly one
        /// of 10,000 pieces of 32 random digits is like that.
        private static func isName(_ digits: ArraySlice<UInt8>) -> Bool {
            func kind(_ byte: UInt8) -> UInt8 { WrittenBytes.isLetterOrDigit(byte) ? byte & 0x20 : 1 }
            let changes = zip(digits, digits.dropFirst()).count { kind($0) != kind($1) }
            let capitals = digits.count { (UInt8(ascii: "A")...UInt8(ascii: "Z")).contains($0) }
            let hasOtherCase = digits.contains { (UInt8(ascii: "a")...UInt8(ascii: "z")).contains($0) }
            return 3 * changes <= digits.count && (3 * capitals <= digits.count || !hasOtherCase)
        }
    }
}
