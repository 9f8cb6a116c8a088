/// A row of a help table: a term and its text.
package struct HelpRow: Hashable, Sendable {
    let term: String
    let text: String

    init(_ term: String, _ text: String) {
        self.term = term
        self.text = text
    }
}

/// Formats paragraphs and tables to a width. Declarations are in ASCII, so that each character takes one column.
struct HelpLayout {
    private let width: Int
    private var lines: [String] = []

    /// - Parameter width: the columns of the terminal, limited to 24 through 100, because longer lines are hard to read.
    init(width: Int) {
        self.width = min(max(width, 24), 100)
    }

    var text: String { lines.joined(separator: "\n") + "\n" }

    /// Adds `lead` and then `words`, wrapped so that the words begin at the same column on every line. A word that contains spaces
    /// is not divided.
    mutating func hangingIndent(_ lead: String, _ words: [String]) {
        separate()
        let indent = lead.count + 1
        let wrapped = Self.wrap(words, width: width - indent)
        for (index, line) in wrapped.enumerated() {
            lines.append((index == 0 ? lead + " " : Self.spaces(indent)) + line)
        }
    }

    mutating func paragraph(_ text: String) {
        separate()
        add(text, indent: 0)
    }

    mutating func heading(_ title: String) {
        separate()
        lines.append("\(title):")
    }

    /// Adds a paragraph below a heading; a blank line separates it from the paragraph before.
    mutating func indented(_ text: String, isFirst: Bool) {
        if !isFirst { separate() }
        add(text, indent: 2)
    }

    /// Adds a line to copy, which is never wrapped, and its explanation.
    mutating func example(_ example: Example) {
        lines.append("  " + example.line)
        add(example.explanation, indent: 6)
    }

    /// Adds a table whose texts begin at `column`. If the texts would be too narrow there, they go below the terms.
    mutating func table(_ rows: [HelpRow], column: Int) {
        for row in rows {
            guard width - column >= Self.minimumTextWidth else {
                lines.append("  " + row.term.drop { $0 == " " })
                add(row.text, indent: 6)
                continue
            }
            let lead = "  " + row.term
            let room = column - lead.count
            var wrapped = Self.wrap(Self.words(of: row.text), width: width - column)[...]
            let beside = room >= 2 ? wrapped.popFirst() : nil
            lines.append(beside.map { lead + Self.spaces(room) + $0 } ?? lead)
            lines += wrapped.map { Self.spaces(column) + $0 }
        }
    }

    /// The column at which the texts of several tables begin: after the longest term that is not over ``maximumTermWidth``.
    static func column(for rows: [HelpRow]) -> Int {
        let terms = rows.map(\.term.count).filter { $0 <= maximumTermWidth }
        return 2 + (terms.max() ?? maximumTermWidth) + 2
    }

    private static let maximumTermWidth = 22
    private static let minimumTextWidth = 28

    private mutating func separate() {
        if !lines.isEmpty { lines.append("") }
    }

    private mutating func add(_ text: String, indent: Int) {
        lines += Self.wrap(Self.words(of: text), width: width - indent).map { Self.spaces(indent) + $0 }
    }

    private static func words(of text: String) -> [String] {
        text.split { $0 == " " || $0 == "\n" }.map(String.init)
    }

    private static func spaces(_ count: Int) -> String {
        String(repeating: " ", count: max(count, 0))
    }

    /// Fills lines with words. A word longer than a line has its own line and is not cut, so that an address or a command stays
    /// usable.
    static func wrap(_ words: [String], width: Int) -> [String] {
        var lines: [String] = []
        var line = ""
        for word in words {
            if !line.isEmpty, line.count + 1 + word.count > width {
                lines.append(line)
                line = ""
            }
            line += line.isEmpty ? word : " " + word
        }
        if !line.isEmpty { lines.append(line) }
        return lines
    }
}
