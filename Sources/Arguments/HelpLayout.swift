/// A term and what it means: a line or more of a table in help.
struct HelpRow: Hashable, Sendable {
    let term: String
    let text: String

    init(_ term: String, _ text: String) {
        self.term = term
        self.text = text
    }
}

/// Lays out paragraphs and tables within a width.
struct HelpLayout {
    private let width: Int
    private var lines: [String] = []

    /// - Parameter width: the columns of the terminal. Lines longer than 100 columns are tiring to read, and below 24
    ///   there is nothing left to lay out.
    init(width: Int) {
        self.width = min(max(width, 24), 100)
    }

    var text: String { lines.joined(separator: "\n") + "\n" }

    /// Words that follow a lead and are indented to it on later lines. A word may hold spaces: it is kept whole.
    mutating func hang(_ lead: String, _ words: [String]) {
        separate()
        let indent = lead.columns + 1
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

    /// A paragraph below a heading; a blank line divides it from the one before.
    mutating func indented(_ text: String, isFirst: Bool) {
        if !isFirst { separate() }
        add(text, indent: 2)
    }

    /// A line to copy, never wrapped, and what it does.
    mutating func example(_ example: Example) {
        lines.append("  " + example.line)
        add(example.explanation, indent: 6)
    }

    /// A table with its texts at a column; where that leaves the texts too little room, they go below the terms.
    mutating func table(_ rows: [HelpRow], column: Int) {
        for row in rows {
            guard width - column >= Self.leastBesideTerms else {
                lines.append("  " + row.term.drop { $0 == " " })
                add(row.text, indent: 6)
                continue
            }
            let lead = "  " + row.term
            let room = column - lead.columns
            var wrapped = Self.wrap(Self.words(of: row.text), width: width - column)[...]
            let beside = room >= 2 ? wrapped.popFirst() : nil
            lines.append(beside.map { lead + Self.spaces(room) + $0 } ?? lead)
            lines += wrapped.map { Self.spaces(column) + $0 }
        }
    }

    /// The column that tables share: after the longest term, but for the terms that are too long to wait for.
    static func column(for rows: [HelpRow]) -> Int {
        let terms = rows.map(\.term.columns).filter { $0 <= longestTerm }
        return 2 + (terms.max() ?? longestTerm) + 2
    }

    private static let longestTerm = 22
    private static let leastBesideTerms = 28

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

    /// Lines as full as they can be. A word that is too long for a line has one to itself and juts out: a cut address
    /// or command would be of no use.
    static func wrap(_ words: [String], width: Int) -> [String] {
        var lines: [String] = []
        var line = ""
        for word in words {
            if !line.isEmpty, line.columns + 1 + word.columns > width {
                lines.append(line)
                line = ""
            }
            line += line.isEmpty ? word : " " + word
        }
        if !line.isEmpty { lines.append(line) }
        return lines
    }
}
