/// Why a text is not XML that is read here, and where.
package struct XMLError: Error, Hashable, Sendable {
    package let position: SourcePosition
    let reason: Reason

    enum Reason: Hashable, Sendable {
        /// The text ends too soon.
        case end(expected: String)
        case unexpected(Unicode.Scalar, expected: String)
        /// Bytes that are not UTF-8.
        case invalidUTF8
        case utf16
        /// An encoding other than UTF-8, as declared.
        case encoding(String)
        /// A character that XML does not have (XML 1.0, section 2.2).
        case character(UInt32)
        /// A version other than 1.x, as declared.
        case version(String)
        case declaration
        /// A reference to an entity that the standard does not define.
        case entity(String)
        /// A document type with declarations of its own.
        case internalSubset
        case documentType
        case mismatchedTag(String, open: String, line: Int)
        case unclosed(String)
        case duplicateAttribute(String)
        /// `--` in a comment.
        case commentHyphens
        /// `]]>` in text.
        case sectionEnd
        /// A processing instruction by the name of `xml`.
        case instruction
        /// Something after the root element.
        case trailing
        case tooDeep(Int)
        case tooLarge(Int)
    }

    package var message: String {
        switch reason {
        case .end(let expected): "\(expected) is expected, and the text ends"
        case .unexpected(let scalar, let expected): "\(expected) is expected, not \(String(scalar).quotedExcerpt)"
        case .invalidUTF8: "the text is not UTF-8"
        case .utf16: "the text is UTF-16, and only UTF-8 is read"
        case .encoding(let name): "the text is in \(name.quotedExcerpt), and only UTF-8 is read"
        case .character(let value): "XML has no character U+\(Self.hex(value))"
        case .version(let version): "\(version.quotedExcerpt) is a version of XML that is not known"
        case .declaration: "the XML declaration is not as it must be"
        case .entity(let name): "the entity \(name.quotedExcerpt) is not resolved"
        case .internalSubset: "the document type declares entities or elements, which are not read"
        case .documentType: "the document type is not as it must be"
        case .mismatchedTag(let name, let open, let line):
            "\("</\(name)>".quotedExcerpt) does not close \("<\(open)>".quotedExcerpt) of line \(line)"
        case .unclosed(let name): "\("<\(name)>".quotedExcerpt) is not closed"
        case .duplicateAttribute(let name): "the attribute \(name.quotedExcerpt) stands twice"
        case .commentHyphens: "a comment has \"--\" inside"
        case .sectionEnd: "the text has \"]]>\" outside a CDATA section"
        case .instruction: "the XML declaration stands at the very beginning and nowhere else"
        case .trailing: "something follows the root element"
        case .tooDeep(let limit): "more than \(limit) elements stand inside each other"
        case .tooLarge(let limit): "the text is longer than \(limit) bytes"
        }
    }

    package var hint: String? {
        switch reason {
        case .utf16, .encoding, .invalidUTF8: "save it as UTF-8"
        case .declaration: #"write <?xml version="1.0" encoding="UTF-8"?>"#
        case .entity:
            "only lt, gt, amp, apos and quot are known; write any other character itself, or by number: &#233;"
        case .internalSubset: "remove what stands between the brackets of <!DOCTYPE>"
        case .unexpected("<", "an attribute's value without \"<\""), .sectionEnd:
            "write &lt; for \"<\" and &gt; for \">\""
        case .duplicateAttribute: "remove one"
        default: nil
        }
    }

    private static func hex(_ value: UInt32) -> String {
        let digits = String(value, radix: 16, uppercase: true)
        return String(repeating: "0", count: max(0, 4 - digits.utf8.count)) + digits
    }
}
