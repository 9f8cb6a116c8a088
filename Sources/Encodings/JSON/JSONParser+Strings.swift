extension JSONParser {
    /// Reads the string whose opening quote is at `offset`.
    mutating func string() throws(JSONError) -> String {
        String(decoding: try stringBytes(), as: UTF8.self)
    }

    /// Reads the string at `offset` as valid UTF-8. Without escapes, the result is a slice of the text.
    mutating func stringBytes() throws(JSONError) -> ArraySlice<UInt8> {
        offset += 1
        let start = offset
        var unescaped: [UInt8] = []
        var copied = start
        while true {
            guard let byte else { throw error(.end(expected: .quote)) }
            switch byte {
            case UInt8(ascii: "\""):
                let rest = bytes[copied..<offset]
                offset += 1
                return copied == start ? rest : (unescaped + rest)[...]
            case UInt8(ascii: "\\"):
                unescaped += bytes[copied..<offset]
                try escape(into: &unescaped)
                copied = offset
            case 0..<0x20:
                throw error(.controlCharacter(Unicode.Scalar(byte)))
            case 0..<0x80:
                offset += 1
            default:
                guard let scalar else { throw error(.invalidUTF8) }
                let width = UTF8.width(scalar)
                offset += width
                lineOrigin += width - 1
            }
        }
    }

    /// Reads an escape or a surrogate pair of two escapes (RFC 8259, section 7).
    private mutating func escape(into output: inout [UInt8]) throws(JSONError) {
        let start = position
        offset += 1
        guard let byte else { throw error(.end(expected: .quote)) }
        switch byte {
        case UInt8(ascii: "\""), UInt8(ascii: "\\"), UInt8(ascii: "/"): output.append(byte)
        case UInt8(ascii: "b"): output.append(0x08)
        case UInt8(ascii: "f"): output.append(0x0c)
        case UInt8(ascii: "n"): output.append(0x0a)
        case UInt8(ascii: "r"): output.append(0x0d)
        case UInt8(ascii: "t"): output.append(0x09)
        case UInt8(ascii: "u"):
            offset += 1
            output += Array(String(try escapedScalar(startingAt: start)).utf8)
            return
        default: throw error(.escape(scalar))
        }
        offset += 1
    }

    /// Reads the digits after `\u`.
    private mutating func escapedScalar(startingAt start: SourcePosition) throws(JSONError) -> Unicode.Scalar {
        let unit = try codeUnit()
        if let scalar = Unicode.Scalar(unit) { return scalar }
        guard UTF16.isLeadSurrogate(unit), bytes[offset...].starts(with: #"\u"#.utf8) else {
            throw JSONError(position: start, reason: .loneSurrogate(unit))
        }
        offset += 2
        let second = try codeUnit()
        guard UTF16.isTrailSurrogate(second) else { throw JSONError(position: start, reason: .loneSurrogate(unit)) }
        return UTF16.decode(UTF16.EncodedScalar([unit, second]))
    }

    private mutating func codeUnit() throws(JSONError) -> UInt16 {
        var unit: UInt16 = 0
        for _ in 0..<4 {
            guard let byte, let value = Hex.value(of: byte) else { throw error(expected: .hexDigit) }
            unit = unit << 4 | UInt16(value)
            offset += 1
        }
        return unit
    }
}
