/// A change of a text: what goes, and what comes in its place.
package struct TextEdit: Sendable {
    package let range: Range<Int>
    package let text: String

    package init(range: Range<Int>, text: String) {
        self.range = range
        self.text = text
    }

    /// `bytes` with all of `edits`, of which no two touch the same bytes. Those at one place are put in in their order.
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

/// How the lines of a text begin and end, so that what is put in looks like what is there.
package struct TextLayout: Sendable {
    package let bytes: [UInt8]
    package let lineEnd: String

    package init(_ bytes: [UInt8]) {
        self.bytes = bytes
        lineEnd = bytes.has("\r\n") ? "\r\n" : "\n"
    }

    /// The blanks between the start of the line and `offset`; nil if there is anything else.
    package func indentation(before offset: Int) -> String? {
        var start = offset
        while start > 0, Self.isBlank(bytes[start - 1]) { start -= 1 }
        guard start == 0 || bytes[start - 1] == UInt8(ascii: "\n") else { return nil }
        return String(decoding: bytes[start..<offset], as: UTF8.self)
    }

    /// The blanks at the beginning of the line in which `offset` is. A line so long that nobody wrote it counts as not indented:
    /// to look for its beginning again and again would take too long.
    package func lineIndentation(of offset: Int) -> String {
        let near = max(0, offset - 4096)
        guard near == 0 || bytes[near..<offset].contains(UInt8(ascii: "\n")) else { return "" }
        let start = bytes[near..<offset].lastIndex(of: UInt8(ascii: "\n")).map { $0 + 1 } ?? 0
        return String(decoding: bytes[start..<offset].prefix(while: Self.isBlank), as: UTF8.self)
    }

    /// What stands before `offset` in its line and not before `outer` in its own: what one level is indented by. Nil where
    /// one of both does not begin its line.
    package func unit(of offset: Int, within outer: Int) -> String? {
        guard let inner = indentation(before: offset), let outer = indentation(before: outer), inner.hasPrefix(outer),
            inner != outer
        else { return nil }
        return String(inner.dropFirst(outer.count))
    }

    /// `range` with the line end and the blanks before it, where there is nothing else in its line before it.
    package func lines(of range: Range<Int>) -> Range<Int> {
        guard let indentation = indentation(before: range.lowerBound) else { return range }
        var start = range.lowerBound - indentation.utf8.count
        if start > 0, bytes[start - 1] == UInt8(ascii: "\n") { start -= 1 }
        if start > 0, bytes[start] == UInt8(ascii: "\n"), bytes[start - 1] == UInt8(ascii: "\r") { start -= 1 }
        return start..<range.upperBound
    }

    private static func isBlank(_ byte: UInt8) -> Bool { byte == UInt8(ascii: " ") || byte == UInt8(ascii: "\t") }
}
