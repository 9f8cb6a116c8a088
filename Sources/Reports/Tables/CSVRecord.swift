internal import Encodings

/// A line of comma-separated values (RFC 4180).
package enum CSVRecord {
    package enum Field {
        /// Text from outside. A spreadsheet must not interpret it as a formula.
        case text(String)
        /// A number or a word of pinctl, which is written as it is.
        case plain(String)
    }

    /// The fields with commas between them, and the end of the line (CR LF).
    package static func line(_ fields: [Field]) -> String {
        fields.map(text).joined(separator: ",") + "\r\n"
    }

    private static func text(_ field: Field) -> String {
        switch field {
        case .plain(let text): text
        case .text(let text): quoted(harmless(text))
        }
    }

    /// The text, with an apostrophe before a character with which spreadsheets begin a formula
    /// (https://owasp.org/www-community/attacks/CSV_Injection). Some spreadsheets remove spaces at the start of a field first. In some
    /// languages, they divide lines at semicolons, or a person selects another separator. Quotes that do not begin a field then have no
    /// effect.
    private static func harmless(_ text: String) -> String {
        let start = text.unicodeScalars.first { !$0.properties.isWhitespace || lineSeparators.contains($0) }
        var result = start.map(lineSeparators.contains) == true ? "'" : ""
        var part = String.UnicodeScalarView()
        for scalar in text.unicodeScalars {
            if separators.contains(scalar) || lineSeparators.contains(scalar) {
                result += harmlessPart(part)
                result.unicodeScalars.append(scalar)
                part.removeAll()
            } else {
                part.append(scalar)
            }
        }
        return result + harmlessPart(part)
    }

    private static let separators = ",;|\"".unicodeScalars
    private static let lineSeparators = "\t\r\n".unicodeScalars

    /// A part of a text that a spreadsheet may read as a field.
    private static func harmlessPart(_ part: String.UnicodeScalarView) -> String {
        let first = part.first { !$0.properties.isWhitespace }
        return first.map("=+-@＝＋－＠".unicodeScalars.contains) == true ? "'" + String(part) : String(part)
    }

    /// The text in quotes if it contains a comma, a quote or a line break, or begins or ends with a space.
    private static func quoted(_ text: String) -> String {
        let needsQuotes =
            text.unicodeScalars.contains { ",\"\r\n".unicodeScalars.contains($0) } || text.begins(with: " ")
            || text.ends(with: " ")
        guard needsQuotes else { return text }
        return "\"" + text.parts(separatedBy: "\"").joined(separator: "\"\"") + "\""
    }
}
