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
    private var start = 0

    mutating func append(_ more: [UInt8]) { bytes += more }

    /// Number of bytes after the last tag that was returned.
    var remainder: Int { bytes.count - start }

    /// The next complete tag; nil if none has arrived.
    ///
    /// - Throws: ``NegotiationFailure/unexpected(_:)`` if the bytes are not XML.
    mutating func next() throws(NegotiationFailure) -> Tag? {
        while true {
            let rest = bytes[start...]
            guard let open = rest.firstIndex(of: UInt8(ascii: "<")) else {
                if start == 0, rest.contains(where: { !Self.isSpace($0) }) { throw unexpected(rest) }
                return nil
            }
            if start == 0, rest[..<open].contains(where: { !Self.isSpace($0) }) { throw unexpected(rest) }
            guard let close = Self.end(of: rest[open...]) else { return nil }
            let inside = bytes[(open + 1)..<close]
            start = close + 1
            guard let first = inside.first else { throw unexpected(rest[open...]) }
            if first == UInt8(ascii: "?") || first == UInt8(ascii: "!") { continue }
            let isClose = first == UInt8(ascii: "/")
            let isEmpty = inside.last == UInt8(ascii: "/")
            let body = isClose ? inside.dropFirst() : isEmpty ? inside.dropLast() : inside
            let qualified = body.prefix { !Self.isSpace($0) }
            let name = qualified.split(separator: UInt8(ascii: ":")).last ?? []
            return Tag(
                name: name.text, kind: isClose ? .close : isEmpty ? .empty : .open,
                attributes: body.dropFirst(qualified.count).text)
        }
    }

    /// The index of the `>` that ends a tag; nil if it has not arrived. Values of attributes can contain that character.
    private static func end(of tag: ArraySlice<UInt8>) -> Int? {
        var quote: UInt8?
        for index in tag.indices {
            let byte = tag[index]
            if let open = quote {
                if byte == open { quote = nil }
            } else if byte == UInt8(ascii: "\"") || byte == UInt8(ascii: "'") {
                quote = byte
            } else if byte == UInt8(ascii: ">") {
                return index
            }
        }
        return nil
    }

    private static func isSpace(_ byte: UInt8) -> Bool { byte == 0x20 || (0x09...0x0D).contains(byte) }

    private func unexpected(_ bytes: ArraySlice<UInt8>) -> NegotiationFailure {
        .unexpected(Array(bytes.prefix(NegotiationLimits.maximumExcerptLength)))
    }
}
