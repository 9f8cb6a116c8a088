/// A value of a JSON text (RFC 8259) and where it stands.
package struct JSONValue: Hashable, Sendable {
    package var content: Content
    /// Of its first character.
    package var position: SourcePosition

    package init(_ content: Content, at position: SourcePosition) {
        self.content = content
        self.position = position
    }

    package enum Content: Hashable, Sendable {
        case null
        case bool(Bool)
        /// As written: `1`, `-0.5e+3`. What range a number may have is for its reader to say.
        case number(String)
        case string(String)
        case array([JSONValue])
        /// In the order of the text; no key stands twice.
        case object([JSONMember])
    }

    /// What it is, for a message: `a string`, `an object`.
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
    /// Of the quote before the key.
    package var position: SourcePosition
    package var value: JSONValue

    package init(key: String, at position: SourcePosition, value: JSONValue) {
        self.key = key
        self.position = position
        self.value = value
    }
}
