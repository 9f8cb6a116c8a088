internal import Encodings

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

    /// `true` or `false`.
    package var bool: Bool? {
        switch content {
        case .name("true"): true
        case .name("false"): false
        default: nil
        }
    }

    /// A number without its suffix: `1000`, `1_000L`.
    package var integer: Int64? {
        guard case .name(let digits) = content else { return nil }
        return Int64(digits.filter { $0 != "_" && $0 != "L" })
    }

    /// The last part of the name of a call: `setOf`, `parse` for `Instant.parse`.
    package var calledName: String? {
        guard case .call(let name, _) = content else { return nil }
        return name.split(separator: ".").last.map { String($0) }
    }

    /// The arguments of a call, the members of a list, or the value itself.
    package var elements: [SourceLiteral] {
        switch content {
        case .call(_, let arguments): arguments.map(\.value)
        case .list(let values): values
        default: [self]
        }
    }

    /// The strings in the value and in the calls and lists that it contains.
    package var texts: [SourceLiteral] {
        switch content {
        case .text: [self]
        case .call, .list: elements.flatMap(\.texts)
        case .members, .name, .unknown: []
        }
    }

    /// The value of the first member or argument with a key.
    package subscript(key: String) -> SourceLiteral? {
        switch content {
        case .members(let members), .call(_, let members):
            members.first { $0.key?.keyText?.isSame(as: key) ?? false }?.value
        default: nil
        }
    }
}

/// A call in source code.
package struct SourceCall: Sendable {
    /// The index of the token with the name.
    package let index: Int
    package let arguments: [SourceLiteral.Member]

    /// An argument by its label, or by its position if it has no label.
    package func argument(_ label: String, at position: Int) -> SourceLiteral? {
        if let labelled = arguments.first(where: { $0.key?.keyText?.isSame(as: label) ?? false }) {
            return labelled.value
        }
        guard arguments.indices.contains(position), arguments[position].key == nil else { return nil }
        return arguments[position].value
    }
}
