/// Text as it is written into XML.
package enum XMLText {
    /// For the content of an element, as Apple's writer does it: `>` is escaped too. Nil for text with a character that XML does
    /// not have.
    package static func escaped(_ text: String) -> String? {
        text.unicodeScalars.allSatisfy(XMLReader.isCharacter) ? replacing(text) : nil
    }

    /// The text with U+FFFD for each character that XML does not have, for text that must be written in any case.
    package static func replacing(_ text: String) -> String { written(text) { _ in nil } }

    /// The text as the value of an attribute in double quotes. A reader would replace line breaks and tabs by spaces (XML 1.0,
    /// section 3.3.3), so they are references.
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

    /// - Parameter special: the text for a character that this use of the text treats differently.
    private static func written(_ text: String, special: (Unicode.Scalar) -> String?) -> String {
        var output = ""
        let scalars = text.unicodeScalars
        var previous: Unicode.Scalar?
        var isAtLineStart = true
        for (index, scalar) in zip(scalars.indices, scalars) {
            lazy var next = scalars[index...].dropFirst().first
            // `##[` in a line, and `::` at its start, begin a command for the runner of a CI service that reads the log.
            if let special = special(scalar) {
                output += special
            } else if scalar == "#" && previous == "#" && next == "[" || scalar == ":" && isAtLineStart && next == ":" {
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
        // A reader would make it a line feed (XML 1.0, section 2.11).
        case "\r": output += "&#13;"
        case "\n", "\t": output.unicodeScalars.append(scalar)
        case _ where !XMLReader.isCharacter(scalar): output += "\u{FFFD}"
        case _ where scalar.isInvisible: output += "&#x\(String(scalar.value, radix: 16, uppercase: true));"
        default: output.unicodeScalars.append(scalar)
        }
    }

    /// As it can stand in a comment on one line: without line breaks, control characters and `--` (XML 1.0, section 2.5), and
    /// without white space at either end.
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
        while output.hasSuffix(" ") { output.removeLast() }
        return output
    }

    /// The label that a comment is: its text on one line.
    package static func label(ofComment text: String) -> String? {
        let label = comment(text)
        return label.isEmpty ? nil : label
    }
}
