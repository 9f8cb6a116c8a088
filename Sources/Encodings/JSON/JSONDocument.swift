/// A JSON text (RFC 8259), read whole.
///
/// Stricter than the standard asks where leniency would hide a mistake: a key may stand once in an object, and strings are
/// valid Unicode. A byte-order mark at the start is passed over (section 8.1).
package struct JSONDocument: Hashable, Sendable {
    package let root: JSONValue

    /// - Parameters:
    ///   - bytes: UTF-8.
    ///   - maximumDepth: how many arrays and objects may stand inside each other.
    ///   - maximumSize: of the text, in bytes. Values take up to some fifty times as much memory.
    ///   - refusesDuplicateKeys: otherwise an object has every member that the text gives it, for a reader that tells of those that
    ///     stand twice.
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
