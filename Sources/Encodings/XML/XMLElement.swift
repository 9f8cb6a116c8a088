/// An element of an XML document, and where it stands, so that a file can be edited around it.
package struct XMLElement: Sendable {
    /// As written, with its prefix: `tools:node` is not looked up.
    package let name: String
    package let attributes: [XMLAttribute]
    /// In the order of the document.
    package let content: [XMLNode]
    /// From the first byte of the start tag to the end of the end tag.
    package let range: Range<Int>
    /// Without the tags; empty, behind the tag, for an empty-element tag.
    package let inner: Range<Int>
    /// Where an attribute may be added: behind the name or the last attribute.
    package let attributesEnd: Int
    /// Whether it is one tag, `<a/>`.
    package let isEmptyTag: Bool

    package var children: [XMLElement] {
        content.compactMap { node in
            if case .element(let element) = node { element } else { nil }
        }
    }

    /// The text directly within, comments left out.
    package var text: String {
        var text = ""
        for case .text(let part) in content { text += part }
        return text
    }

    package func attribute(_ name: String) -> XMLAttribute? {
        attributes.first { $0.name == name }
    }
}

package struct XMLAttribute: Sendable {
    package let name: String
    /// References resolved, white space made blanks (XML 1.0, section 3.3.3).
    package let value: String
    /// From the first byte of the name to the closing quote, included.
    package let range: Range<Int>
}

/// What stands in an element. Processing instructions mean nothing here and are passed over.
package enum XMLNode: Sendable {
    case element(XMLElement)
    /// References resolved, line ends made LF (XML 1.0, section 2.11). Never empty.
    case text(String)
    case comment(String, range: Range<Int>)
}
