package import Encodings

/// A syntax error or an unsupported construct in an XML text, with its position.
package struct XMLError: Error, Hashable, Sendable {
    package let position: SourcePosition
    let reason: Reason

    enum Reason: Hashable, Sendable {
        /// The text ends too early.
        case end(expected: String)
        case unexpected(Unicode.Scalar, expected: String)
        /// The bytes are not UTF-8.
        case invalidUTF8
        case utf16
        /// The declaration names an encoding other than UTF-8.
        case encoding(String)
        /// The declared encoding is US-ASCII, and the text has other characters, which the parsers of platforms reject.
        case notASCII
        /// A character that XML does not allow (XML 1.0, section 2.2).
        case character(UInt32)
        /// The declaration names a version other than 1.x.
        case version(String)
        case declaration
        /// A reference to an entity that the standard does not define.
        case entity(String)
        /// A document type with an internal subset.
        case internalSubset
        case documentType
        case mismatchedTag(String, open: String, line: Int)
        case unclosed(String)
        case duplicateAttribute(String)
        /// `--` in a comment.
        case commentHyphens
        /// `]]>` in text.
        case sectionEnd
        /// A processing instruction with the name `xml`.
        case instruction
        /// More content after the root element.
        case trailing
        case tooDeep(Int)
        case tooLarge(Int)
        /// A line of a text to edit that ends with CR alone.
        case carriageReturn
    }

    package var message: String {
        switch reason {
        case .end(let expected): "expected \(expected), found the end of the text"
        case .unexpected(let scalar, let expected): "expected \(expected), found \(String(scalar).quotedExcerpt)"
        case .invalidUTF8: "the text is not UTF-8"
        case .utf16: "the text is UTF-16, expected UTF-8"
        case .notASCII: "the declared encoding is US-ASCII, and the text has other characters"
        case .encoding(let name): "the encoding is \(name.quotedExcerpt), expected UTF-8"
        case .character(let value): "the character U+\(Self.hex(value)) is not allowed in XML"
        case .version(let version): "the XML version is \(version.quotedExcerpt), expected 1.0"
        case .declaration: "the XML declaration is malformed"
        case .entity(let name): "unknown entity \(name.quotedExcerpt)"
        case .internalSubset: "the document type has an internal subset, which is not supported"
        case .documentType: "the document type declaration is malformed"
        case .mismatchedTag(let name, let open, let line):
            "\("</\(name)>".quotedExcerpt) does not close \("<\(open)>".quotedExcerpt) on line \(line)"
        case .unclosed(let name): "\("<\(name)>".quotedExcerpt) is not closed"
        case .duplicateAttribute(let name): "duplicate attribute \(name.quotedExcerpt)"
        case .commentHyphens: "a comment contains \"--\""
        case .sectionEnd: "the text contains \"]]>\" outside a CDATA section"
        case .instruction: "the XML declaration is not at the start of the text"
        case .trailing: "expected the end of the text after the root element, found more content"
        case .tooDeep(let limit): "elements are nested deeper than \(limit) levels"
        case .tooLarge(let limit): "the text is longer than \(limit) bytes"
        case .carriageReturn: "the line ends with a carriage return alone, and pinctl does not edit such a file"
        }
    }

    package var hint: String? {
        switch reason {
        case .utf16, .encoding, .invalidUTF8: "save it as UTF-8"
        case .notASCII: "declare the encoding UTF-8"
        case .declaration: #"write <?xml version="1.0" encoding="UTF-8"?>"#
        case .entity:
            "use only lt, gt, amp, apos and quot; write every other character directly or as a number, such as &#233;"
        case .internalSubset: "remove the text between the brackets of <!DOCTYPE>"
        case .unexpected("<", "an attribute's value without \"<\""), .sectionEnd:
            "write &lt; for \"<\" and &gt; for \">\""
        case .duplicateAttribute: "remove one"
        case .carriageReturn: "save it with LF or CRLF as line ends"
        default: nil
        }
    }

    private static func hex(_ value: UInt32) -> String {
        let digits = String(value, radix: 16, uppercase: true)
        return String(repeating: "0", count: max(0, 4 - digits.utf8.count)) + digits
    }
}
