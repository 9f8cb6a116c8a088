/// An XML document (XML 1.0), read whole.
///
/// What could make a small file large or reach outside it is not there: entities beside the five of the standard are refused,
/// declared or not, and a document type may name a DTD, which nobody reads, but hold none.
package struct XMLDocument: Sendable {
    package let bytes: [UInt8]
    package let root: XMLElement

    /// - Parameters:
    ///   - bytes: UTF-8, with a byte-order mark or without.
    ///   - maximumDepth: how many elements may stand inside each other.
    ///   - maximumSize: of the text, in bytes.
    package init(_ bytes: [UInt8], maximumDepth: Int = 128, maximumSize: Int = 16 << 20) throws(XMLError) {
        let start = SourcePosition(line: 1, column: 1)
        guard bytes.count <= maximumSize else { throw XMLError(position: start, reason: .tooLarge(maximumSize)) }
        guard !Self.isUTF16(bytes) else { throw XMLError(position: start, reason: .utf16) }
        var reader = XMLReader(bytes: bytes, maximumDepth: maximumDepth)
        root = try reader.document()
        self.bytes = bytes
    }

    package func position(of offset: Int) -> SourcePosition { SourcePosition(of: offset, in: bytes) }

    /// By its byte-order mark, or by a first `<` with a zero beside it.
    package static func isUTF16(_ bytes: [UInt8]) -> Bool {
        switch (bytes.first, bytes.dropFirst().first) {
        case (0xff, 0xfe), (0xfe, 0xff), (0x3c, 0x00), (0x00, 0x3c): true
        default: false
        }
    }
}
