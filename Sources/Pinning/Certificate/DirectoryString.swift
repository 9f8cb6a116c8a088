internal import Encodings

/// Decodes the text of a name's attribute (RFC 5280, appendix A.1: DirectoryString and the other string types in use).
enum DirectoryString {
    /// The text of `element`; nil if it is not of a string type, or if its bytes are not valid for the type.
    ///
    /// TeletexString is decoded as ISO 8859-1, because practically all certificates use it in this way.
    static func text(of element: DERElement, in bytes: [UInt8]) -> String? {
        let contents = bytes[element.contents]
        switch element.tag {
        case .utf8String:
            return String(validating: contents, as: UTF8.self)
        case .printableString, .ia5String, .numericString, .visibleString:
            // Some certificates contain UTF-8 in these types. Bytes that are not UTF-8 are most probably ISO 8859-1.
            return String(validating: contents, as: UTF8.self) ?? latin1(contents)
        case .teletexString:
            return latin1(contents)
        case .bmpString:
            guard contents.count.isMultiple(of: 2) else { return nil }
            let units = stride(from: contents.startIndex, to: contents.endIndex, by: 2).map { index in
                UInt16(contents[index]) << 8 | UInt16(contents[index + 1])
            }
            return String(validating: units, as: UTF16.self)
        case .universalString:
            guard contents.count.isMultiple(of: 4) else { return nil }
            let units = stride(from: contents.startIndex, to: contents.endIndex, by: 4).map { index in
                contents[index..<index + 4].reduce(0) { $0 << 8 | UInt32($1) }
            }
            return String(validating: units, as: UTF32.self)
        default:
            return nil
        }
    }

    private static func latin1(_ bytes: ArraySlice<UInt8>) -> String {
        var text = ""
        text.unicodeScalars.append(contentsOf: bytes.lazy.map { Unicode.Scalar($0) })
        return text
    }
}
