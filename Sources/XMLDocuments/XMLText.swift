internal import Encodings

/// Escapes text for XML.
package enum XMLText {
    /// The text as the contents of an element. `>` is escaped too, as Apple's writer does. Nil if XML does not allow one of the
    /// characters.
    package static func escaped(_ text: String) -> String? {
        text.unicodeScalars.allSatisfy(XMLReader.isCharacter) ? replacing(text) : nil
    }

    /// The text as the contents of an element. Each character that XML does not allow is replaced by U+FFFD.
    package static func replacing(_ text: String) -> String { written(text) { _ in nil } }

    /// The text as an attribute value in double quotes. Line breaks and tabs are escaped, because a reader would convert them to
    /// spaces (XML 1.0, section 3.3.3).
    package static func attribute(_ text: String) -> String {
        written(text) { scalar in
            switch scalar {
            case "\"": "&quot;"
            case "\n": "&#10;"
            case "\t": "&#9;"
            default: nil
            }
        }
    }

    /// - Parameter special: returns the replacement of a character that is special only in this kind of text; otherwise nil.
    private static func written(_ text: String, special: (Unicode.Scalar) -> String?) -> String {
        var output = ""
        let scalars = text.unicodeScalars
        var previous: Unicode.Scalar?
        var isAtLineStart = true
        for (index, scalar) in zip(scalars.indices, scalars) {
            lazy var rest = scalars[index...].dropFirst()
            // A CI service reads the log. It finds commands by marks such as `##[`, and by `::` at the start of a line.
            if let special = special(scalar) {
                output += special
            } else if scalar == "#" && LogCommand.isMark(after: previous, rest)
                || scalar == ":" && isAtLineStart && rest.first == ":"
            {
                output += "&#\(scalar.value);"
            } else {
                append(scalar, to: &output)
            }
            previous = scalar
            isAtLineStart = scalar == "\n" || isAtLineStart && scalar.properties.isWhitespace
        }
        return output
    }

    private static func append(_ scalar: Unicode.Scalar, to output: inout String) {
        switch scalar {
        case "&": output += "&amp;"
        case "<": output += "&lt;"
        case ">": output += "&gt;"
        // A reader would convert a carriage return to a line feed (XML 1.0, section 2.11).
        case "\r": output += "&#13;"
        case "\n", "\t": output.unicodeScalars.append(scalar)
        case _ where !XMLReader.isCharacter(scalar): output += "\u{FFFD}"
        case _ where scalar.isInvisible: output += "&#x\(String(scalar.value, radix: 16, uppercase: true));"
        default: output.unicodeScalars.append(scalar)
        }
    }

    /// The text as a comment on one line. Line breaks, control characters, `--` (XML 1.0, section 2.5), and white space at either
    /// end are removed.
    package static func comment(_ text: String) -> String {
        var output = ""
        var previous: Unicode.Scalar = " "
        for scalar in text.unicodeScalars {
            let isControl = scalar.properties.generalCategory == .control || !XMLReader.isCharacter(scalar)
            let shown = isControl || scalar.properties.isWhitespace ? " " : scalar
            if shown == "-", previous == "-" { output += " " }
            if shown == " ", previous == " " { continue }
            output.unicodeScalars.append(shown)
            previous = shown
        }
        while let shorter = output.without(suffix: " ") { output = String(shorter) }
        return output
    }

    /// A label from the text of a comment, on one line; nil if nothing remains. Private keys are left out before characters change, because
    /// no search would find them after that.
    package static func label(ofComment text: String) -> String? {
        let label = comment(text.withoutWholePrivateKeys)
        return label.isEmpty ? nil : label
    }
}
