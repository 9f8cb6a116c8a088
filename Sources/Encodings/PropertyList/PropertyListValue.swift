/// A value of a property list, and where it stands in the file that it was read from.
package struct PropertyListValue: Sendable {
    package var content: Content
    /// What a comment says of it; only in XML, which alone has comments.
    package var comment: String?
    /// Nil for a value made in code.
    package var place: Place?

    package init(_ content: Content, comment: String? = nil, place: Place? = nil) {
        (self.content, self.comment, self.place) = (content, comment, place)
    }

    package enum Content: Sendable {
        case string(String)
        /// From the least Int64 to the greatest UInt64.
        case integer(Int128)
        case real(Double)
        case bool(Bool)
        /// Seconds since 2001-01-01T00:00:00Z.
        case date(Double)
        case data([UInt8])
        case array([PropertyListValue])
        /// In the order of the file; no key stands twice.
        case dictionary([PropertyListMember])
        /// A reference in a keyed archive; only in binary files.
        case uid(UInt64)
    }

    /// Where an element of an XML property list stands, in bytes.
    package struct Place: Sendable {
        package let range: Range<Int>
        /// Without the tags.
        package let inner: Range<Int>

        package init(range: Range<Int>, inner: Range<Int>) {
            self.range = range
            self.inner = inner
        }
    }
}

/// A key and its value in a dictionary.
package struct PropertyListMember: Sendable {
    package let key: String
    /// Of the element `key`; nil as for values.
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

    /// What stands under `key` in a dictionary. Keys are the same when their scalars are.
    package subscript(key: String) -> Self? {
        members?.first { $0.key.utf8.elementsEqual(key.utf8) }?.value
    }

    /// The same with `value` under `key`, behind the others if the key is new, or without it for nil; nothing but a dictionary
    /// changes.
    package func setting(_ key: String, to value: Self?) -> Self {
        guard var members else { return self }
        let index = members.firstIndex { $0.key.utf8.elementsEqual(key.utf8) }
        switch (index, value) {
        case (let index?, let value?): members[index].value = value
        case (let index?, nil): members.remove(at: index)
        case (nil, let value?): members.append(PropertyListMember(key: key, value: value))
        case (nil, nil): break
        }
        return Self(.dictionary(members), comment: comment, place: place)
    }

    /// What it is, for a message: `a string`, `a dictionary`.
    package var kind: String {
        switch content {
        case .string: "a string"
        case .integer: "an integer"
        case .real: "a real number"
        case .bool(let value): value ? "true" : "false"
        case .date: "a date"
        case .data: "data"
        case .array: "an array"
        case .dictionary: "a dictionary"
        case .uid: "a reference"
        }
    }
}

/// Values are the same when they say the same, whatever their places and comments.
extension PropertyListValue: Equatable {
    package static func == (left: Self, right: Self) -> Bool {
        switch (left.content, right.content) {
        // By bytes: two spellings of "é" that Swift's strings hold to be equal are two texts.
        case (.string(let left), .string(let right)): left.utf8.elementsEqual(right.utf8)
        case (.integer(let left), .integer(let right)): left == right
        case (.real(let left), .real(let right)): left == right || left.isNaN && right.isNaN
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
