/// A value of a JSON text (RFC 8259) and its position.
package struct JSONValue: Hashable, Sendable {
    package var content: Content
    /// The position of the first character.
    package var position: SourcePosition

    package init(_ content: Content, at position: SourcePosition) {
        self.content = content
        self.position = position
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
    package var value: JSONValue

    package init(key: String, at position: SourcePosition, value: JSONValue) {
        self.key = key
        self.position = position
        self.value = value
    }
}
