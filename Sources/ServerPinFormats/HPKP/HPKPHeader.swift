internal import Encodings
internal import PinSetCodec
internal import Pinning

/// A parsed `Public-Key-Pins` header (RFC 7469, section 2.1).
struct HPKPHeader {
    struct Directive {
        /// The name in lower case. Case has no meaning in names.
        let name: String
        /// The value without quotes.
        let value: String?
        /// Whether the value is a quoted string.
        let isQuoted: Bool
    }

    let isReportOnly: Bool
    /// Whether the line contains the name of the header. A value without the name may be an example in prose.
    let hasName: Bool
    /// The host, from a comment on the line before.
    let host: String?
    /// Line number, from 1.
    let line: Int
    let directives: [Directive]

    /// Returns all headers in a text. The text is an HTTP response, a server's configuration (`add_header Public-Key-Pins '…'` or
    /// `Header set Public-Key-Pins "…\"…\"…"`), or only the value of a header.
    static func all(in bytes: [UInt8]) -> [HPKPHeader] {
        var headers: [HPKPHeader] = []
        var host: String?
        for (line, text) in lines(of: bytes) {
            let text = text.trimmed
            guard !text.isEmpty else { continue }
            if text.first == UInt8(ascii: "#") {
                host = HostText.commented(text) ?? host
                continue
            }
            defer { host = nil }
            guard !isCommented(text), let header = HPKPHeader(text, host: host, line: line) else { continue }
            headers.append(header)
        }
        return headers
    }

    private init?(_ text: ArraySlice<UInt8>, host: String?, line: Int) {
        let name = text.firstRange(ignoringCase: "public-key-pins")
        hasName = name != nil
        var value = name.map { text[$0.upperBound...] } ?? text
        let suffix = "-report-only"
        isReportOnly = name != nil && value.starts(withIgnoringCase: suffix)
        if isReportOnly { value = value.dropFirst(suffix.utf8.count) }
        guard value.firstRange(ignoringCase: "pin-") != nil else { return nil }
        let isInString = value.first == UInt8(ascii: ":")
        value = value.drop { $0.isWhiteSpace || $0 == UInt8(ascii: ":") || $0 == UInt8(ascii: "=") }
        if isInString, let start = name?.lowerBound, start > text.startIndex, Self.isQuote(text[start - 1]) {
            // The string of source code contains the name, too.
            directives = Self.directives(of: Self.unquoted(value, endingWith: text[start - 1]))
        } else {
            if !Self.isValue(value, hasName: hasName) { value = Self.quotedValue(in: value) }
            directives = Self.directives(of: Self.unquoted(value))
        }
        self.host = host
        self.line = line
    }

    /// The lines on which a header is commented out, so that it is not sent.
    static func commented(in bytes: [UInt8]) -> [Int] {
        bytes.split(separator: UInt8(ascii: "\n"), omittingEmptySubsequences: false).enumerated().compactMap {
            index, line in
            isCommented(line.trimmed) ? index + 1 : nil
        }
    }

    /// Whether a comment begins on the line before the name of the header: in a script or configuration, in source code, or in XML.
    private static func isCommented(_ text: ArraySlice<UInt8>) -> Bool {
        guard let name = text.firstRange(ignoringCase: "public-key-pins") else { return false }
        let before = text[..<name.lowerBound]
        // A line inside a longer comment.
        if before.starts(with: "* ".utf8) { return true }
        return [("#", "\n"), ("//", "\n"), ("/*", "*/"), ("<!--", "-->")].contains { start, end in
            guard let range = before.firstRange(ignoringCase: start) else { return false }
            // Neither a part of a URL nor of a word.
            let isWord = range.lowerBound > before.startIndex && !before[range.lowerBound - 1].isWhiteSpace
            return !isWord && before[range.upperBound...].firstRange(ignoringCase: end) == nil
        }
    }

    private static let names = ["pin-sha256", "max-age", "includesubdomains", "report-uri"]

    /// Whether a text is a value: it begins with directives, which may be in quotes.
    private static func isValue(_ text: ArraySlice<UInt8>, hasName: Bool) -> Bool {
        guard let first = text.first else { return false }
        if first == UInt8(ascii: "'") || first == UInt8(ascii: "\"") {
            let inner = text.dropFirst()
            return !hasName || inner.first.map { $0.isWord } ?? false
        }
        return hasName ? first.isWord : names.contains { text.starts(withIgnoringCase: $0) }
    }

    /// The directives inside another text, such as a string in source code. The result begins after the quote before the first
    /// directive.
    private static func quotedValue(in text: ArraySlice<UInt8>) -> ArraySlice<UInt8> {
        let starts = names.compactMap { text.firstRange(ignoringCase: $0)?.lowerBound }
        guard let start = starts.min() else { return text }
        guard start > text.startIndex, isQuote(text[start - 1]) else { return text[start...] }
        return text[(start - 1)...]
    }

    /// Lines with their numbers. A line that begins with a blank continues the header before it (RFC 9112, section 5.2).
    private static func lines(of bytes: [UInt8]) -> [(Int, ArraySlice<UInt8>)] {
        var lines: [(Int, ArraySlice<UInt8>)] = []
        var isInHeader = false
        let all = bytes.split(separator: UInt8(ascii: "\n"), omittingEmptySubsequences: false)
        for (index, line) in all.enumerated() {
            let isFolded = line.first == UInt8(ascii: " ") || line.first == UInt8(ascii: "\t")
            let isHeader = line.firstRange(ignoringCase: "public-key-pins") != nil
            if isFolded, isInHeader, !isHeader, let last = lines.last {
                // The lines are slices of the same text, so joining two of them needs no copy.
                lines[lines.count - 1].1 = bytes[last.1.startIndex..<line.endIndex]
            } else {
                lines.append((index + 1, line))
                isInHeader = isHeader
            }
        }
        return lines
    }

    /// The value without the quotes that a server's configuration has around it.
    private static func unquoted(_ value: ArraySlice<UInt8>) -> [UInt8] {
        guard let quote = value.first, isQuote(quote) else { return Array(value) }
        let output = unquoted(value.dropFirst(), endingWith: quote)
        // An attribute of XML, such as in a configuration of IIS.
        guard output.contains(UInt8(ascii: "&")) else { return output }
        let references = [("&quot;", "\""), ("&#34;", "\""), ("&#x22;", "\""), ("&apos;", "'"), ("&amp;", "&")]
        let text = references.reduce(String(decoding: output, as: UTF8.self)) { $0.replacing(bytes: $1.0, with: $1.1) }
        return Array(text.utf8)
    }

    private static func unquoted(_ value: ArraySlice<UInt8>, endingWith quote: UInt8) -> [UInt8] {
        var output: [UInt8] = []
        var rest = value
        while let byte = rest.popFirst(), byte != quote {
            if byte == UInt8(ascii: "\\"), let escaped = rest.popFirst() {
                output.append(escaped)
            } else {
                output.append(byte)
            }
        }
        return output
    }

    private static func isQuote(_ byte: UInt8) -> Bool { "'\"`".utf8.contains(byte) }

    /// Reads directives separated by semicolons. A value is a token or a quoted string, which can contain semicolons.
    private static func directives(of value: [UInt8]) -> [Directive] {
        var directives: [Directive] = []
        var current: [UInt8] = []
        var isInString = false
        var isEscaped = false
        for byte in value + [UInt8(ascii: ";")] {
            if isInString {
                current.append(byte)
                if isEscaped {
                    isEscaped = false
                } else if byte == UInt8(ascii: "\\") {
                    isEscaped = true
                } else if byte == UInt8(ascii: "\"") {
                    isInString = false
                }
            } else if byte == UInt8(ascii: ";") {
                if let directive = directive(current[...].trimmed) { directives.append(directive) }
                current = []
            } else {
                isInString = byte == UInt8(ascii: "\"")
                current.append(byte)
            }
        }
        // A string without a closing quote extends to the end of the text. Later checks reject it.
        if let directive = directive(current.dropLast().trimmed) { directives.append(directive) }
        return directives
    }

    private static func directive(_ text: ArraySlice<UInt8>) -> Directive? {
        guard !text.isEmpty else { return nil }
        let parts = text.split(separator: UInt8(ascii: "="), maxSplits: 1, omittingEmptySubsequences: false)
        guard let name = parts.first else { return nil }
        var isQuoted = false
        let value = parts.dropFirst().first.map { value in
            var value = value.trimmed
            if value.first == UInt8(ascii: "\""), value.last == UInt8(ascii: "\""), value.count > 1 {
                value = value.dropFirst().dropLast()
                isQuoted = true
            }
            return String(decoding: value, as: UTF8.self)
        }
        return Directive(
            name: String(decoding: name.trimmed, as: UTF8.self).lowercased(), value: value, isQuoted: isQuoted)
    }
}

extension HPKPHeader {
    /// The reason why browsers ignore the header: it has no pin, or an invalid pin (RFC 7469, section 2.1.1); nil if they accept
    /// it.
    var problem: PinSetFormatError.Reason? {
        var hasPin = false
        for directive in directives where directive.name == "pin-sha256" {
            hasPin = true
            do throws(PinSpellingError) {
                _ = try Pin(spelling: directive.value ?? "")
            } catch {
                return .pin(error)
            }
        }
        return hasPin ? nil : .hpkp(.noPins)
    }
}
