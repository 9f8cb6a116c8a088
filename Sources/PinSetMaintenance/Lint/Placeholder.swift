internal import Encodings

/// Recognizes pins that are placeholders. The probability that a real hash matches one of these rules is below one in a billion.
enum Placeholder {
    /// Number of bytes of a spelling that are examined. Many hosts can share one long text, so the work would otherwise be a product.
    private static let maximumLength = 1024

    /// The reason why the spelling of a pin is a placeholder; nil if it can be a hash.
    static func reason(_ spelling: String) -> String? {
        let text = Array(spelling.utf8.prefix(maximumLength))
        let lowered = text.map { (0x41...0x5A).contains($0) ? $0 | 0x20 : $0 }
        for word in words where contains(lowered, word) {
            return "it contains \(String(decoding: word, as: UTF8.self).quotedExcerpt)"
        }
        var bare = lowered[...]
        for prefix in ["pin-", "sha256", "//", "/", ":"] where bare.starts(with: prefix.utf8) {
            bare = bare.dropFirst(prefix.utf8.count)
        }
        let core = text.dropFirst(text.count - bare.count).prefix { $0 != UInt8(ascii: "=") }
        guard core.count >= 8 else { return nil }
        return pattern(of: Array(core), maximumDistinct: 12)
    }

    /// The reason why the 32 bytes of a pin are a placeholder; nil if they can be a hash.
    static func reason(_ bytes: [UInt8]) -> String? {
        if bytes.allSatisfy({ (0x20...0x7E).contains($0) }) {
            return "its 32 bytes are the text \(String(decoding: bytes, as: UTF8.self).quotedExcerpt)"
        }
        return pattern(of: bytes, maximumDistinct: 8)
    }

    private static let words = [
        "placeholder", "replace", "example", "backup", "changeme", "your_", "xxxxxx", "dummy_", "insert",
    ]
    .map { Array($0.utf8) }

    /// - Parameter maximumDistinct: maximum number of different characters in a placeholder. A hash has more.
    private static func pattern(of text: [UInt8], maximumDistinct: Int) -> String? {
        let different = Set(text).count
        if different == 1 { return "it repeats 1 character" }
        if let period = (2...16).first(where: { repeats(text, every: $0) }) {
            return "it repeats a sequence of \(period) characters"
        }
        if steps(text) * 4 >= (text.count - 1) * 3 { return "its characters are in sequence" }
        if text.count >= 40, different <= maximumDistinct { return "it has only \(different) different characters" }
        return nil
    }

    private static func repeats(_ text: [UInt8], every period: Int) -> Bool {
        // The last character of base64 has fewer bits and can differ.
        let text = text.dropLast()
        return text.count >= 2 * period && zip(text, text.dropFirst(period)).allSatisfy { $0 == $1 }
    }

    /// Number of characters that are the successor or predecessor of the character before them.
    private static func steps(_ text: [UInt8]) -> Int {
        zip(text, text.dropFirst()).count { $1 == $0 &+ 1 || $0 == $1 &+ 1 }
    }

    private static func contains(_ text: [UInt8], _ word: [UInt8]) -> Bool {
        guard text.count >= word.count else { return false }
        return (0...text.count - word.count).contains { start in
            text[start] == word[0] && text[start..<start + word.count].elementsEqual(word)
        }
    }
}
