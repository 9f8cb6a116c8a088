internal import Encodings

/// File paths as URI references (RFC 3986, section 4.1).
package enum FileReference {
    /// A relative reference for a relative path, a `file:` URI for an absolute path. Private keys in the path are left out, because no search
    /// finds them in the encoded text.
    package static func uri(of path: String) -> String {
        var path = path.withoutWholePrivateKeys[...]
        // "./" and slashes after it are nothing: ".//a" is not "/a".
        while var rest = path.without(prefix: "./") {
            while let next = rest.without(prefix: "/") { rest = next }
            guard !rest.isEmpty else { break }
            path = rest
        }
        var output = path.begins(with: "/") ? "file://" : ""
        // Without this prefix, a colon in the first segment would end a scheme (section 4.2).
        if !path.begins(with: "/"), path.before(anyOf: "/").has(":") { output += "./" }
        for byte in path.utf8 {
            if isPlain(byte) {
                output.unicodeScalars.append(Unicode.Scalar(byte))
            } else {
                output += "%" + hexDigit(byte >> 4) + hexDigit(byte & 15)
            }
        }
        return output
    }

    /// Whether a byte needs no percent-encoding in a path (section 3.3).
    private static func isPlain(_ byte: UInt8) -> Bool {
        switch byte {
        case UInt8(ascii: "a")...UInt8(ascii: "z"), UInt8(ascii: "A")...UInt8(ascii: "Z"),
            UInt8(ascii: "0")...UInt8(ascii: "9"):
            true
        default: "-._~!$&'()*+,;=:@/".utf8.contains(byte)
        }
    }

    private static func hexDigit(_ value: UInt8) -> String { String(value, radix: 16, uppercase: true) }
}
