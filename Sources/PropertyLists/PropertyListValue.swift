package import Encodings

/// A value of a property list, with its position in the file.
package struct PropertyListValue: Sendable {
    package var content: Content
    /// The text of the comment on the value. Only XML has comments.
    package var comment: String?
    /// The ranges in the file; nil for a value that was not read from a file.
    package var sourceRanges: SourceRanges?

    package init(_ content: Content, comment: String? = nil, sourceRanges: SourceRanges? = nil) {
        (self.content, self.comment, self.sourceRanges) = (content, comment, sourceRanges)
    }

    package enum Content: Sendable {
        case string(String)
        /// An integer from `Int64.min` to `UInt64.max`.
        case integer(Int128)
        case real(Double)
        /// A real number of 32 bits, which only binary property lists contain.
        case single(Float)
        case bool(Bool)
        /// Seconds since 2001-01-01T00:00:00Z.
        case date(Double)
        case data([UInt8])
        case array([PropertyListValue])
        /// The members in the order of the file, without duplicate keys.
        case dictionary([PropertyListMember])
        /// A reference in a keyed archive, only in binary files.
        case uid(UInt64)
    }

    /// The byte ranges of an element in an XML property list.
    package struct SourceRanges: Sendable {
        package let range: Range<Int>
        /// The range between the tags.
        package let inner: Range<Int>
        /// The end of the attributes in the start tag.
        package let attributesEnd: Int
        /// The range of the comment on the value; nil without a comment.
        package var comment: Range<Int>?

        package init(range: Range<Int>, inner: Range<Int>, attributesEnd: Int) {
            self.range = range
            self.inner = inner
            self.attributesEnd = attributesEnd
        }

        var isEmptyTag: Bool { inner.lowerBound == range.upperBound }
    }
}

/// A key and its value in a dictionary.
package struct PropertyListMember: Sendable {
    package let key: String
    /// The byte range of the element `key`; nil if the member was not read from a file.
    package let range: Range<Int>?
    package var value: PropertyListValue

    package init(key: String, range: Range<Int>? = nil, value: PropertyListValue) {
        (self.key, self.range, self.value) = (key, range, value)
    }
}

extension PropertyListValue {
    package static func string(_ text: String, comment: String? = nil) -> Self { Self(.string(text), comment: comment) }
    package static func bool(_ bool: Bool) -> Self { Self(.bool(bool)) }
    package static func array(_ values: [Self]) -> Self { Self(.array(values)) }

    package static func dictionary(_ members: [(String, Self)], comment: String? = nil) -> Self {
        Self(.dictionary(members.map { PropertyListMember(key: $0.0, value: $0.1) }), comment: comment)
    }

    package var string: String? { if case .string(let text) = content { text } else { nil } }
    package var bool: Bool? { if case .bool(let bool) = content { bool } else { nil } }
    package var array: [Self]? { if case .array(let values) = content { values } else { nil } }
    package var members: [PropertyListMember]? { if case .dictionary(let members) = content { members } else { nil } }

    /// The value of `key` in a dictionary. Compares keys by their Unicode scalars.
    package subscript(key: String) -> Self? {
        members?.first { $0.key.utf8.elementsEqual(key.utf8) }?.value
    }

    /// The dictionary with a new value for `key`. A new key is added at the end; the value nil removes the key. A value that is not
    /// a dictionary is returned unchanged.
    package func setting(_ key: String, to value: Self?) -> Self {
        guard var members else { return self }
        let index = members.firstIndex { $0.key.utf8.elementsEqual(key.utf8) }
        switch (index, value) {
        case (let index?, let value?): members[index].value = value
        case (let index?, nil): members.remove(at: index)
        case (nil, let value?): members.append(PropertyListMember(key: key, value: value))
        case (nil, nil): break
        }
        return Self(.dictionary(members), comment: comment, sourceRanges: sourceRanges)
    }

    /// The value at a path in nested dictionaries.
    package func value(at path: ArraySlice<String>) -> Self? {
        guard let key = path.first else { return self }
        return self[key]?.value(at: path.dropFirst())
    }

    /// A copy with `value` at the path. Missing dictionaries are created.
    package func setting(_ path: ArraySlice<String>, to value: Self) -> Self {
        guard let key = path.first else { return value }
        let inner = self[key] ?? .dictionary([])
        return setting(key, to: inner.setting(path.dropFirst(), to: value))
    }

    /// The position of the value in the text that it was read from; nil for a value that was not read from one.
    package func position(in bytes: [UInt8]) -> SourcePosition? {
        sourceRanges.map { SourcePosition(of: $0.range.lowerBound, in: bytes) }
    }

    /// The type for messages: `a string`, `a dictionary`.
    package var kind: String {
        switch content {
        case .string: "a string"
        case .integer: "an integer"
        case .real, .single: "a real number"
        case .bool(let value): value ? "true" : "false"
        case .date: "a date"
        case .data: "data"
        case .array: "an array"
        case .dictionary: "a dictionary"
        case .uid: "a reference"
        }
    }
}

/// Compares values without their positions and comments.
extension PropertyListValue: Equatable {
    package static func == (left: Self, right: Self) -> Bool {
        switch (left.content, right.content) {
        // Compare bytes: Swift's strings treat two Unicode spellings of "é" as equal, but these are different texts.
        case (.string(let left), .string(let right)): left.utf8.elementsEqual(right.utf8)
        case (.integer(let left), .integer(let right)): left == right
        case (.real(let left), .real(let right)): left == right || left.isNaN && right.isNaN
        case (.single(let left), .single(let right)): left == right || left.isNaN && right.isNaN
        case (.bool(let left), .bool(let right)): left == right
        case (.date(let left), .date(let right)): left == right || left.isNaN && right.isNaN
        case (.data(let left), .data(let right)): left == right
        case (.array(let left), .array(let right)): left == right
        case (.dictionary(let left), .dictionary(let right)): left == right
        case (.uid(let left), .uid(let right)): left == right
        default: false
        }
    }
}

extension PropertyListMember: Equatable {
    package static func == (left: Self, right: Self) -> Bool {
        left.key.utf8.elementsEqual(right.key.utf8) && left.value == right.value
    }
}
