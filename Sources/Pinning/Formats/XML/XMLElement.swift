/// An element of an XML document, and where it stands, so that a file can be edited around it.
struct XMLElement: Sendable {
    /// As written, with its prefix: `tools:node` is not looked up.
    let name: String
    let attributes: [XMLAttribute]
    /// In the order of the document.
    let content: [XMLNode]
    /// From the first byte of the start tag to the end of the end tag.
    let range: Range<Int>
    /// Without the tags; empty, behind the tag, for an empty-element tag.
    let inner: Range<Int>
    /// Where an attribute may be added: behind the name or the last attribute.
    let attributesEnd: Int
    /// Whether it is one tag, `<a/>`.
    let isEmptyTag: Bool

    var children: [XMLElement] {
        content.compactMap { node in
            if case .element(let element) = node { element } else { nil }
        }
    }

    /// The text directly within, comments left out.
    var text: String {
        var text = ""
        for case .text(let part) in content { text += part }
        return text
    }

    func attribute(_ name: String) -> XMLAttribute? {
        attributes.first { $0.name == name }
    }
}

struct XMLAttribute: Sendable {
    let name: String
    /// References resolved, white space made blanks (XML 1.0, section 3.3.3).
    let value: String
    /// From the first byte of the name to the closing quote, included.
    let range: Range<Int>
}

/// What stands in an element. Processing instructions mean nothing here and are passed over.
enum XMLNode: Sendable {
    case element(XMLElement)
    /// References resolved, line ends made LF (XML 1.0, section 2.11). Never empty.
    case text(String)
    case comment(String, range: Range<Int>)
}
