package import Encodings
package import PropertyLists

extension JSONValue {
    /// The value of a literal in source code.
    ///
    /// - Parameter lines: the lines of the source code.
    package init(literal value: PropertyListValue, in lines: SourceLineIndex) {
        func position(_ offset: Int?) -> SourcePosition {
            SourcePosition(line: offset.map(lines.line(of:)) ?? 1, column: 1)
        }
        let content: Content =
            switch value.content {
            case .string(let text): .string(text)
            case .bool(let bool): .bool(bool)
            case .integer(let number): .number(String(number))
            case .array(let values): .array(values.map { JSONValue(literal: $0, in: lines) })
            case .dictionary(let members):
                .object(
                    members.map { member in
                        JSONMember(
                            key: member.key, at: position(member.range?.lowerBound),
                            value: JSONValue(literal: member.value, in: lines))
                    })
            // Source literals have none of these types.
            case .real, .single, .date, .data, .uid: .null
            }
        self.init(content, at: position(value.sourceRanges?.range.lowerBound))
    }
}
