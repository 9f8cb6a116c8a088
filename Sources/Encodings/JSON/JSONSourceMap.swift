/// The byte ranges of a JSON value and of its members, in the order of the text.
package struct JSONSourceMap: Sendable {
    /// The byte range of the value.
    package let range: Range<Int>
    /// The members of an object or the elements of an array; empty for other values.
    package let members: [Member]

    package struct Member: Sendable {
        /// The key with its quotes; nil in an array.
        package let key: Range<Int>?
        package let value: JSONSourceMap

        /// The start of the key or, in an array, of the value.
        package var start: Int { key?.lowerBound ?? value.range.lowerBound }
        package var end: Int { value.range.upperBound }
    }

    /// - Parameter value: a value that ``JSONDocument`` has read.
    package init(of value: JSONValue) {
        range = value.range
        members =
            switch value.content {
            case .object(let members):
                members.map { Member(key: $0.range, value: JSONSourceMap(of: $0.value)) }
            case .array(let values): values.map { Member(key: nil, value: JSONSourceMap(of: $0)) }
            case .null, .bool, .number, .string: []
            }
    }
}
