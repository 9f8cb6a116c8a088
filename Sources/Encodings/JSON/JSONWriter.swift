/// Writes JSON (RFC 8259) into a byte buffer, value by value.
///
/// ```swift
/// var writer = JSONWriter(.pretty)
/// writer.object { host in
///     host.field("target", "example.com:443")
///     host.array("chain") { chain in
///         for pin in pins { chain.value(pin.base64) }
///     }
/// }
/// writer.endLine()
/// ```
///
/// Between two calls, the owner can read `output` and empty it, for example to write a long report in parts.
package struct JSONWriter {
    /// The text that was written and that the owner has not yet removed.
    package var output: [UInt8] = []

    private let style: Style
    /// Number of spaces before each line of the pretty style.
    private let indentation: Int
    private var depth = 0
    private var isFirst = true
    private var followsKey = false

    package enum Style: Sendable {
        /// No white space: one value on each line, for `ndjson`.
        case compact
        /// Indented by two spaces for each level.
        case pretty
    }

    /// - Parameter indentation: number of spaces before each line of the pretty style.
    package init(_ style: Style, indentedBy indentation: Int = 0) {
        (self.style, self.indentation) = (style, indentation)
        output = [UInt8](repeating: UInt8(ascii: " "), count: indentation)
    }

    // MARK: Structure

    package mutating func beginObject() { begin(UInt8(ascii: "{")) }
    package mutating func endObject() { end(UInt8(ascii: "}")) }
    package mutating func beginArray() { begin(UInt8(ascii: "[")) }
    package mutating func endArray() { end(UInt8(ascii: "]")) }

    /// Writes the key of the next value.
    package mutating func key(_ key: String) {
        separate()
        appendQuoted(key)
        output.append(UInt8(ascii: ":"))
        if style == .pretty { output.append(UInt8(ascii: " ")) }
        followsKey = true
    }

    /// Ends a line after a complete value; another value may follow.
    package mutating func endLine() {
        assert(depth == 0)
        output.append(UInt8(ascii: "\n"))
        isFirst = true
    }

    /// Appends fields that another compact writer has written, without the braces of their object.
    package mutating func fields(written: [UInt8]) {
        guard !written.isEmpty else { return }
        separate()
        output += written
    }

    // MARK: Values

    package mutating func null() {
        separate()
        output.append(contentsOf: "null".utf8)
    }

    package mutating func value(_ value: String?) {
        guard let value else { return null() }
        separate()
        appendQuoted(value)
    }

    package mutating func value(_ value: Bool?) {
        guard let value else { return null() }
        separate()
        output.append(contentsOf: (value ? "true" : "false").utf8)
    }

    package mutating func value(_ value: Int?) {
        guard let value else { return null() }
        separate()
        output.append(contentsOf: String(value).utf8)
    }

    /// Writes a time in UTC (RFC 3339).
    package mutating func value(secondsSince1970 value: Int64?) {
        guard let value else { return null() }
        quoted { RFC3339.append(value, to: &$0) }
    }

    package mutating func value(base64 value: [UInt8]?) {
        guard let value else { return null() }
        quoted { Base64.append(value, to: &$0) }
    }

    package mutating func value(hex value: [UInt8]?) {
        guard let value else { return null() }
        quoted { Hex.append(value, to: &$0) }
    }

    /// Writes a value that was read. Numbers keep their text, and objects keep their order.
    package mutating func value(_ value: JSONValue) {
        switch value.content {
        case .null: null()
        case .bool(let bool): self.value(bool)
        case .number(let text):
            separate()
            output.append(contentsOf: text.utf8)
        case .string(let string): self.value(string)
        case .array(let values): array { for value in values { $0.value(value) } }
        case .object(let members): object { for member in members { $0.field(member.key, member.value) } }
        }
    }

    // MARK: Helpers

    private mutating func begin(_ bracket: UInt8) {
        separate()
        output.append(bracket)
        depth += 1
        isFirst = true
    }

    private mutating func end(_ bracket: UInt8) {
        assert(depth > 0 && !followsKey)
        depth -= 1
        if !isFirst { breakLine() }
        output.append(bracket)
        isFirst = false
    }

    /// Writes the separator before the next value or key.
    private mutating func separate() {
        if followsKey {
            followsKey = false
            return
        }
        if !isFirst { output.append(UInt8(ascii: ",")) }
        if depth > 0 { breakLine() }
        isFirst = false
    }

    private mutating func breakLine() {
        guard style == .pretty else { return }
        output.append(UInt8(ascii: "\n"))
        output.append(contentsOf: repeatElement(UInt8(ascii: " "), count: indentation + depth * 2))
    }

    /// Writes a string that needs no escapes.
    private mutating func quoted(_ write: (inout [UInt8]) -> Void) {
        separate()
        output.append(UInt8(ascii: "\""))
        write(&output)
        output.append(UInt8(ascii: "\""))
    }

    /// Writes a string without private keys. Copies the whole string first and searches it for keys and escapes afterwards, because few
    /// strings have any.
    private mutating func appendQuoted(_ string: String) {
        output.append(UInt8(ascii: "\""))
        let start = output.count
        output.append(contentsOf: string.utf8)
        if mayHaveKey(from: start) {
            output.removeSubrange(start...)
            output.append(contentsOf: string.withoutWholePrivateKeys.utf8)
        }
        if Self.mayNeedEscapes(output.span.extracting(start...)) {
            let text = Array(output[start...])
            output.removeSubrange(start...)
            appendEscaped(text)
        }
        output.append(UInt8(ascii: "\""))
    }

    /// Whether the output from an index on may have a private key.
    private func mayHaveKey(from start: Int) -> Bool {
        if UnescapedText.mayHaveEscapes(output.span.extracting(start...)) { return true }
        guard let index = PrivateKeySearch.possibleStart(in: output.span.extracting(start...)) else { return false }
        let search = PrivateKeySearch(Array(output[start...]))
        return search.hasMemberStart || search.first(from: index) != nil
    }

    private static func mayNeedEscapes(_ text: Span<UInt8>) -> Bool {
        // The loop has no early exit, so that the compiler can vectorize it.
        var found: UInt8 = 0
        for index in text.indices { found |= mayNeedEscape(text[index]) ? 1 : 0 }
        return found != 0
    }

    private static func mayNeedEscape(_ byte: UInt8) -> Bool {
        byte < 0x20 || byte >= 0x7F || byte == UInt8(ascii: "\"") || byte == UInt8(ascii: "\\")
            || byte == UInt8(ascii: "#")
    }

    /// Escapes the characters that JSON requires (RFC 8259, section 7), each invisible character, and the marks by which a CI service
    /// finds a command (``LogCommand``).
    ///
    /// - Parameter text: UTF-8.
    private mutating func appendEscaped(_ text: [UInt8]) {
        // The position of the first byte that is not written.
        var start = 0
        var index = 0
        while index < text.count {
            guard Self.mayNeedEscape(text[index]) else {
                index += 1
                continue
            }
            let (scalar, length) = Self.scalar(at: index, in: text)
            let next = index + length
            if let scalar, Self.needsEscape(scalar, at: index, in: text) {
                output.append(contentsOf: text[start..<index])
                appendEscape(of: scalar)
                start = next
            }
            index = next
        }
        output.append(contentsOf: text[start...])
    }

    /// The scalar at a position in UTF-8, and the number of its bytes; nil if the bytes are not UTF-8.
    private static func scalar(at index: Int, in text: [UInt8]) -> (Unicode.Scalar?, Int) {
        let first = text[index]
        guard first >= 0x80 else { return (Unicode.Scalar(first), 1) }
        let length = min(first < 0xE0 ? 2 : first < 0xF0 ? 3 : 4, text.count - index)
        var value = UInt32(first) & (0xFF >> (UInt32(length) + 1))
        for byte in text[index + 1..<index + length] { value = value << 6 | UInt32(byte & 0x3F) }
        return (Unicode.Scalar(value), length)
    }

    private static func needsEscape(_ scalar: Unicode.Scalar, at index: Int, in text: [UInt8]) -> Bool {
        switch scalar {
        case "\"", "\\": true
        case "#":
            LogCommand.isMark(
                after: index > 0 ? Unicode.Scalar(text[index - 1]) : nil,
                text[(index + 1)...].lazy.map { Unicode.Scalar($0) })
        default: scalar.isInvisible
        }
    }

    private mutating func appendEscape(of scalar: Unicode.Scalar) {
        switch scalar {
        case "\u{08}": output.append(contentsOf: #"\b"#.utf8)
        case "\t": output.append(contentsOf: #"\t"#.utf8)
        case "\n": output.append(contentsOf: #"\n"#.utf8)
        case "\u{0C}": output.append(contentsOf: #"\f"#.utf8)
        case "\r": output.append(contentsOf: #"\r"#.utf8)
        case "\"": output.append(contentsOf: #"\""#.utf8)
        case "\\": output.append(contentsOf: #"\\"#.utf8)
        default: appendCode(of: scalar)
        }
    }

    /// Writes a character as `\uXXXX`, or as two such escapes if it is outside the basic multilingual plane.
    private mutating func appendCode(of scalar: Unicode.Scalar) {
        for unit in UTF16.encode(scalar) ?? UTF16.encodedReplacementCharacter {
            output.append(contentsOf: #"\u"#.utf8)
            Hex.append([UInt8(unit >> 8), UInt8(truncatingIfNeeded: unit)], to: &output)
        }
    }
}
