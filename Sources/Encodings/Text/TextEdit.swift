/// A replacement of a byte range by a new text.
package struct TextEdit: Sendable {
    package let range: Range<Int>
    package let text: String

    package init(range: Range<Int>, text: String) {
        self.range = range
        self.text = text
    }

    /// Returns `bytes` after all `edits`. Bytes in several ranges are removed once. Insertions at the same offset keep their order.
    package static func applied(_ edits: [TextEdit], to bytes: [UInt8]) -> [UInt8] {
        var output: [UInt8] = []
        output.reserveCapacity(bytes.count + edits.reduce(0) { $0 + $1.text.utf8.count })
        var copied = 0
        let order = edits.indices.sorted {
            (edits[$0].range.lowerBound, $0) < (edits[$1].range.lowerBound, $1)
        }
        for index in order {
            let edit = edits[index]
            let start = min(max(edit.range.lowerBound, copied), bytes.count)
            output += bytes[copied..<start]
            output += edit.text.utf8
            copied = max(start, min(edit.range.upperBound, bytes.count))
        }
        return output + bytes[copied...]
    }
}

/// The line ends and indentation of a text. New text in this layout matches the existing text.
package struct TextLayout: Sendable {
    package let bytes: [UInt8]
    package let lineEnd: String

    package init(_ bytes: [UInt8]) {
        self.bytes = bytes
        lineEnd = bytes.has("\r\n") ? "\r\n" : "\n"
    }

    /// The blanks between the start of the line and `offset`; nil if there are other characters.
    package func indentation(before offset: Int) -> String? {
        var start = offset
        while start > 0, Self.isBlank(bytes[start - 1]) { start -= 1 }
        guard start == 0 || bytes[start - 1] == UInt8(ascii: "\n") else { return nil }
        return String(decoding: bytes[start..<offset], as: UTF8.self)
    }

    /// The line end before the line of `offset`, if there are only blanks before `offset`; otherwise that of the text.
    package func lineEnd(before offset: Int) -> String {
        guard let indentation = indentation(before: offset), case let start = offset - indentation.utf8.count, start > 0
        else { return lineEnd }
        return start > 1 && bytes[start - 2] == UInt8(ascii: "\r") ? "\r\n" : "\n"
    }

    /// The blanks at the start of the line of `offset`. Empty for a very long line, because repeated searches for its start would
    /// take too long.
    package func lineIndentation(of offset: Int) -> String {
        let near = max(0, offset - 4096)
        guard near == 0 || bytes[near..<offset].contains(UInt8(ascii: "\n")) else { return "" }
        let start = bytes[near..<offset].lastIndex(of: UInt8(ascii: "\n")).map { $0 + 1 } ?? 0
        return String(decoding: bytes[start..<offset].prefix(while: Self.isBlank), as: UTF8.self)
    }

    /// The indentation of one level: the indentation of `offset` without the indentation of `outer`. Nil if one of them is not the
    /// first text on its line.
    package func unit(of offset: Int, within outer: Int) -> String? {
        guard let inner = indentation(before: offset), let outer = indentation(before: outer), inner.hasPrefix(outer),
            inner != outer
        else { return nil }
        return String(inner.dropFirst(outer.count))
    }

    /// The whole line of `range` with its line end, if there are only blanks before `range`; otherwise `range`.
    package func lines(of range: Range<Int>) -> Range<Int> {
        guard let indentation = indentation(before: range.lowerBound) else { return range }
        var start = range.lowerBound - indentation.utf8.count
        if start > 0, bytes[start - 1] == UInt8(ascii: "\n") { start -= 1 }
        if start > 0, bytes[start] == UInt8(ascii: "\n"), bytes[start - 1] == UInt8(ascii: "\r") { start -= 1 }
        return start..<range.upperBound
    }

    /// The range to delete so that `range` leaves no blanks and no empty line: its whole line if it has only blanks around it,
    /// otherwise `range` with the blanks on one side.
    package func removal(of range: Range<Int>) -> Range<Int> {
        let end = bytes[range.upperBound...].firstIndex { !Self.isBlank($0) } ?? bytes.count
        let isAtLineEnd = end == bytes.count || bytes[end] == UInt8(ascii: "\n") || bytes[end] == UInt8(ascii: "\r")
        guard isAtLineEnd else { return range.lowerBound..<end }
        if indentation(before: range.lowerBound) != nil { return lines(of: range).lowerBound..<end }
        var start = range.lowerBound
        while start > 0, Self.isBlank(bytes[start - 1]) { start -= 1 }
        return start..<end
    }

    /// Whether a line of a text, but its first and its last one, has no characters other than blanks.
    package static func hasBlankLine(_ text: ArraySlice<UInt8>) -> Bool {
        let lines = text.split(separator: UInt8(ascii: "\n"), omittingEmptySubsequences: false)
        return lines.dropFirst().dropLast().contains { $0.allSatisfy(\.isWhiteSpace) }
    }

    package static func isBlank(_ byte: UInt8) -> Bool { byte == UInt8(ascii: " ") || byte == UInt8(ascii: "\t") }
}
