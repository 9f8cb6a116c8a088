internal import Encodings

/// An element of an XML document, with its byte ranges for edits of the file.
package struct XMLElement: Sendable {
    /// The name as written, with its prefix. Namespaces are not resolved.
    package let name: String
    package let attributes: [XMLAttribute]
    /// The attributes in the order of the document.
    package let content: [XMLNode]
    /// The byte range from the start tag to the end tag, including both.
    package let range: Range<Int>
    /// The byte range between the tags. For an empty-element tag, an empty range after the tag.
    package let inner: Range<Int>
    /// The offset where a new attribute can be inserted: after the last attribute, or after the name.
    package let attributesEnd: Int
    /// Whether the element is an empty-element tag, `<a/>`.
    package let isEmptyTag: Bool

    /// The name without its prefix (Namespaces in XML 1.0, section 4).
    package var localName: String {
        guard let colon = name.utf8.firstIndex(of: UInt8(ascii: ":")) else { return name }
        return String(name[name.utf8.index(after: colon)...])
    }

    package var children: [XMLElement] {
        content.compactMap { node in
            if case .element(let element) = node { element } else { nil }
        }
    }

    /// The text directly in the element, without comments.
    package var text: String {
        var text = ""
        for case .text(let part) in content { text += part }
        return text
    }

    /// Whether a comment or an element is between two parts of the text other than white space.
    package var hasDividedText: Bool {
        content.count { node in
            if case .text(let text) = node { !text.utf8.allSatisfy(XMLReader.isWhiteSpace) } else { false }
        } > 1
    }

    package func attribute(_ name: String) -> XMLAttribute? {
        attributes.first { $0.name.isSame(as: name) }
    }
}

package struct XMLAttribute: Sendable {
    package let name: String
    /// The value after references are resolved and each other white-space character is replaced by a space (XML 1.0, section
    /// 3.3.3).
    package let value: String
    /// The byte range from the name to the closing quote, including both.
    package let range: Range<Int>
}

/// A part of the contents of an element. Processing instructions are skipped.
package enum XMLNode: Sendable {
    case element(XMLElement)
    /// Text with resolved references and LF line ends (XML 1.0, section 2.11); never empty.
    case text(String)
    case comment(String, range: Range<Int>)
}
