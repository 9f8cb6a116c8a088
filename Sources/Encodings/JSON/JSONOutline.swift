/// The keys of the outer objects of a JSON text. A scan finds them even if the text has a syntax error, so the format can be
/// recognized and its reader can report the error.
package struct JSONOutline {
    /// The keys of the outermost object.
    private(set) var outer: Set<ArraySlice<UInt8>> = []
    /// The keys of the objects directly in the outermost object.
    private(set) var inner: Set<ArraySlice<UInt8>> = []

    /// Nil if the text does not begin with an object. Skips `//` comments.
    package init?(_ bytes: [UInt8]) {
        var offset = bytes.starts(with: [0xef, 0xbb, 0xbf]) ? 3 : 0
        var depth = 0
        var lastString: Range<Int>?
        while offset < bytes.count {
            let byte = bytes[offset]
            offset += 1
            if byte.isWhiteSpace { continue }
            if byte == UInt8(ascii: "/"), offset < bytes.count, bytes[offset] == UInt8(ascii: "/") {
                while offset < bytes.count, bytes[offset] != UInt8(ascii: "\n") { offset += 1 }
                continue
            }
            guard depth > 0 || byte == UInt8(ascii: "{") else { break }
            switch byte {
            case UInt8(ascii: "{"), UInt8(ascii: "["): depth += 1
            case UInt8(ascii: "}"), UInt8(ascii: "]"): depth -= 1
            case UInt8(ascii: "\""):
                let start = offset
                while offset < bytes.count, bytes[offset] != UInt8(ascii: "\"") {
                    offset += bytes[offset] == UInt8(ascii: "\\") ? 2 : 1
                }
                lastString = start..<min(offset, bytes.count)
                offset += 1
                continue
            case UInt8(ascii: ":"):
                if depth == 1, let lastString { outer.insert(bytes[lastString]) }
                if depth == 2, let lastString { inner.insert(bytes[lastString]) }
            default: break
            }
            lastString = nil
            if depth == 0 { return }
        }
        guard depth > 0 else { return nil }
    }

    package func hasOuter(_ key: String) -> Bool { outer.contains(Array(key.utf8)[...]) }
    package func hasInner(_ key: String) -> Bool { inner.contains(Array(key.utf8)[...]) }
}
