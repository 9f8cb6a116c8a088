package import Encodings
internal import XMLDocuments

/// An Apple property list in XML or binary form (plist(5)).
package struct PropertyList: Sendable {
    package enum Form: Sendable {
        case xml
        /// `bplist00`.
        case binary
    }

    package let bytes: [UInt8]
    package let form: Form
    package let root: PropertyListValue

    /// Maximum nesting depth of arrays and dictionaries.
    package static let maximumDepth = 100
    private static let maximumSize = 16 << 20
    private static let binaryMark = Array("bplist".utf8)

    package init(_ bytes: [UInt8]) throws(PropertyListError) {
        guard bytes.count <= Self.maximumSize else { throw PropertyListError(.tooLarge(Self.maximumSize)) }
        self.bytes = bytes
        if bytes.starts(with: Self.binaryMark) {
            form = .binary
            var reader = try BinaryPropertyListReader(bytes)
            root = try reader.root()
            return
        }
        guard Self.isXML(bytes) else { throw PropertyListError(Self.isOldForm(bytes) ? .oldForm : .form) }
        form = .xml
        let document: XMLDocument
        do throws(XMLError) {
            document = Self.isFragment(bytes) ? try XMLDocument(fragment: bytes, of: "dict") : try XMLDocument(bytes)
        } catch {
            throw PropertyListError(error)
        }
        root = try XMLPropertyListReader(document: document).root()
    }

    /// Whether the bytes look like a property list, without a complete check.
    package static func isLikely(_ bytes: [UInt8]) -> Bool {
        bytes.starts(with: binaryMark) || isXML(bytes) && (bytes.has("<plist") || bytes.has("<dict"))
    }

    /// The position of `value`; nil in a binary file.
    package func position(of value: PropertyListValue) -> SourcePosition? {
        value.sourceRanges.map { SourcePosition(of: $0.range.lowerBound, in: bytes) }
    }

    /// The file with `value` as its root. In an XML file, all unchanged parts keep their bytes. A binary file is written again
    /// completely.
    package func replacingRoot(with value: PropertyListValue) throws(PropertyListError) -> [UInt8] {
        switch form {
        case .xml: try XMLPropertyListEditor(bytes: bytes, root: root).replacingRoot(with: value)
        case .binary: BinaryPropertyListWriter.bytes(of: value)
        }
    }

    private static func isXML(_ bytes: [UInt8]) -> Bool {
        if XMLDocument.isUTF16(bytes) { return true }
        let text = bytes.starts(with: [0xef, 0xbb, 0xbf]) ? bytes.dropFirst(3) : bytes[...]
        return text.first { !XMLReader.isWhiteSpace($0) } == UInt8(ascii: "<")
    }

    /// Whether the text consists of the members of a dictionary without the tags around them: it begins with `<key>`.
    private static func isFragment(_ bytes: [UInt8]) -> Bool {
        bytes.drop { $0 != UInt8(ascii: "<") }.starts(with: "<key>".utf8)
    }

    private static func isOldForm(_ bytes: [UInt8]) -> Bool {
        guard let first = bytes.first(where: { !XMLReader.isWhiteSpace($0) }) else { return false }
        return first == UInt8(ascii: "{") && bytes.contains(UInt8(ascii: "=")) && bytes.contains(UInt8(ascii: ";"))
            || bytes.starts(with: Array("// !$*".utf8))
    }
}
