/// A line and a column in a text. Both count from 1; columns count Unicode scalars.
package struct SourcePosition: Hashable, Sendable {
    package var line: Int
    package var column: Int

    package init(line: Int, column: Int) {
        self.line = line
        self.column = column
    }

    /// Counts the lines from the start of the text, so the time is proportional to the offset. For many offsets, use
    /// ``SourceLineIndex``.
    ///
    /// A byte-order mark does not count as a column.
    package init(of offset: Int, in bytes: [UInt8]) {
        var line = 1
        var column = 1
        for byte in bytes.prefix(max(0, offset)) {
            if byte == UInt8(ascii: "\n") {
                (line, column) = (line + 1, 1)
            } else if byte & 0xc0 != 0x80 {
                column += 1
            }
        }
        if line == 1, column > 1, bytes.starts(with: [0xef, 0xbb, 0xbf]) { column -= 1 }
        self.init(line: line, column: column)
    }
}
