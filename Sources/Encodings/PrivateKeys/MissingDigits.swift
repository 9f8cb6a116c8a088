/// The digits that a text of a private key lacks, by the length of its structure. They can be further on, if the key is divided over
/// comments, elements of a list, lines with a host each, or labels of a host.
struct MissingDigits {
    private let isBase64: Bool
    private let count: Int

    /// A longer rest is that of no key: one of RSA with 16,384 bits has 12,300 digits of base64.
    private static let maximumCount = 65_536
    /// The characters between two pieces: the marks of a comment, the tags of an element, or a name.
    private static let maximumGap = 256
    /// A shorter piece is a word, unless it completes the key.
    private static let minimumPiece = 12
    /// The difference between the last piece and the missing digits: words or signs between the pieces can be read as digits.
    private static let slack = 16
    private static let minimumEnd = 8
    /// The digits of a pin in base64, before its padding.
    private static let pin = 43

    /// Prefixes of pins that are digits of base64, too.
    private static let prefixes = ["sha256/", "sha1/", "sha384/", "sha512/"]

    /// - Parameters:
    ///   - count: the bytes that were read.
    ///   - length: the bytes of the whole key.
    init?(_ bytes: WrittenBytes, count: Int, of length: Int) {
        guard bytes.form == .base64 || bytes.form == .hexadecimal, count < length else { return nil }
        isBase64 = bytes.form == .base64
        let all = isBase64 ? (8 * length + 5) / 6 : 2 * length
        self.count = all - bytes.digitCount(of: count)
        guard self.count > 0, self.count <= Self.maximumCount else { return nil }
    }

    /// The pieces after an index that have these digits.
    ///
    /// - Parameter budget: the characters that may be read. It is reduced by those that were read.
    func pieces(from start: Int, of text: [UInt8], budget: inout Int) -> [Range<Int>] {
        var (index, end, missing) = (start, start, count)
        var pieces: [Range<Int>] = []
        while missing > 0, index < text.count, index - end <= Self.maximumGap, budget > 0 {
            let piece = run(at: index, of: text)
            guard piece.count > 0 else {
                let next = max(index + 1, piece.range.upperBound)
                budget -= next - index
                index = next
                continue
            }
            budget -= piece.range.count
            if isPiece(piece, of: text, missing: missing) {
                pieces.append(piece.range)
                missing -= min(missing, piece.count)
                end = piece.range.upperBound
            }
            index = piece.range.upperBound
        }
        return pieces
    }

    private func isPiece(_ piece: (range: Range<Int>, count: Int), of text: [UInt8], missing: Int) -> Bool {
        if piece.count == missing { return true }
        let digits = text[piece.range]
        // Pins can be between the pieces.
        if isBase64, piece.count == Self.pin, text[digits.endIndex...].first == UInt8(ascii: "=") { return false }
        if piece.count >= Self.minimumEnd, abs(piece.count - missing) <= Self.slack { return true }
        guard piece.count >= Self.minimumPiece else { return false }
        if !isBase64 { return digits.contains(where: \.isDigit) }
        return PrivateKeyMatch.isRandom(digits) || !Self.isName(digits)
    }

    /// Whether letters without digits can be a name (`NSExceptionAllowsInsecureHTTPLoads`, `MAX_AGE`): one of three letters or fewer is in
    /// upper case, or all are, and upper and lower case, or letters and signs, change at one of three characters or fewer. Hardly one of
    /// 10,000 pieces of 32 random digits is like that.
    private static func isName(_ digits: ArraySlice<UInt8>) -> Bool {
        func kind(_ byte: UInt8) -> UInt8 { WrittenBytes.isLetterOrDigit(byte) ? byte & 0x20 : 1 }
        let changes = zip(digits, digits.dropFirst()).count { kind($0) != kind($1) }
        let capitals = digits.count { (UInt8(ascii: "A")...UInt8(ascii: "Z")).contains($0) }
        let hasOtherCase = digits.contains { (UInt8(ascii: "a")...UInt8(ascii: "z")).contains($0) }
        return 3 * changes <= digits.count && (3 * capitals <= digits.count || !hasOtherCase)
    }

    /// The digits at an index up to the next other character.
    private func run(at start: Int, of text: [UInt8]) -> (range: Range<Int>, count: Int) {
        if isBase64 {
            if let prefix = Self.prefixes.first(where: { text[start...].starts(withIgnoringCase: $0) }) {
                let end = start + prefix.utf8.count
                return (end..<end, 0)
            }
            // The signs of a comment and the second slash of a pin of curl can also be digits of the key, so only the number leaves them out.
            var (end, count) = WrittenBytes.base64Digits(text[start...])
            if ["--", "//"].contains(where: { text[start...].starts(with: $0.utf8) }) {
                count -= 2
            } else if text[start] == UInt8(ascii: "/"), text[..<start].last == UInt8(ascii: "/") {
                count -= 1
            }
            if text[end...].first == UInt8(ascii: ">"), text[start..<end].suffix(2).elementsEqual("--".utf8) {
                (end, count) = (end - 2, count - 2)
            }
            return (start..<end, max(0, count))
        }
        // A word with other letters is no number.
        let word = text[start...].prefix(while: WrittenBytes.isLetterOrDigit)
        return (start..<word.endIndex, word.allSatisfy { Hex.value(of: $0) != nil } ? word.count : 0)
    }
}
