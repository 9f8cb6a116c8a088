internal import Encodings

extension ChainDiagram {
    /// The diagram in the language of Mermaid (https://mermaid.js.org/syntax/flowchart.html). An arrow points from an issuer to the
    /// certificate that it issued.
    ///
    /// - Parameter prefix: the start of the identifiers, so that several diagrams can be in one text.
    package func mermaid(prefix: String = "c") -> String {
        var text = "flowchart TB\n  \(prefix)h[\"\(Self.escaped(title))\"]\n"
        var number = 0
        func write(_ node: Node, issued: String) {
            let identifier = "\(prefix)\(number)"
            number += 1
            let lines = [node.name, node.facts.joined(separator: ", "), node.pin].map(Self.escaped)
            let shape = node.isAnchor ? ("[[\"", "\"]]") : ("[\"", "\"]")
            text += "  \(identifier)\(shape.0)\(lines.joined(separator: "<br/>"))\(shape.1)\n"
            text += "  \(identifier) --> \(issued)\n"
            for issuer in node.issuers { write(issuer, issued: identifier) }
        }
        if let leaf { write(leaf, issued: "\(prefix)h") }
        for (index, name) in unused.enumerated() {
            text += "  \(prefix)u\(index)([\"\(Self.escaped("not part of a path: " + name))\"])\n"
        }
        return text
    }

    /// The text with entity codes for the characters that have a meaning in Mermaid, Markdown or HTML.
    private static func escaped(_ text: String) -> String {
        var output = ""
        for scalar in text.escaped.unicodeScalars {
            if "\"#;<>&`[](){}|\\".unicodeScalars.contains(scalar) {
                output += "#\(scalar.value);"
            } else {
                output.unicodeScalars.append(scalar)
            }
        }
        return output
    }
}
