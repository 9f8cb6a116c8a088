/// Reads the tags of an XML stream as it arrives. It skips text, comments and declarations.
struct XMLTagReader {
    enum Kind: Equatable {
        case open, close
        /// `<name/>`.
        case empty
    }

    struct Tag: Equatable {
        /// The name without its prefix.
        let name: String
        let kind: Kind
        /// The text of the attributes.
        let attributes: String
    }

    private var bytes: [UInt8] = []
    /// The end of the last complete tag, of any kind.
    private var start = 0
    /// Number of bytes that were searched.
    private var scanned = 0
    /// The index of the `<` of an incomplete tag.
    private var open: Int?
    /// The quotation mark that ends the value of an attribute of an incomplete tag.
    private var quote: UInt8?

    mutating func append(_ more: [UInt8]) { bytes += more }

    /// Number of bytes after the last tag that was returned.
    var remainder: Int { bytes.count - start }

    /// The next complete tag; nil if none has arrived.
    ///
    /// - Throws: ``NegotiationFailure/unexpected(_:)`` if the bytes are not XML.
    mutating func next() throws(NegotiationFailure) -> Tag? {
        while scanned < bytes.count {
            let index = scanned
            let byte = bytes[index]
            scanned += 1
            guard let open else {
                if byte == UInt8(ascii: "<") {
                    self.open = index
                } else if start == 0, !Self.isSpace(byte) {
                    throw unexpected(bytes[...])
                }
                continue
            }
            if let quote {
                if byte == quote { self.quote = nil }
            } else if byte == UInt8(ascii: "\"") || byte == UInt8(ascii: "'") {
                // The values of attributes can contain ">".
                quote = byte
            } else if byte == UInt8(ascii: ">") {
                self.open = nil
                start = scanned
                guard open + 1 < index else { throw unexpected(bytes[open...]) }
                if let tag = Self.tag(bytes[(open + 1)..<index]) { return tag }
            }
        }
        return nil
    }

    /// Reads the text between `<` and `>`; nil for a comment, a declaration or a processing instruction.
    private static func tag(_ inside: ArraySlice<UInt8>) -> Tag? {
        if inside.first == UInt8(ascii: "?") || inside.first == UInt8(ascii: "!") { return nil }
        let isClose = inside.first == UInt8(ascii: "/")
        let isEmpty = inside.last == UInt8(ascii: "/")
        let body = isClose ? inside.dropFirst() : isEmpty ? inside.dropLast() : inside
        let qualified = body.prefix { !isSpace($0) }
        let name = qualified.split(separator: UInt8(ascii: ":")).last ?? []
        return Tag(
            name: name.text, kind: isClose ? .close : isEmpty ? .empty : .open,
            attributes: body.dropFirst(qualified.count).text)
    }

    private static func isSpace(_ byte: UInt8) -> Bool { byte == 0x20 || (0x09...0x0D).contains(byte) }

    private func unexpected(_ bytes: ArraySlice<UInt8>) -> NegotiationFailure {
        .unexpected(AnswerExcerpt.bytes(of: bytes))
    }
}
