internal import Encodings
internal import PinSetCodec

/// The entries of a zone's master file, as words (RFC 1035, section 5.1).
struct ZoneFile {
    struct Entry {
        /// Number of the entry's first line, from 1.
        let line: Int
        /// Whether the line begins with a blank. In this case the entry has the owner of the previous entry.
        let hasNoOwner: Bool
        var words: [ArraySlice<UInt8>]
        /// The last comment of the entry, without its semicolon.
        var comment: ArraySlice<UInt8>?
    }

    private(set) var entries: [Entry] = []
    /// The private keys in the file. A part of one is never a name, because an error or a warning would quote it.
    private let keys: PrivateKeyRanges

    /// Reads a zone. An entry in parentheses can span several lines. A semicolon begins a comment. A text in double quotes is one
    /// word.
    ///
    /// - Throws: for unmatched parentheses and quotes.
    init(_ bytes: [UInt8]) throws(PinSetFormatError) {
        keys = PrivateKeyRanges(bytes)
        var offset = 0
        var line = 1
        var depth = 0
        var current: Entry?
        var isAtLineStart = true
        while offset < bytes.count {
            let byte = bytes[offset]
            switch byte {
            case UInt8(ascii: "\n"):
                line += 1
                offset += 1
                if depth == 0 {
                    if let entry = current, !entry.words.isEmpty { entries.append(entry) }
                    current = nil
                    isAtLineStart = true
                }
                continue
            case UInt8(ascii: ";"):
                let start = offset + 1
                while offset < bytes.count, bytes[offset] != UInt8(ascii: "\n") { offset += 1 }
                current?.comment = bytes[start..<offset].trimmed
                continue
            case _ where byte.isWhiteSpace: offset += 1
            case UInt8(ascii: "("):
                depth += 1
                offset += 1
            case UInt8(ascii: ")"):
                guard depth > 0 else {
                    throw Self.error(line, .unopenedParenthesis)
                }
                depth -= 1
                offset += 1
            default:
                if current == nil { current = Entry(line: line, hasNoOwner: !isAtLineStart, words: []) }
                let word =
                    byte == UInt8(ascii: "\"") ? try Self.quoted(bytes, at: offset, line) : Self.word(bytes, at: offset)
                current?.words.append(word)
                offset = word.endIndex
                // The closing quote.
                if byte == UInt8(ascii: "\"") { offset += 1 }
            }
            isAtLineStart = false
        }
        guard depth == 0 else { throw Self.error(current?.line ?? line, .unclosedParenthesis) }
        if let entry = current, !entry.words.isEmpty { entries.append(entry) }
    }

    /// The text of a word that is a name.
    ///
    /// - Throws: if it is a part of a private key. A name directly behind a key counts as its last part.
    func name(_ word: ArraySlice<UInt8>, of entry: Entry) throws(PinSetFormatError) -> String {
        if let kind = keys.kind(in: word.indices) { throw Self.error(entry.line, .privateKey(kind)) }
        return String(decoding: word, as: UTF8.self)
    }

    private static func word(_ bytes: [UInt8], at start: Int) -> ArraySlice<UInt8> {
        var end = start
        while end < bytes.count, !bytes[end].isWhiteSpace, !"();\"".utf8.contains(bytes[end]) {
            end +=
                bytes[end] == UInt8(ascii: "\\") && end + 1 < bytes.count && bytes[end + 1] != UInt8(ascii: "\n")
                ? 2 : 1
        }
        return bytes[start..<end]
    }

    private static func quoted(
        _ bytes: [UInt8], at start: Int, _ line: Int
    ) throws(PinSetFormatError) -> ArraySlice<UInt8> {
        var end = start + 1
        while end < bytes.count, bytes[end] != UInt8(ascii: "\"") {
            guard bytes[end] != UInt8(ascii: "\n") else { break }
            end += bytes[end] == UInt8(ascii: "\\") ? 2 : 1
        }
        guard end < bytes.count, bytes[end] == UInt8(ascii: "\"") else {
            throw error(line, .unclosedQuote)
        }
        return bytes[start + 1..<end]
    }

    private static func error(_ line: Int, _ problem: PinSetFormatError.TLSA) -> PinSetFormatError {
        TLSAFormat.error(.tlsa(problem), line: line)
    }
}
