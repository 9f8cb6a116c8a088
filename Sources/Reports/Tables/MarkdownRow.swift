internal import Encodings

/// A line of a table in Markdown (GitHub Flavored Markdown, section 4.10).
package enum MarkdownRow {
    package static func line(_ cells: [String]) -> String { "| " + cells.map(cell).joined(separator: " | ") + " |\n" }

    /// The heading of a table, with the line below it.
    package static func heading(_ titles: [String]) -> String {
        line(titles) + "|" + titles.map { _ in "---|" }.joined() + "\n"
    }

    /// A cell whose text has no effect on the table, and contains neither markup nor links.
    private static func cell(_ text: String) -> String {
        var output = ""
        for scalar in text.escaped.unicodeScalars {
            if "\\`*_{}[]()<>#|~!&@$".unicodeScalars.contains(scalar) { output += "\\" }
            output.unicodeScalars.append(scalar)
        }
        return output.isEmpty ? " " : output
    }
}
