internal import Encodings

/// A line of a table in Markdown (GitHub Flavored Markdown, section 4.10).
package enum MarkdownRow {
    package static func line(_ cells: [String]) -> String { line(ofMarkdown: cells.map(cell)) }

    /// The heading of a table, with the line below it.
    package static func heading(_ titles: [String]) -> String {
        line(titles) + "|" + titles.map { _ in "---|" }.joined() + "\n"
    }

    /// A cell whose text has no effect on the table.
    private static func cell(_ text: String) -> String { text.isEmpty ? " " : MarkdownText.escaped(text) }

    /// A line whose cells are already Markdown.
    static func line(ofMarkdown cells: [String]) -> String { "| " + cells.joined(separator: " | ") + " |\n" }
}
