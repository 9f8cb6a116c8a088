/// Where an offset is in a text, for people: both numbers count from 1, columns in Unicode scalars.
package struct TextPlace: Hashable, Sendable {
    package let line: Int
    package let column: Int

    /// Counts lines from the start: for errors, of which there is one.
    package init(of offset: Int, in bytes: [UInt8]) {
        var line = 1
        var column = 1
        for byte in bytes.prefix(max(0, offset)) {
            if byte == UInt8(ascii: "\n") {
                line += 1
                column = 1
            } else if byte & 0xc0 != 0x80 {
                column += 1
            }
        }
        (self.line, self.column) = (line, column)
    }
}
