internal import Encodings

/// A line of a table in Markdown (GitHub Flavored Markdown, section 4.10).
package enum MarkdownRow {
    /// The heading of a table, with the line below it.
    package static func heading(_ titles: [String]) -> String {
        line(ofMarkdown: titles.map { cell($0) }) + "|" + titles.map { _ in "---|" }.joined() + "\n"
    }

    /// A cell whose text has no effect on the table.
    ///
    /// - Parameter isName: whether the text is code, if that is possible (``MarkdownText/code(_:)``).
    package static func cell(_ text: String, isName: Bool = false) -> String {
        text.isEmpty ? " " : isName ? MarkdownText.code(text) : MarkdownText.escaped(text)
    }

    /// A line whose cells are already Markdown.
    package static func line(ofMarkdown cells: [String]) -> String { "| " + cells.joined(separator: " | ") + " |\n" }
}
