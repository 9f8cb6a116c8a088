extension String {
    /// The text as it may be shown to a person.
    ///
    /// Characters that a terminal would obey or hide instead of showing (control, format, line separators) are escaped
    /// as in Swift, so that nothing typed or received can move the cursor, change colours or write over the message.
    /// Nothing else is changed.
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

    /// The word as a part of a line: an empty one would not be seen.
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
