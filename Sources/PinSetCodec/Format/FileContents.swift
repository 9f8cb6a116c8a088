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
}
