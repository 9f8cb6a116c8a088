internal import Encodings

/// A recursive-descent parser of the bytes of a document. `XMLReader+Markup.swift` reads the inside of tags.
package struct XMLReader {
    let bytes: [UInt8]
    let maximumDepth: Int
    var offset = 0

    init(bytes: [UInt8], maximumDepth: Int) {
        self.bytes = bytes
        self.maximumDepth = maximumDepth
    }

    mutating func document() throws(XMLError) -> XMLElement {
        if bytes.starts(with: [0xef, 0xbb, 0xbf]) { offset = 3 }
        if has("<?xml"), let next = byte(at: 5), Self.isWhiteSpace(next) { try declaration() }
        var hasDocumentType = false
        while true {
            try skipMiscellany()
            guard has("<!DOCTYPE") else { break }
            guard !hasDocumentType else { throw error(.documentType) }
            hasDocumentType = true
            try documentType()
        }
        guard byte == UInt8(ascii: "<") else { throw try unexpected("the root element") }
        let root = try element(depth: 1)
        try skipMiscellany()
        guard offset == bytes.count else { throw error(.trailing) }
        return root
    }

    /// The contents of an element without its tags, as an element with this name.
    mutating func fragment(of name: String) throws(XMLError) -> XMLElement {
        if bytes.starts(with: [0xef, 0xbb, 0xbf]) { offset = 3 }
        let start = offset
        let content = try content(of: nil, from: start, depth: 1)
        guard offset == bytes.count else { throw error(.trailing) }
        return XMLElement(
            name: name, attributes: [], content: content, range: start..<offset, inner: start..<offset,
            attributesEnd: start, isEmptyTag: false)
    }

    /// The byte at `offset`; nil at the end.
    var byte: UInt8? { offset < bytes.count ? bytes[offset] : nil }

    func byte(at distance: Int) -> UInt8? {
        offset + distance < bytes.count ? bytes[offset + distance] : nil
    }

    func has(_ token: String) -> Bool {
        var index = offset
        for byte in token.utf8 {
            guard index < bytes.count, bytes[index] == byte else { return false }
            index += 1
        }
        return true
    }

    func error(_ reason: XMLError.Reason, at otherOffset: Int? = nil) -> XMLError {
        XMLError(position: SourcePosition(of: otherOffset ?? offset, in: bytes), reason: reason)
    }

    /// The error if `expected` is not at `offset`.
    func unexpected(_ expected: String) throws(XMLError) -> XMLError {
        guard offset < bytes.count else { return error(.end(expected: expected)) }
        return error(.unexpected(try scalar(), expected: expected))
    }

    /// The character at `offset`, which must be an XML character (XML 1.0, section 2.2).
    func scalar() throws(XMLError) -> Unicode.Scalar {
        var decoder = UTF8()
        var rest = bytes[offset...].makeIterator()
        guard case .scalarValue(let scalar) = decoder.decode(&rest) else { throw error(.invalidUTF8) }
        guard Self.isCharacter(scalar) else { throw error(.character(scalar.value)) }
        return scalar
    }

    static func isCharacter(_ scalar: Unicode.Scalar) -> Bool {
        switch scalar.value {
        case 0x09, 0x0a, 0x0d, 0x20...0xd7ff, 0xe000...0xfffd, 0x10000...: true
        default: false
        }
    }

    package static func isWhiteSpace(_ byte: UInt8) -> Bool {
        byte == UInt8(ascii: " ") || byte == UInt8(ascii: "\n") || byte == UInt8(ascii: "\t")
            || byte == UInt8(ascii: "\r")
    }

    mutating func skipWhiteSpace() {
        while let byte, Self.isWhiteSpace(byte) { offset += 1 }
    }

    /// Skips white space, comments and processing instructions outside the root element.
    private mutating func skipMiscellany() throws(XMLError) {
        while true {
            skipWhiteSpace()
            if has("<!--") {
                _ = try comment()
            } else if has("<?") {
                try instruction()
            } else {
                return
            }
        }
    }

    private mutating func element(depth: Int) throws(XMLError) -> XMLElement {
        guard depth <= maximumDepth else { throw error(.tooDeep(maximumDepth)) }
        let start = offset
        let tag = try startTag()
        if tag.isEmpty {
            return XMLElement(
                name: tag.name, attributes: tag.attributes, content: [], range: start..<offset, inner: offset..<offset,
                attributesEnd: tag.attributesEnd, isEmptyTag: true)
        }
        let innerStart = offset
        let content = try content(of: tag.name, from: start, depth: depth)
        let innerEnd = offset
        try endTag(of: tag.name, from: start)
        return XMLElement(
            name: tag.name, attributes: tag.attributes, content: content, range: start..<offset,
            inner: innerStart..<innerEnd, attributesEnd: tag.attributesEnd, isEmptyTag: false)
    }

    /// Reads the contents up to the end tag of `name`, or up to the end of the text if `name` is nil. The text before and the text
    /// after a processing instruction become one text.
    private mutating func content(of name: String?, from start: Int, depth: Int) throws(XMLError) -> [XMLNode] {
        var nodes: [XMLNode] = []
        var text: [UInt8] = []
        func flush() {
            guard !text.isEmpty else { return }
            nodes.append(.text(String(decoding: text, as: UTF8.self)))
            text = []
        }
        while let byte {
            guard byte == UInt8(ascii: "<") else {
                try characters(into: &text)
                continue
            }
            if has("</") {
                flush()
                return nodes
            } else if has("<!--") {
                let begin = offset
                let body = try comment()
                flush()
                nodes.append(.comment(body, range: begin..<offset))
            } else if has("<![CDATA[") {
                try section(into: &text)
            } else if has("<?") {
                try instruction()
            } else {
                flush()
                nodes.append(.element(try element(depth: depth + 1)))
            }
        }
        if let name { throw error(.unclosed(name), at: start) }
        flush()
        return nodes
    }

    private mutating func endTag(of name: String, from start: Int) throws(XMLError) {
        let tagStart = offset
        offset += 2
        let found = try self.name("the name of the end tag")
        guard found.utf8.elementsEqual(name.utf8) else {
            let line = SourcePosition(of: start, in: bytes).line
            throw error(.mismatchedTag(found, open: name, line: line), at: tagStart)
        }
        skipWhiteSpace()
        guard byte == UInt8(ascii: ">") else { throw try unexpected("\">\"") }
        offset += 1
    }
}
