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

    /// The text with entity codes (https://mermaid.js.org/syntax/flowchart.html, "Entity codes to escape characters") for the
    /// characters that have a meaning in Mermaid, Markdown or HTML. GitLab searches the source for "closes #1", so the codes have
    /// names and no numbers.
    private static func escaped(_ text: String) -> String {
        let scalars = Array(text.escaped.unicodeScalars)
        var output = ""
        for index in scalars.indices {
            if let wide = wideForms[scalars[index]] {
                output.unicodeScalars.append(wide)
            } else if let name = entityNames[scalars[index]] {
                output += "#\(name);"
            } else {
                output.unicodeScalars.append(scalars[index])
            }
            if scalars.beginsReference(at: index) { output += "#ZeroWidthSpace;" }
        }
        return output
    }

    /// Names of HTML (https://html.spec.whatwg.org/multipage/named-characters.html).
    private static let entityNames: [Unicode.Scalar: String] = [
        "\"": "quot", "#": "num", ";": "semi", "`": "grave", "[": "lsqb", "]": "rsqb",
        "(": "lpar", ")": "rpar", "{": "lcub", "}": "rcub", "|": "vert", "\\": "bsol", "*": "ast", "_": "lowbar",
        "@": "commat", "~": "tilde", "$": "dollar", "%": "percnt", "^": "Hat",
    ]

    /// Characters that look the same. With its default security level, Mermaid shows "&", in each spelling, as "&amp;".
    private static let wideForms: [Unicode.Scalar: Unicode.Scalar] = [
        "<": "\u{FF1C}", ">": "\u{FF1E}", "&": "\u{FF06}",
    ]
}
