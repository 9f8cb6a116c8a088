internal import Encodings

/// The anchors of a YAML text (YAML 1.2.2, section 6.9.2).
///
/// The search looks at the text only: `&name` in a string or in a comment counts too. So it finds every anchor, and an alias without
/// one is an error.
struct YAMLAnchors {
    /// The offset of the first anchor with each name.
    private var offsets: [ArraySlice<UInt8>: Int] = [:]

    init(_ bytes: [UInt8]) {
        var start = 0
        while let index = bytes[start...].firstIndex(of: UInt8(ascii: "&")) {
            let name = Self.name(after: index, in: bytes)
            if offsets[name] == nil { offsets[name] = index }
            start = name.endIndex
        }
    }

    /// Whether an anchor with the name of an alias is before it.
    func hasAnchor(ofAliasAt offset: Int, in bytes: [UInt8]) -> Bool {
        let name = Self.name(after: offset, in: bytes)
        return !name.isEmpty && offsets[name].map { $0 < offset } ?? false
    }

    /// The name after `&` or `*`, up to white space or a flow indicator.
    static func name(after offset: Int, in bytes: [UInt8]) -> ArraySlice<UInt8> {
        bytes[(offset + 1)...].prefix { !$0.isWhiteSpace && !",[]{}".utf8.contains($0) }
    }
}
