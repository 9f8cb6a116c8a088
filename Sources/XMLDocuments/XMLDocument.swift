package import Encodings

/// A parsed XML document (XML 1.0).
///
/// The parser never expands entities that a document declares, and reads no other file. It rejects every entity except the five
/// predefined ones, and every internal DTD subset. A document type may name an external DTD, which is not read.
package struct XMLDocument: Sendable {
    package let bytes: [UInt8]
    package let root: XMLElement
    private let lines: SourceLineIndex

    /// - Parameters:
    ///   - bytes: the text in UTF-8, with or without a byte-order mark.
    ///   - maximumDepth: maximum nesting depth of elements.
    ///   - maximumSize: maximum size of the text in bytes.
    package init(_ bytes: [UInt8], maximumDepth: Int = 128, maximumSize: Int = 16 << 20) throws(XMLError) {
        let start = SourcePosition(line: 1, column: 1)
        guard bytes.count <= maximumSize else { throw XMLError(position: start, reason: .tooLarge(maximumSize)) }
        guard !Self.isUTF16(bytes) else { throw XMLError(position: start, reason: .utf16) }
        var reader = XMLReader(bytes: bytes, maximumDepth: maximumDepth)
        root = try reader.document()
        self.bytes = bytes
        lines = SourceLineIndex(bytes)
    }

    /// Reads the contents of an element without its tags, such as the members of a dictionary, as people copy them from
    /// documentation.
    ///
    /// - Parameter name: the name of the missing element. It becomes the name of ``root``.
    package init(fragment bytes: [UInt8], of name: String) throws(XMLError) {
        var reader = XMLReader(bytes: bytes, maximumDepth: 128)
        root = try reader.fragment(of: name)
        self.bytes = bytes
        lines = SourceLineIndex(bytes)
    }

    package func position(of offset: Int) -> SourcePosition { lines.position(of: offset) }

    /// Fails if a line ends with CR alone (XML 1.0, section 2.11). Which comments belong to an element depends on the lines, and the editors
    /// read only LF and CRLF as their ends.
    package static func checkLineEnds(of bytes: [UInt8]) throws(XMLError) {
        for (index, byte) in bytes.enumerated() where byte == UInt8(ascii: "\r") {
            guard index + 1 < bytes.count, bytes[index + 1] != UInt8(ascii: "\n") else { continue }
            throw XMLError(position: SourcePosition(of: index, in: bytes), reason: .carriageReturn)
        }
    }

    /// Whether the text is UTF-16: it has the byte-order mark, or its first `<` has a zero byte next to it.
    package static func isUTF16(_ bytes: [UInt8]) -> Bool {
        switch (bytes.first, bytes.dropFirst().first) {
        case (0xff, 0xfe), (0xfe, 0xff), (0x3c, 0x00), (0x00, 0x3c): true
        default: false
        }
    }
}
