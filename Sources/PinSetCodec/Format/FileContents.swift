package import Encodings

/// The bytes of a file whose format is to be detected, with what several codecs look at.
package struct FileContents {
    package let bytes: [UInt8]
    /// The outer keys of a JSON text; nil for a text that does not begin as a JSON object does.
    package let json: JSONOutline?

    package init(_ bytes: [UInt8]) {
        self.bytes = bytes
        json = JSONOutline(bytes)
    }
}
