/// Text as it is written into XML.
package enum XMLText {
    /// For the content of an element, as Apple's writer does it: `>` is escaped too. Nil for text with a character that XML does
    /// not have.
    package static func escaped(_ text: String) -> String? {
        text.unicodeScalars.allSatisfy(XMLReader.isCharacter) ? replacing(text) : nil
    }

    /// The same with U+FFFD for each character that XML does not have, for text that must be written come what may.
    package static func replacing(_ text: String) -> String {
        var output = ""
        for scalar in text.unicodeScalars { append(scalar, to: &output) }
        return output
    }

    /// The same for the value of an attribute in double quotes, of which a reader would make spaces of line breaks and tabs (XML
    /// 1.0, section 3.3.3).
    package static func attribute(_ text: String) -> String {
        var output = ""
        for scalar in text.unicodeScalars {
            switch scalar {
            case "\"": output += "&quot;"
            case "\n": output += "&#10;"
            case "\t": output += "&#9;"
            default: append(scalar, to: &output)
            }
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
        default: output.unicodeScalars.append(XMLReader.isCharacter(scalar) ? scalar : "\u{FFFD}")
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
