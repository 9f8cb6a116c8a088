extension String {
    /// The text in a form that is safe to print on a terminal.
    ///
    /// Characters that a terminal interprets or does not show (control, format, line separators) are escaped as in Swift, so
    /// that no input can move the cursor, change colours or overwrite the message. All other characters stay unchanged.
    package var escaped: String {
        guard unicodeScalars.contains(where: \.isInvisible) else { return self }
        var text = ""
        for scalar in unicodeScalars {
            switch scalar {
            case "\n": text += "\\n"
            case "\r": text += "\\r"
            case "\t": text += "\\t"
            case _ where scalar.isInvisible: text += "\\u{\(String(scalar.value, radix: 16, uppercase: true))}"
            default: text.unicodeScalars.append(scalar)
            }
        }
        return text
    }

    /// The text in double quotes, ``escaped``.
    package var quoted: String { "\"\(escaped)\"" }

    /// The word as part of a command line; an empty word is shown as `''`.
    var shown: String { isEmpty ? "''" : self }
}

extension Unicode.Scalar {
    fileprivate var isInvisible: Bool {
        if isASCII { return value < 0x20 || value == 0x7F }
        return switch properties.generalCategory {
        case .control, .format, .lineSeparator, .paragraphSeparator: true
        default: false
        }
    }
}
