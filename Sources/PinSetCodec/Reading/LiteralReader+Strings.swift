internal import Encodings

/// Reads the strings of source code.
extension LiteralReader {
    /// Reads a string on one line, and decodes its escapes.
    ///
    /// - Returns: nil if the text is not known here: it has an interpolation, an unknown escape, or several lines.
    mutating func string() throws(PinSetFormatError) -> String? {
        let start = offset
        let quote = byte ?? UInt8(ascii: "\"")
        offset += 1
        if isSwift, start > 0, bytes[start - 1] == UInt8(ascii: "#") { return try rawString(from: start) }
        if !isJavaScript, byte == UInt8(ascii: "\""), byte(at: 1) == UInt8(ascii: "\"") {
            return try multilineString(from: start)
        }
        var text: [UInt8]? = []
        while let byte, !byte.endsLine || quote == UInt8(ascii: "`") {
            if byte == quote {
                offset += 1
                return text.map { String(decoding: $0, as: UTF8.self) }
            }
            if interpolationEnd(in: quote) != nil {
                text = nil
                try skipInterpolation(in: quote, from: start)
            } else if byte == UInt8(ascii: "\\") {
                if isObjectiveC, let end = lineJoinEnd(at: offset) {
                    offset = end
                    continue
                }
                let escape = StringEscape.decode(in: bytes, at: offset, language: escapes)
                if let escape { text? += escape.text } else { text = nil }
                offset = min(escape?.end ?? offset + 2, bytes.count)
            } else {
                text?.append(byte)
                offset += 1
            }
        }
        if quote == UInt8(ascii: "`") { unclosed = unclosed ?? start }
        throw error(.unclosedString, at: start)
    }

    private var isSwift: Bool { !isJavaScript && !isObjectiveC }

    private var escapes: StringEscape.Language {
        isJavaScript ? .javaScript : isObjectiveC ? .objectiveC : .swift
    }

    /// The bracket that ends the interpolation which begins here, in a string with this quote; nil if none begins.
    private func interpolationEnd(in quote: UInt8) -> UInt8? {
        if isSwift, byte == UInt8(ascii: "\\"), byte(at: 1) == UInt8(ascii: "(") { return UInt8(ascii: ")") }
        if quote == UInt8(ascii: "`"), byte == UInt8(ascii: "$"), byte(at: 1) == UInt8(ascii: "{") {
            return UInt8(ascii: "}")
        }
        return nil
    }

    /// Skips `\(…)` of Swift or `${…}` of JavaScript, which can contain strings with interpolations.
    private mutating func skipInterpolation(in quote: UInt8, from start: Int) throws(PinSetFormatError) {
        var finder = RegularExpressionFinder(unclosed: unclosedInTemplate)
        defer { unclosedInTemplate = finder.unclosed }
        // The quotes and brackets that end the strings and expressions around the current byte.
        var ends: [UInt8] = [quote]
        repeat {
            guard let byte, quote == UInt8(ascii: "`") || !byte.endsLine else {
                throw error(.unclosedString, at: start)
            }
            let end = ends.last ?? quote
            if "\"'`".utf8.contains(end) {
                if byte == end {
                    ends.removeLast()
                    finder.addValue(end: offset + 1)
                } else if let closing = interpolationEnd(in: end) {
                    ends.append(closing)
                    offset += 1
                    finder.addSign(UInt8(ascii: "{"), end: offset + 1)
                } else if byte == UInt8(ascii: "\\") {
                    offset += 1
                }
                offset += 1
            } else if !skipTextOfCode(&finder) {
                if byte == end {
                    ends.removeLast()
                } else if byte == UInt8(ascii: "\"") || isJavaScript && "'`".utf8.contains(byte) {
                    ends.append(byte)
                } else if byte == (end == UInt8(ascii: ")") ? UInt8(ascii: "(") : UInt8(ascii: "{")) {
                    ends.append(end)
                }
                if !byte.isWhiteSpace { finder.addSign(byte, end: offset + 1) }
                offset += 1
            }
        } while ends.count > 1
    }

    /// Skips a word, a comment or a regular expression of JavaScript, in which quotes and brackets have no meaning.
    ///
    /// - Returns: false if none begins here.
    private mutating func skipTextOfCode(_ finder: inout RegularExpressionFinder) -> Bool {
        guard isJavaScript, let byte else { return false }
        let start = offset
        while let byte = self.byte, Self.isNameByte(byte) { offset += 1 }
        if offset > start {
            finder.addWord(bytes[start..<offset], end: offset)
            return true
        }
        guard byte == UInt8(ascii: "/") else { return false }
        if self.byte(at: 1) == UInt8(ascii: "/") || self.byte(at: 1) == UInt8(ascii: "*") {
            do throws(PinSetFormatError) { _ = try skipTrivia() } catch { offset = bytes.count }
            return true
        }
        guard let end = finder.end(in: bytes, at: offset) else { return false }
        offset = end
        finder.addValue(end: end)
        return true
    }

    /// Skips a string between triple quotes, whose text depends on its indentation. Hosts and pins are not written in such strings.
    private mutating func multilineString(from start: Int) throws(PinSetFormatError) -> String? {
        offset += 2
        while offset < bytes.count {
            if bytes[offset...].starts(with: "\"\"\"".utf8) {
                offset += 3
                return nil
            }
            offset += byte == UInt8(ascii: "\\") ? 2 : 1
        }
        offset = bytes.count
        unclosed = unclosed ?? start
        throw error(.unclosedString, at: start)
    }

    /// Skips a string with number signs before it, in which a backslash and a quote have no meaning.
    private mutating func rawString(from start: Int) throws(PinSetFormatError) -> String? {
        let end = RawStringEnd(in: bytes, openingQuote: start)
        while let byte, end.isMultiline || !byte.endsLine {
            if let next = end.index(after: offset, in: bytes) {
                offset = next
                return nil
            }
            offset += 1
        }
        if end.isMultiline { unclosed = unclosed ?? start }
        throw error(.unclosedString, at: start)
    }
}
