internal import Encodings

extension XMLReader {
    struct StartTag {
        let name: String
        let attributes: [XMLAttribute]
        let attributesEnd: Int
        let isEmpty: Bool
    }

    /// Reads a start tag or an empty-element tag (XML 1.0, section 3.1).
    mutating func startTag() throws(XMLError) -> StartTag {
        offset += 1
        let name = try name("the name of an element")
        var attributes: [XMLAttribute] = []
        var names: Set<ExactText> = []
        var end = offset
        while true {
            let before = offset
            skipWhiteSpace()
            switch byte {
            case UInt8(ascii: ">"):
                offset += 1
                return StartTag(name: name, attributes: attributes, attributesEnd: end, isEmpty: false)
            case UInt8(ascii: "/"):
                guard byte(at: 1) == UInt8(ascii: ">") else {
                    offset += 1
                    throw try unexpected("\">\"")
                }
                offset += 2
                return StartTag(name: name, attributes: attributes, attributesEnd: end, isEmpty: true)
            default:
                guard offset > before else { throw try unexpected("white space, \">\" or \"/>\"") }
                let attribute = try attribute()
                guard names.insert(ExactText(attribute.name)).inserted else {
                    throw error(.duplicateAttribute(attribute.name), at: attribute.range.lowerBound)
                }
                attributes.append(attribute)
                end = offset
            }
        }
    }

    private mutating func attribute() throws(XMLError) -> XMLAttribute {
        let start = offset
        let name = try name("the name of an attribute")
        skipWhiteSpace()
        guard byte == UInt8(ascii: "=") else { throw try unexpected("\"=\" and the attribute's value") }
        offset += 1
        skipWhiteSpace()
        guard let quote = byte, quote == UInt8(ascii: "\"") || quote == UInt8(ascii: "'") else {
            throw try unexpected("a quote before the attribute's value")
        }
        offset += 1
        var value: [UInt8] = []
        while let byte, byte != quote {
            switch byte {
            case UInt8(ascii: "<"): throw try unexpected("an attribute's value without \"<\"")
            case UInt8(ascii: "&"): try reference(into: &value)
            case UInt8(ascii: "\r") where self.byte(at: 1) == UInt8(ascii: "\n"): offset += 1
            case UInt8(ascii: "\n"), UInt8(ascii: "\r"), UInt8(ascii: "\t"):
                value.append(UInt8(ascii: " "))
                offset += 1
            default: try character(into: &value)
            }
        }
        guard offset < bytes.count else { throw error(.end(expected: "the quote after the attribute's value")) }
        offset += 1
        return XMLAttribute(name: name, value: String(decoding: value, as: UTF8.self), range: start..<offset)
    }

    /// Reads a name, which can contain colons (XML 1.0, section 2.3).
    mutating func name(_ expected: String) throws(XMLError) -> String {
        let start = offset
        while let byte {
            if byte < 0x80 {
                guard Self.isNameByte(byte, first: offset == start) else { break }
                offset += 1
            } else {
                let scalar = try scalar()
                guard Self.isNameScalar(scalar.value, first: offset == start) else { break }
                offset += UTF8.width(scalar)
            }
        }
        guard offset > start else { throw try unexpected(expected) }
        return String(decoding: bytes[start..<offset], as: UTF8.self)
    }

    private static func isNameByte(_ byte: UInt8, first: Bool) -> Bool {
        switch byte {
        case UInt8(ascii: "a")...UInt8(ascii: "z"), UInt8(ascii: "A")...UInt8(ascii: "Z"), UInt8(ascii: "_"),
            UInt8(ascii: ":"):
            true
        case UInt8(ascii: "0")...UInt8(ascii: "9"), UInt8(ascii: "-"), UInt8(ascii: "."): !first
        default: false
        }
    }

    private static func isNameScalar(_ value: UInt32, first: Bool) -> Bool {
        switch value {
        case 0xc0...0xd6, 0xd8...0xf6, 0xf8...0x2ff, 0x370...0x37d, 0x37f...0x1fff, 0x200c...0x200d, 0x2070...0x218f,
            0x2c00...0x2fef, 0x3001...0xd7ff, 0xf900...0xfdcf, 0xfdf0...0xfffd, 0x10000...0xeffff:
            true
        case 0xb7, 0x300...0x36f, 0x203f...0x2040: !first
        default: false
        }
    }

    /// Reads text up to the next markup.
    mutating func characters(into text: inout [UInt8]) throws(XMLError) {
        while let byte, byte != UInt8(ascii: "<") {
            switch byte {
            case UInt8(ascii: "&"): try reference(into: &text)
            case UInt8(ascii: "]") where has("]]>"): throw error(.sectionEnd)
            default: try lineEndOrCharacter(into: &text)
            }
        }
    }

    /// Reads `<![CDATA[…]]>` (XML 1.0, section 2.7).
    mutating func section(into text: inout [UInt8]) throws(XMLError) {
        let start = offset
        offset += 9
        while offset < bytes.count {
            if has("]]>") {
                offset += 3
                return
            }
            try lineEndOrCharacter(into: &text)
        }
        throw error(.unclosed("![CDATA["), at: start)
    }

    /// Reads `<!--…-->` and returns the text of the comment (XML 1.0, section 2.5).
    mutating func comment() throws(XMLError) -> String {
        let start = offset
        offset += 4
        var text: [UInt8] = []
        while offset < bytes.count {
            if has("--") {
                guard byte(at: 2) == UInt8(ascii: ">") else { throw error(.commentHyphens) }
                offset += 3
                return String(decoding: text, as: UTF8.self)
            }
            try lineEndOrCharacter(into: &text)
        }
        throw error(.unclosed("!--"), at: start)
    }

    /// Skips `<?target …?>` (XML 1.0, section 2.6).
    mutating func instruction() throws(XMLError) {
        let start = offset
        offset += 2
        let target = try name("the name of a processing instruction")
        guard target.lowercased() != "xml" else { throw error(.instruction, at: start) }
        var ignored: [UInt8] = []
        guard has("?>") || byte.map(Self.isWhiteSpace) ?? false else { throw try unexpected("white space or \"?>\"") }
        while offset < bytes.count {
            if has("?>") {
                offset += 2
                return
            }
            try character(into: &ignored)
        }
        throw error(.unclosed("?\(target)"), at: start)
    }

    /// Reads `<?xml version="1.0" encoding="UTF-8" standalone="no"?>`; the last two are optional (XML 1.0, section 2.8).
    mutating func declaration() throws(XMLError) {
        let start = offset
        offset += 5
        var given: [XMLAttribute] = []
        while true {
            let before = offset
            skipWhiteSpace()
            if has("?>") { break }
            guard offset > before, offset < bytes.count else { throw error(.declaration, at: start) }
            given.append(try attribute())
        }
        offset += 2
        guard let version = given.first, version.name == "version" else { throw error(.declaration, at: start) }
        guard version.value.utf8.count > 2, version.value.hasPrefix("1."),
            version.value.dropFirst(2).utf8.allSatisfy({ (UInt8(ascii: "0")...UInt8(ascii: "9")).contains($0) })
        else { throw error(.version(version.value), at: version.range.lowerBound) }
        var rest = given.dropFirst()
        if let encoding = rest.first, encoding.name == "encoding" {
            rest = rest.dropFirst()
            guard ["utf-8", "utf8", "us-ascii", "ascii"].contains(encoding.value.lowercased()) else {
                throw error(.encoding(encoding.value), at: encoding.range.lowerBound)
            }
            if encoding.value.lowercased().hasSuffix("ascii"), bytes.contains(where: { $0 >= 0x80 }) {
                throw error(.notASCII, at: encoding.range.lowerBound)
            }
        }
        if let standalone = rest.first, standalone.name == "standalone", ["yes", "no"].contains(standalone.value) {
            rest = rest.dropFirst()
        }
        guard rest.isEmpty else { throw error(.declaration, at: start) }
    }

    /// Skips `<!DOCTYPE name>`, with or without the identifier of an external DTD, which is not read (XML 1.0, section 2.8).
    mutating func documentType() throws(XMLError) {
        let start = offset
        offset += 9
        guard let byte, Self.isWhiteSpace(byte) else { throw error(.documentType, at: start) }
        skipWhiteSpace()
        _ = try name("the name of the root element")
        let before = offset
        skipWhiteSpace()
        if offset > before, has("PUBLIC") || has("SYSTEM") {
            let literals = has("PUBLIC") ? 2 : 1
            offset += 6
            for _ in 0..<literals { try literal(of: start) }
            skipWhiteSpace()
        }
        guard self.byte != UInt8(ascii: "[") else { throw error(.internalSubset) }
        guard self.byte == UInt8(ascii: ">") else { throw error(.documentType, at: start) }
        offset += 1
    }

    private mutating func literal(of start: Int) throws(XMLError) {
        guard let byte, Self.isWhiteSpace(byte) else { throw error(.documentType, at: start) }
        skipWhiteSpace()
        guard let quote = self.byte, quote == UInt8(ascii: "\"") || quote == UInt8(ascii: "'") else {
            throw error(.documentType, at: start)
        }
        offset += 1
        var ignored: [UInt8] = []
        while let byte = self.byte, byte != quote { try character(into: &ignored) }
        guard offset < bytes.count else { throw error(.documentType, at: start) }
        offset += 1
    }

    /// Reads a predefined entity such as `&lt;`, or a character reference such as `&#233;` or `&#xe9;` (XML 1.0, sections 4.1 and
    /// 4.6).
    private mutating func reference(into text: inout [UInt8]) throws(XMLError) {
        let start = offset
        offset += 1
        if byte == UInt8(ascii: "#") {
            offset += 1
            text += try numberedCharacter(from: start).utf8
        } else {
            let name = try name("the name of an entity, as in \"&lt;\",")
            switch name {
            case "lt": text.append(UInt8(ascii: "<"))
            case "gt": text.append(UInt8(ascii: ">"))
            case "amp": text.append(UInt8(ascii: "&"))
            case "apos": text.append(UInt8(ascii: "'"))
            case "quot": text.append(UInt8(ascii: "\""))
            default: throw error(.entity(name), at: start)
            }
        }
        guard byte == UInt8(ascii: ";") else { throw try unexpected("\";\" after the reference") }
        offset += 1
    }

    private mutating func numberedCharacter(from start: Int) throws(XMLError) -> String {
        let isHex = byte == UInt8(ascii: "x")
        if isHex { offset += 1 }
        let first = offset
        var value: UInt32 = 0
        while let byte, let digit = Hex.value(of: byte), isHex || digit < 10 {
            // The value is limited to one above the Unicode range, so that further digits cannot cause an overflow.
            value = min(value * (isHex ? 16 : 10) + UInt32(digit), 0x11_0000)
            offset += 1
        }
        guard offset > first else { throw try unexpected("a number") }
        guard let scalar = Unicode.Scalar(value), Self.isCharacter(scalar) else {
            throw error(.character(value), at: start)
        }
        return String(scalar)
    }

    private mutating func lineEndOrCharacter(into text: inout [UInt8]) throws(XMLError) {
        guard byte == UInt8(ascii: "\r") else { return try character(into: &text) }
        offset += byte(at: 1) == UInt8(ascii: "\n") ? 2 : 1
        text.append(UInt8(ascii: "\n"))
    }

    private mutating func character(into text: inout [UInt8]) throws(XMLError) {
        guard let byte else { return }
        if byte >= 0x20, byte < 0x80 {
            text.append(byte)
            offset += 1
            return
        }
        let width = UTF8.width(try scalar())
        text += bytes[offset..<offset + width]
        offset += width
    }
}
