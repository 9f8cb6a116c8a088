/// A parsed JSON text (RFC 8259).
///
/// The parser is stricter than the standard, so that it does not hide mistakes: an object has each key at most once, and strings
/// are valid Unicode. The parser skips a byte-order mark at the start (section 8.1).
package struct JSONDocument: Hashable, Sendable {
    package let root: JSONValue

    /// - Parameters:
    ///   - bytes: the text in UTF-8.
    ///   - maximumDepth: maximum nesting depth of arrays and objects.
    ///   - maximumSize: maximum size of the text in bytes. The values need up to about 50 times as much memory.
    ///   - refusesDuplicateKeys: whether a duplicate key is an error. If not, an object contains every member of the text, and
    ///     the caller can report the duplicate keys.
    package init(
        _ bytes: [UInt8], maximumDepth: Int = 64, maximumSize: Int = 32 << 20, refusesDuplicateKeys: Bool = true
    ) throws(JSONError) {
        let start = SourcePosition(line: 1, column: 1)
        guard bytes.count <= maximumSize else { throw JSONError(position: start, reason: .tooLarge(maximumSize)) }
        guard !bytes.starts(with: [0xff, 0xfe]), !bytes.starts(with: [0xfe, 0xff]) else {
            throw JSONError(position: start, reason: .utf16)
        }
        var parser = JSONParser(
            bytes: bytes, maximumDepth: maximumDepth, refusesDuplicateKeys: refusesDuplicateKeys
        )
        root = try parser.document()
    }
}
