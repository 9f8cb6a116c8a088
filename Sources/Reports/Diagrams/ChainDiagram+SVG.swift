internal import Encodings

extension ChainDiagram {
    private static let boxWidth = 640
    private static let boxHeight = 64
    private static let lineHeight = 18
    private static let gap = 28
    private static let margin = 16
    private static let titleHeight = 24

    /// The diagram as an SVG 1.1 image without scripts and external resources. Colours follow the reader's light or dark mode.
    ///
    /// - Parameter isStandalone: whether the image contains its style sheet. If not, the document that contains the image has rules
    ///   for the classes `box`, `anchor`, `match`, `text`, `quiet` and `line`.
    package func svg(isStandalone: Bool = true) -> String {
        let rows = nodes
        let depth = rows.map(\.depth).max() ?? 0
        var tops: [Int] = []
        var bottom = Self.margin + Self.titleHeight
        for row in rows {
            tops.append(bottom)
            bottom += Self.height(of: row.node) + Self.gap
        }
        let width = 2 * Self.margin + Self.boxWidth + depth * Self.gap
        let height = bottom + (unused.isEmpty ? -Self.gap : unused.count * Self.gap) + Self.margin
        var text = """
            <svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 \(width) \(height)" width="\(width)" height="\(height)" role="img" \
            aria-label="\(MarkupText.escaped(label))" font-family="system-ui, sans-serif" font-size="13">

            """
        if isStandalone { text += Self.style }
        text += "<text class=\"text\" x=\"\(Self.margin)\" y=\"\(Self.margin + 12)\" font-weight=\"bold\">"
        text += MarkupText.escaped(Self.fitted(title, into: Self.boxWidth - 60)) + "</text>\n"
        /// The row of the last node at each depth, which is the parent of the next deeper node.
        var parents: [Int] = []
        for (index, row) in rows.enumerated() {
            let x = Self.margin + row.depth * Self.gap
            let y = tops[index]
            parents = Array(parents.prefix(row.depth)) + [index]
            if row.depth > 0 {
                let parent = parents[row.depth - 1]
                let start = tops[parent] + Self.height(of: rows[parent].node)
                let middle = y + Self.boxHeight / 2
                text += "<path class=\"line\" d=\"M\(x - Self.gap / 2) \(start)V\(middle)H\(x)\"/>\n"
            }
            let classes = ["box"] + (row.node.isAnchor ? ["anchor"] : []) + (row.node.match == nil ? [] : ["match"])
            text += "<rect class=\"\(classes.joined(separator: " "))\" x=\"\(x)\" y=\"\(y)\" rx=\"4\" "
            text += "width=\"\(Self.boxWidth)\" height=\"\(Self.height(of: row.node))\"/>\n"
            var lines = [
                ("text", row.node.name), ("quiet", row.node.facts.joined(separator: ", ")), ("quiet", row.node.pin),
            ]
            if let match = row.node.match { lines.append(("text", "✓ \(match)")) }
            for (offset, line) in lines.enumerated() {
                text += "<text class=\"\(line.0)\" x=\"\(x + 10)\" y=\"\(y + 19 + offset * Self.lineHeight)\">"
                text += MarkupText.escaped(Self.fitted(line.1, into: Self.boxWidth - 20)) + "</text>\n"
            }
        }
        for (offset, name) in unused.enumerated() {
            text += "<text class=\"quiet\" x=\"\(Self.margin)\" y=\"\(bottom + 12 + offset * Self.gap)\">"
            text += MarkupText.escaped(Self.fitted("not part of a path: \(name)", into: Self.boxWidth)) + "</text>\n"
        }
        return text + "</svg>\n"
    }

    /// The text, without its middle if it is wider than `width` pixels.
    private static func fitted(_ text: String, into width: Int) -> String {
        var columns = width / 4
        let whole = text.escaped.cut(to: columns)
        var text = whole
        while pixels(in: text) > width, columns > 4 {
            columns -= 1
            text = whole.cut(to: columns)
        }
        return text
    }

    /// An upper estimate of the width of a text in a sans-serif font of 13 pixels. DejaVu Sans is one of the widest.
    private static func pixels(in text: String) -> Int {
        text.reduce(0) { sum, character in
            switch character {
            case "i", "j", "l", "I", ".", ",", ":", ";", "'", "|", " ", "-", "(", ")", "/": sum + 5
            case "W", "M", "m", "w", "@", "%": sum + 13
            case "A"..."Z", "+", "=", "<", ">", "#": sum + 11
            case _ where character.isASCII: sum + 8
            default: sum + 13
            }
        }
    }

    private static let style = """
        <style>
        .box { fill: #ffffff; stroke: #57606a } .anchor { stroke-width: 3 } .match { stroke: #116329 }
        .text { fill: #1f2328 } .quiet { fill: #57606a } .line { stroke: #57606a; fill: none }
        @media (prefers-color-scheme: dark) {
        .box { fill: #161b22; stroke: #9198a1 } .match { stroke: #7ee787 } .text { fill: #f0f6fc } .quiet { fill: #9198a1 }
        .line { stroke: #9198a1 } }
        </style>

        """

    /// The contents of the image in words.
    private var label: String {
        let certificates = nodes.map { row in
            let facts = row.node.facts + (row.node.match.map { [$0] } ?? [])
            return "\(row.node.name) (\(facts.joined(separator: ", ")))"
        }
        return "\(title): \(certificates.joined(separator: "; "))"
    }

    /// The height of a box, which has another line if the certificate matches a pin.
    private static func height(of node: Node) -> Int { boxHeight + (node.match == nil ? 0 : lineHeight) }
}
