package import Encodings

/// The bytes of a file whose format is to be detected, with parts that several codecs examine.
package struct FileContents {
    package let bytes: [UInt8]
    /// The outer keys of a JSON text; nil if the text does not begin like a JSON object.
    package let json: JSONOutline?

    package init(_ bytes: [UInt8]) {
        self.bytes = bytes
        json = JSONOutline(bytes)
    }

    /// Whether an object of the JSON text has the key, at any depth. In a string, the quotation mark would be escaped.
    package func hasKey(_ name: String) -> Bool {
        guard json != nil else { return false }
        let key = Array("\"\(name)\"".utf8)
        var start = 0
        while let range = bytes[start...].firstRange(ignoringCase: "\"\(name.lowercased())\"") {
            start = range.upperBound
            guard bytes[range].elementsEqual(key) else { continue }
            if bytes[start...].drop(while: \.isWhiteSpace).first == UInt8(ascii: ":") { return true }
        }
        return false
    }
}
