/// The byte ranges of a JSON value and of its members, in the order of the text.
///
/// The text must be one that ``JSONDocument`` has read without an error. For other texts, the ranges are meaningless.
package struct JSONSourceMap: Sendable {
    /// The byte range of the value.
    package let range: Range<Int>
    /// The members of an object or the elements of an array; empty for other values.
    package let members: [Member]

    package struct Member: Sendable {
        /// The key with its quotes; nil in an array.
        package let key: Range<Int>?
        package let value: JSONSourceMap

        /// The start of the key or, in an array, of the value.
        package var start: Int { key?.lowerBound ?? value.range.lowerBound }
        package var end: Int { value.range.upperBound }
    }

    package init(of bytes: [UInt8]) {
        var scanner = JSONScanner(bytes: bytes, offset: bytes.starts(with: [0xef, 0xbb, 0xbf]) ? 3 : 0)
        self = scanner.value()
    }

    fileprivate init(_ range: Range<Int>, _ members: [Member] = []) { (self.range, self.members) = (range, members) }
}

/// Scans a valid text. For an invalid one, it still advances and stays within the text.
private struct JSONScanner {
    let bytes: [UInt8]
    var offset: Int

    private var byte: UInt8? { offset < bytes.count ? bytes[offset] : nil }

    mutating func value() -> JSONSourceMap {
        skip(" \t\r\n,:")
        let start = offset
        switch byte {
        case UInt8(ascii: "{"): return container(closedBy: UInt8(ascii: "}"), hasKeys: true)
        case UInt8(ascii: "["): return container(closedBy: UInt8(ascii: "]"), hasKeys: false)
        case UInt8(ascii: "\""): return JSONSourceMap(string())
        default:
            while let byte, !" \t\r\n,:]}".utf8.contains(byte) { offset += 1 }
            return JSONSourceMap(start..<offset)
        }
    }

    private mutating func container(closedBy closing: UInt8, hasKeys: Bool) -> JSONSourceMap {
        let start = offset
        offset += 1
        var members: [JSONSourceMap.Member] = []
        while true {
            skip(" \t\r\n,")
            guard let byte, byte != closing else { break }
            let before = offset
            let key = hasKeys ? string() : nil
            members.append(JSONSourceMap.Member(key: key, value: value()))
            guard offset > before else { break }
        }
        offset = min(offset + 1, bytes.count)
        return JSONSourceMap(start..<offset, members)
    }

    private mutating func string() -> Range<Int> {
        let start = offset
        offset += 1
        while let byte, byte != UInt8(ascii: "\"") { offset += byte == UInt8(ascii: "\\") ? 2 : 1 }
        offset = min(offset + 1, bytes.count)
        return start..<offset
    }

    private mutating func skip(_ skipped: StaticString) {
        let skipped = skipped.description.utf8
        while let byte, skipped.contains(byte) { offset += 1 }
    }
}
