/// Where an offset is in a text, for people: both numbers count from 1, columns in Unicode scalars.
struct TextPlace: Hashable, Sendable {
    let line: Int
    let column: Int

    /// Counts lines from the start: for errors, of which there is one.
    init(of offset: Int, in bytes: [UInt8]) {
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

extension PinSetFormatError {
    /// An error at an offset of the text.
    init(format: PinSetFormat, at offset: Int, in bytes: [UInt8], message: String, hint: String? = nil) {
        let place = TextPlace(of: offset, in: bytes)
        self.init(format: format, line: place.line, column: place.column, message: message, hint: hint)
    }

    init(format: PinSetFormat, at place: JSONPosition?, message: String, hint: String? = nil) {
        self.init(format: format, line: place?.line, column: place?.column, message: message, hint: hint)
    }

    init(_ error: PinSetError, format: PinSetFormat, line: Int? = nil, column: Int? = nil) {
        self.init(
            format: format, line: error.line ?? line, column: error.column ?? column, message: error.message,
            hint: error.hint)
    }
}
