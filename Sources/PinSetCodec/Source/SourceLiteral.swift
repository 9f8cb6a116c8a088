/// A value in source code. Only literals have a known value.
package struct SourceLiteral: Sendable {
    package enum Content: Sendable {
        /// The bytes of a string.
        case text([UInt8])
        /// A name, a keyword or a number: `true`, `SHA.SHA1`.
        case name(String)
        case list([SourceLiteral])
        case members([Member])
        case call(name: String, [Member])
        /// An expression whose value only a compiler knows.
        case unknown
    }

    /// A member of an object, or an argument of a call. An argument without a label has no key.
    package struct Member: Sendable {
        package let key: SourceLiteral?
        package let value: SourceLiteral
    }

    package let content: Content
    /// The indices of its tokens.
    package let range: Range<Int>
    /// From 1.
    package let line: Int

    package var text: String? {
        guard case .text(let bytes) = content else { return nil }
        return String(validating: bytes, as: UTF8.self)
    }

    package var members: [Member]? { if case .members(let members) = content { members } else { nil } }
    package var list: [SourceLiteral]? { if case .list(let list) = content { list } else { nil } }

    /// The text of a key: `key:`, `"key":`.
    package var keyText: String? {
        if case .name(let name) = content { return name }
        return text
    }

    /// The value of the first member or argument with a key.
    package subscript(key: String) -> SourceLiteral? {
        switch content {
        case .members(let members), .call(_, let members): members.first { $0.key?.keyText == key }?.value
        default: nil
        }
    }
}
