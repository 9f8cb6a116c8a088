internal import Encodings

extension ChainDiagram {
    private static let boxWidth = 640
    private static let boxHeight = 64
    private static let gap = 28
    private static let margin = 16

    /// The diagram as an SVG 1.1 image without scripts and external resources. Colours follow the reader's light or dark mode.
    package func svg() -> String {
        let rows = nodes
        let depth = rows.map(\.depth).max() ?? 0
        let width = 2 * Self.margin + Self.boxWidth + depth * Self.gap
        let height = 2 * Self.margin + 24 + (rows.count + unused.count) * (Self.boxHeight + Self.gap)
        var text = """
            <svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 \(width) \(height)" width="\(width)" height="\(height)" role="img" \
            aria-label="\(Self.escaped(label))" font-family="system-ui, sans-serif" font-size="13">
            <style>
            .box { fill: #ffffff; stroke: #57606a } .anchor { stroke-width: 3 } .text { fill: #1f2328 } .quiet { fill: #57606a }
            .line { stroke: #57606a; fill: none }
            @media (prefers-color-scheme: dark) {
            .box { fill: #161b22; stroke: #9198a1 } .text { fill: #f0f6fc } .quiet { fill: #9198a1 } .line { stroke: #9198a1 } }
            </style>
            <text class="text" x="\(Self.margin)" y="\(Self.margin + 12)" font-weight="bold">\(Self.escaped(Self.fitted(title, into: Self.boxWidth - 60)))</text>

            """
        /// The row of the last node at each depth, which is the parent of the next deeper node.
        var parents: [Int] = []
        for (index, row) in rows.enumerated() {
            let x = Self.margin + row.depth * Self.gap
            let y = Self.top(of: index)
            parents = Array(parents.prefix(row.depth)) + [index]
            if row.depth > 0 {
                let start = Self.top(of: parents[row.depth - 1]) + Self.boxHeight
                let middle = y + Self.boxHeight / 2
                text += "<path class=\"line\" d=\"M\(x - Self.gap / 2) \(start)V\(middle)H\(x)\"/>\n"
            }
            text += "<rect class=\"box\(row.node.isAnchor ? " anchor" : "")\" x=\"\(x)\" y=\"\(y)\" rx=\"4\" "
            text += "width=\"\(Self.boxWidth)\" height=\"\(Self.boxHeight)\"/>\n"
            let lines = [
                ("text", row.node.name), ("quiet", row.node.facts.joined(separator: ", ")), ("quiet", row.node.pin),
            ]
            for (offset, line) in lines.enumerated() {
                text +=
                    "<text class=\"\(line.0)\" x=\"\(x + 10)\" y=\"\(y + 19 + offset * 18)\">"
                text += Self.escaped(Self.fitted(line.1, into: Self.boxWidth - 20)) + "</text>\n"
            }
        }
        for (offset, name) in unused.enumerated() {
            let y = Self.top(of: rows.count + offset) + 19
            text += "<text class=\"quiet\" x=\"\(Self.margin)\" y=\"\(y)\">"
            text += Self.escaped(Self.fitted("not part of a path: \(name)", into: Self.boxWidth)) + "</text>\n"
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

    /// The contents of the image in words.
    private var label: String {
        title + ": "
            + nodes.map { "\($0.node.name) (\($0.node.facts.joined(separator: ", ")))" }.joined(separator: "; ")
    }

    private static func top(of row: Int) -> Int { margin + 24 + row * (boxHeight + gap) }

    /// The text as contents of an element or as a value of an attribute. Characters that XML does not allow are replaced.
    private static func escaped(_ text: String) -> String { XMLText.attribute(text.escaped) }
}
