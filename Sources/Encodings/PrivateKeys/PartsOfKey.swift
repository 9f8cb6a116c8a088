/// The words of a text that can be parts of a private key of which only the start is recognized.
struct PartsOfKey {
    /// Whether the start of such a key is before the next index.
    var isAfterStart = false
    private let text: [UInt8]
    /// The end of the last word that was read.
    private var end = 0

    /// A shorter word is no part.
    private static let minimumCount = 12

    init(_ text: [UInt8]) { self.text = text }

    /// The word at an index, if it can be a part of a key. Indices must be given in order.
    mutating func part(at index: Int) -> Range<Int>? {
        guard isAfterStart, index >= end else { return nil }
        let word = WrittenBytes.base64Digits(text[index...])
        end = max(index + 1, word.end)
        let digits = text[index..<word.end]
        guard word.count >= Self.minimumCount, digits.contains(where: \.isDigit) || !Self.isName(digits) else {
            return nil
        }
        return index..<word.end
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
