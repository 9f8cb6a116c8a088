/// Text as it is written into XML.
enum XMLText {
    /// For the content of an element, as Apple's writer does it: `>` is escaped too. Nil for text with a character that XML does
    /// not have.
    static func escaped(_ text: String) -> String? {
        var output = ""
        for scalar in text.unicodeScalars {
            guard XMLReader.isCharacter(scalar) else { return nil }
            switch scalar {
            case "&": output += "&amp;"
            case "<": output += "&lt;"
            case ">": output += "&gt;"
            // A reader would make it a line feed (XML 1.0, section 2.11).
            case "\r": output += "&#13;"
            default: output.unicodeScalars.append(scalar)
            }
        }
        return output
    }

    /// As it can stand in a comment on one line: without line breaks, control characters and `--` (XML 1.0, section 2.5), and
    /// without white space at either end.
    static func comment(_ text: String) -> String {
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
    static func label(ofComment text: String) -> String? {
        let label = comment(text)
        return label.isEmpty ? nil : label
    }
}
