internal import Encodings

/// Quoted scalars.
extension YAMLFlow {
    /// Reads a quoted scalar.
    ///
    /// - Returns: nil if it does not end on the line on which it begins.
    mutating func quoted() throws(YAMLError) -> String? {
        guard let quote = byte else { return nil }
        let isDouble = quote == UInt8(ascii: "\"")
        offset += 1
        var output: [UInt8] = []
        while let byte, byte != UInt8(ascii: "\n") {
            offset += 1
            if byte == quote {
                guard !isDouble, self.byte == quote else { return String(decoding: output, as: UTF8.self) }
                // In a single-quoted scalar, two single quotes mean one.
                offset += 1
                output.append(quote)
            } else if isDouble, byte == UInt8(ascii: "\\") {
                // A backslash at the end of a line joins two lines.
                if bytes[offset...].starts(with: "\n".utf8) || bytes[offset...].starts(with: "\r\n".utf8) { return nil }
                try escape(into: &output)
            } else {
                output.append(byte)
            }
        }
        return nil
    }

    /// Skips a quoted scalar that can span several lines.
    ///
    /// - Returns: false if it has no closing quote.
    mutating func skipQuoted() -> Bool {
        guard let quote = byte else { return false }
        offset += 1
        while let byte {
            offset += 1
            if byte == quote {
                guard quote == UInt8(ascii: "'"), self.byte == quote else { return true }
                offset += 1
            } else if byte == UInt8(ascii: "\\"), quote == UInt8(ascii: "\"") {
                offset += 1
            } else if byte == UInt8(ascii: "\n") {
                startLine()
            }
        }
        return false
    }

    private mutating func escape(into output: inout [UInt8]) throws(YAMLError) {
        guard let byte else { throw error("the text ends inside an escape") }
        offset += 1
        switch byte {
        case UInt8(ascii: "x"): try scalar(digits: 2, into: &output)
        case UInt8(ascii: "u"): try scalar(digits: 4, into: &output)
        case UInt8(ascii: "U"): try scalar(digits: 8, into: &output)
        default:
            guard let text = Self.escapes[byte] else { throw error("the escape is unknown") }
            output += text.utf8
        }
    }

    /// The escapes of one character (YAML 1.2.2, section 5.7).
    private static let escapes: [UInt8: String] = [
        UInt8(ascii: "\""): "\"", UInt8(ascii: "\\"): "\\", UInt8(ascii: "/"): "/", UInt8(ascii: " "): " ",
        UInt8(ascii: "\t"): "\t", UInt8(ascii: "0"): "\0", UInt8(ascii: "a"): "\u{7}", UInt8(ascii: "b"): "\u{8}",
        UInt8(ascii: "t"): "\t", UInt8(ascii: "n"): "\n", UInt8(ascii: "v"): "\u{b}", UInt8(ascii: "f"): "\u{c}",
        UInt8(ascii: "r"): "\r", UInt8(ascii: "e"): "\u{1b}", UInt8(ascii: "N"): "\u{85}",
        UInt8(ascii: "_"): "\u{a0}", UInt8(ascii: "L"): "\u{2028}", UInt8(ascii: "P"): "\u{2029}",
    ]

    private mutating func scalar(digits: Int, into output: inout [UInt8]) throws(YAMLError) {
        var value: UInt32 = 0
        for _ in 0..<digits {
            guard let digit = byte.flatMap(Hex.value(of:)) else { throw error("expected a hexadecimal digit") }
            value = value << 4 | UInt32(digit)
            offset += 1
        }
        guard let scalar = Unicode.Scalar(value) else {
            throw error("the escape is no character, or half of a surrogate pair")
        }
        output += Array(String(Character(scalar)).utf8)
    }
}
