package import Encodings
package import Pinning

extension PinSetFormatError {
    /// An error at an offset of the text.
    package init(format: PinSetFormat, at offset: Int, in bytes: [UInt8], message: String, hint: String? = nil) {
        let place = SourcePosition(of: offset, in: bytes)
        self.init(format: format, line: place.line, column: place.column, message: message, hint: hint)
    }

    package init(format: PinSetFormat, at place: SourcePosition?, message: String, hint: String? = nil) {
        self.init(format: format, line: place?.line, column: place?.column, message: message, hint: hint)
    }

    package init(_ error: PinSetError, format: PinSetFormat, line: Int? = nil, column: Int? = nil) {
        self.init(
            format: format, line: error.line ?? line, column: error.column ?? column, message: error.message,
            hint: error.hint)
    }
}
