/// A value of a JSON text (RFC 8259) and its position.
package struct JSONValue: Hashable, Sendable {
    package var content: Content
    /// The position of the first character.
    package var position: SourcePosition
    /// The byte range of the value in its text; empty for a value that was not read.
    package let range: Range<Int>

    package init(_ content: Content, at position: SourcePosition, range: Range<Int> = 0..<0) {
        (self.content, self.position, self.range) = (content, position, range)
    }

    package enum Content: Hashable, Sendable {
        case null
        case bool(Bool)
        /// A number as written: `1`, `-0.5e+3`. The caller converts it and checks its range.
        case number(String)
        case string(String)
        case array([JSONValue])
        /// The members in the order of the text, without duplicate keys unless the parser allowed them.
        case object([JSONMember])
    }

    /// Whether two values differ at most in their positions in a text. Numbers are compared as written, and the order of the
    /// members of an object counts.
    package func hasSameContent(as other: JSONValue) -> Bool {
        switch (content, other.content) {
        case (.array(let values), .array(let others)):
            values.count == others.count && zip(values, others).allSatisfy { $0.hasSameContent(as: $1) }
        case (.object(let members), .object(let others)):
            members.count == others.count
                && zip(members, others).allSatisfy {
                    $0.key.isSame(as: $1.key) && $0.value.hasSameContent(as: $1.value)
                }
        case (.string(let text), .string(let other)): text.isSame(as: other)
        default: content == other.content
        }
    }

    /// The type for messages: `a string`, `an object`.
    package var kind: String {
        switch content {
        case .null: "null"
        case .bool(let value): value ? "true" : "false"
        case .number: "a number"
        case .string: "a string"
        case .array: "an array"
        case .object: "an object"
        }
    }
}

/// A key and its value in an object.
package struct JSONMember: Hashable, Sendable {
    package var key: String
    /// The position of the quote before the key.
    package var position: SourcePosition
    /// The byte range of the key with its quotes; empty for a member that was not read.
    package let range: Range<Int>
    package var value: JSONValue

    package init(key: String, at position: SourcePosition, range: Range<Int> = 0..<0, value: JSONValue) {
        (self.key, self.position, self.range, self.value) = (key, position, range, value)
    }
}
