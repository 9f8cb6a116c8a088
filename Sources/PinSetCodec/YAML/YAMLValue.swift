package import Encodings

/// A value of a YAML document and its position.
package struct YAMLValue: Hashable, Sendable {
    package let content: Content
    /// The position of its first character.
    package let position: SourcePosition

    package init(_ content: Content, at position: SourcePosition) {
        (self.content, self.position) = (content, position)
    }

    package enum Content: Hashable, Sendable {
        /// The text of a scalar without its quotes. The text of a plain scalar can also mean a number, a Boolean value or null.
        case scalar(String, isPlain: Bool)
        case sequence([YAMLValue])
        /// The members in the order of the document. No key occurs twice.
        case mapping([YAMLMember])
        /// A value that uses a part of YAML that the reader does not support. The string names that part.
        case unsupported(String)
    }

    /// The text of a scalar.
    package var text: String? { if case .scalar(let text, _) = content { text } else { nil } }

    /// Whether the value is the plain scalar `true`.
    package var isTrue: Bool { content == .scalar("true", isPlain: true) }

    package var sequence: [YAMLValue]? { if case .sequence(let values) = content { values } else { nil } }

    package var members: [YAMLMember]? { if case .mapping(let members) = content { members } else { nil } }

    /// The value of a key in a mapping.
    package subscript(key: String) -> YAMLValue? { members?.first { $0.key.isSame(as: key) }?.value }

    /// The value with a tag. Only the tags of collections do not change the meaning of a value.
    func tagged(_ tag: ArraySlice<UInt8>?, at position: SourcePosition) -> YAMLValue {
        guard let tag else { return self }
        let isCollection =
            tag.elementsEqual("!!map".utf8) && members != nil || tag.elementsEqual("!!seq".utf8) && sequence != nil
        return isCollection ? self : YAMLValue(.unsupported("a tag"), at: position)
    }

    /// The kind of the value for messages: `a mapping`.
    package var kind: String {
        switch content {
        case .scalar: "a scalar"
        case .sequence: "a sequence"
        case .mapping: "a mapping"
        case .unsupported(let reason): reason
        }
    }
}

/// A key and its value in a mapping.
package struct YAMLMember: Hashable, Sendable {
    package let key: String
    package let position: SourcePosition
    package let value: YAMLValue

    package init(key: String, at position: SourcePosition, value: YAMLValue) {
        (self.key, self.position, self.value) = (key, position, value)
    }
}

/// The reason why a text cannot be read as YAML, with the position.
package struct YAMLError: Error, Hashable, Sendable {
    package let position: SourcePosition
    /// A sentence in lower case without its full stop.
    package let message: String

    package init(position: SourcePosition, message: String) {
        (self.position, self.message) = (position, message)
    }
}
