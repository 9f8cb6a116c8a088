internal import Encodings

extension ChainDiagram {
    /// The diagram as an indented tree.
    ///
    /// - Parameters:
    ///   - usesUnicode: whether lines are drawn with characters of Unicode; otherwise with ASCII.
    ///   - width: maximum width in columns; nil for no limit.
    ///   - emphasized: changes the name of a node, for example its colour.
    package func text(
        usesUnicode: Bool, width: Int?, emphasized: (String) -> String = { $0 }
    ) -> String {
        var text = title.escaped + "\n"
        if let leaf { text += line(leaf, prefix: "", mark: "", rest: "", usesUnicode, width, emphasized) }
        for name in unused { text += cut("not part of a path: \(name.escaped)", width) + "\n" }
        return text
    }

    private func line(
        _ node: Node, prefix: String, mark: String, rest: String, _ usesUnicode: Bool, _ width: Int?,
        _ emphasized: (String) -> String
    ) -> String {
        let facts = node.facts.map(\.escaped).joined(separator: ", ")
        let below = prefix + rest
        let bar = below + (node.issuers.isEmpty ? "   " : usesUnicode ? "│  " : "|  ")
        let room = width.map { $0 - prefix.columns - mark.columns }
        let name = room.map { node.name.escaped.cut(to: max(Self.minimumNameColumns, $0)) } ?? node.name.escaped
        let fits = room.map { name.columns + 2 + facts.columns <= $0 } ?? true
        var text = prefix + mark + emphasized(name) + (fits ? "  " + facts : "") + "\n"
        if !fits {
            let width = width.map { max(Self.minimumNameColumns, $0 - bar.columns) }
            text += facts.wrapped(to: width).map { bar + $0 + "\n" }.joined()
        }
        // The pin is on its own line, because it is as wide as most names and facts.
        text += bar + node.pin + "\n"
        for (index, issuer) in node.issuers.enumerated() {
            let isLast = index == node.issuers.count - 1
            let mark = usesUnicode ? (isLast ? "└─ " : "├─ ") : (isLast ? "`- " : "|- ")
            let rest = isLast ? "   " : usesUnicode ? "│  " : "|  "
            text += line(issuer, prefix: below, mark: mark, rest: rest, usesUnicode, width, emphasized)
        }
        return text
    }

    private static let minimumNameColumns = 12

    private func cut(_ text: String, _ width: Int?) -> String { width.map { text.cut(to: $0) } ?? text }
}
