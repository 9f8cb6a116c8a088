internal import Encodings

/// Reads flow collections and quoted scalars of YAML, which include JSON.
struct YAMLFlow {
    let bytes: [UInt8]
    var offset: Int
    private var line: Int
    /// An offset on the line whose column is known, so that the columns of a long line are counted only once.
    private var counted: (offset: Int, column: Int)
    /// The anchors of the text; nil if no value is read.
    private let anchors: YAMLAnchors?

    init(_ bytes: [UInt8], at offset: Int, line: Int, lineStart: Int, anchors: YAMLAnchors? = nil) {
        (self.bytes, self.offset, self.line, self.anchors) = (bytes, offset, line, anchors)
        counted = (lineStart, 1)
    }

    var byte: UInt8? { offset < bytes.count ? bytes[offset] : nil }

    private mutating func position() -> SourcePosition {
        let end = max(counted.offset, min(offset, bytes.count))
        counted = (end, counted.column + bytes[counted.offset..<end].count { $0 & 0xc0 != 0x80 })
        return SourcePosition(line: line, column: counted.column)
    }

    mutating func error(_ message: String) -> YAMLError {
        YAMLError(position: position(), message: message)
    }

    /// Counts the line break before ``offset``.
    mutating func startLine() { (line, counted) = (line + 1, (offset, 1)) }

    /// Skips white space, line breaks and comments.
    private mutating func skip() {
        while let byte {
            if byte == UInt8(ascii: "\n") {
                offset += 1
                startLine()
            } else if byte.isWhiteSpace {
                offset += 1
            } else if byte == UInt8(ascii: "#"), offset == 0 || bytes[offset - 1].isWhiteSpace {
                while let byte = self.byte, byte != UInt8(ascii: "\n") { offset += 1 }
            } else {
                return
            }
        }
    }

    /// - Throws: if the line contains more text that is not a comment.
    mutating func checkEndOfLine() throws(YAMLError) {
        while let byte, byte != UInt8(ascii: "\n") {
            if byte == UInt8(ascii: "#") { break }
            guard byte.isWhiteSpace else { throw error("unexpected text after the end of the value") }
            offset += 1
        }
        while offset < bytes.count, bytes[offset] != UInt8(ascii: "\n") { offset += 1 }
    }

    mutating func value(depth: Int) throws(YAMLError) -> YAMLValue {
        guard depth < YAMLReader.maximumDepth else {
            throw error("pinctl does not read collections nested more than \(YAMLReader.maximumDepth) levels deep")
        }
        skip()
        let start = position()
        switch byte {
        case UInt8(ascii: "{"): return YAMLValue(try mapping(depth: depth), at: start)
        case UInt8(ascii: "["): return YAMLValue(.sequence(try sequence(depth: depth)), at: start)
        case UInt8(ascii: "\""), UInt8(ascii: "'"):
            let before = self
            if let text = try quoted() { return YAMLValue(.scalar(text, isPlain: false), at: start) }
            self = before
            guard skipQuoted() else { throw error("the quote is not closed") }
            return YAMLValue(.unsupported("a quoted scalar over several lines"), at: start)
        case UInt8(ascii: "*"):
            guard anchors?.hasAnchor(ofAliasAt: offset, in: bytes) ?? true else {
                throw error("the alias has no anchor before it")
            }
            offset = YAMLAnchors.name(after: offset, in: bytes).endIndex
            return YAMLValue(.unsupported("an alias"), at: start)
        case UInt8(ascii: "&"), UInt8(ascii: "!"):
            let tag = try skipProperties()
            return try valueOrNothing(depth: depth + 1).tagged(tag, at: start)
        case nil: throw error("expected a value, found the end of the text")
        case UInt8(ascii: ":"):
            throw error(
                "pinctl does not read a value that begins with \":\" here, because YAML readers differ in its meaning")
        case _ where !Self.canBeginPlain(bytes, at: offset, isInFlow: true):
            throw error("a value cannot begin with this character")
        default:
            let text = plain()
            guard skipLinesOfPlain() else { return YAMLValue(.scalar(text, isPlain: true), at: start) }
            return YAMLValue(.unsupported("a plain scalar over several lines"), at: start)
        }
    }

    /// Reads the value after a key, an anchor or a tag, which may be missing. In this case, returns an empty scalar.
    private mutating func valueOrNothing(depth: Int) throws(YAMLError) -> YAMLValue {
        skip()
        if let byte, ",]}:".utf8.contains(byte), byte != UInt8(ascii: ":") || isColonOfKey {
            return YAMLValue(.scalar("", isPlain: true), at: position())
        }
        return try value(depth: depth)
    }

    /// Whether white space follows the character at ``offset``.
    private var isColonOfKey: Bool { offset + 1 < bytes.count && bytes[offset + 1].isWhiteSpace }

    /// Skips the anchor and the tag before a value (YAML 1.2.2, section 6.9).
    ///
    /// - Returns: the tag.
    private mutating func skipProperties() throws(YAMLError) -> ArraySlice<UInt8>? {
        var tag: ArraySlice<UInt8>?
        var hasAnchor = false
        while let mark = byte, "&!".utf8.contains(mark) {
            let rest = bytes[offset...]
            let isVerbatim = rest.starts(with: "!<".utf8)
            let property = rest.prefix { !$0.isWhiteSpace && (isVerbatim || !",[]{}".utf8.contains($0)) }
            guard mark == UInt8(ascii: "!") ? tag == nil : !hasAnchor && property.count > 1 else {
                throw error("the anchor or the tag is not valid")
            }
            if mark == UInt8(ascii: "!") { tag = property } else { hasAnchor = true }
            offset = property.endIndex
            skip()
        }
        if byte == UInt8(ascii: "*") { throw error("an alias cannot have an anchor or a tag") }
        return tag
    }

    /// Skips the further lines of a plain scalar.
    ///
    /// - Returns: whether there are any.
    private mutating func skipLinesOfPlain() -> Bool {
        var hasLines = false
        while true {
            let before = self
            while let byte, byte.isWhiteSpace {
                offset += 1
                if byte == UInt8(ascii: "\n") { startLine() }
            }
            guard line > before.line, let byte, !",[]{}#".utf8.contains(byte), !plain().isEmpty else {
                self = before
                return hasLines
            }
            hasLines = true
        }
    }

    /// Reads a plain scalar up to a character that ends it in a flow collection.
    private mutating func plain() -> String {
        let start = offset
        while let byte, !",[]{}\n".utf8.contains(byte) {
            if byte == UInt8(ascii: ":") {
                let next = offset + 1 < bytes.count ? bytes[offset + 1] : UInt8(ascii: " ")
                if next.isWhiteSpace || ",[]{}".utf8.contains(next) { break }
            }
            if byte == UInt8(ascii: "#"), offset > start, bytes[offset - 1].isWhiteSpace { break }
            offset += 1
        }
        return String(decoding: bytes[start..<offset].trimmed, as: UTF8.self)
    }

    /// Whether a plain scalar can begin with the character at `offset` (YAML 1.2.2, section 7.3.3).
    static func canBeginPlain(_ bytes: [UInt8], at offset: Int, isInFlow: Bool) -> Bool {
        guard offset < bytes.count else { return false }
        if "-?:".utf8.contains(bytes[offset]) {
            guard offset + 1 < bytes.count else { return false }
            let next = bytes[offset + 1]
            // libyaml takes "-" before an indicator as text, and differs from other readers in ":".
            guard isInFlow, bytes[offset] != UInt8(ascii: "-") else { return !next.isWhiteSpace }
            return bytes[offset] == UInt8(ascii: "?") && !next.isWhiteSpace && !",[]{}".utf8.contains(next)
        }
        return !",[]{}#&*!|>'\"%@`".utf8.contains(bytes[offset])
    }

    private mutating func sequence(depth: Int) throws(YAMLError) -> [YAMLValue] {
        offset += 1
        var values: [YAMLValue] = []
        while true {
            skip()
            if byte == UInt8(ascii: "]") {
                offset += 1
                return values
            }
            let (isComplex, first) = (skipKeyMark(), line)
            let start = position()
            var element = try isComplex ? valueOrNothing(depth: depth + 1) : value(depth: depth + 1)
            // A key and a value without braces are a mapping (YAML 1.2.2, section 7.4.1).
            let value = try valueAfterColon(ofKeyOn: first, depth: depth)
            if isComplex {
                element = YAMLValue(.unsupported("a complex key"), at: start)
            } else if let value {
                let key = element.text.map { YAMLMember(key: $0, at: start, value: value) }
                element = YAMLValue(key.map { .mapping([$0]) } ?? .unsupported("a complex key"), at: start)
            }
            values.append(element)
            skip()
            switch byte {
            case UInt8(ascii: ","): offset += 1
            case UInt8(ascii: "]"): break
            default: throw error("expected \",\" or \"]\"")
            }
        }
    }

    /// Skips the `?` before a key.
    private mutating func skipKeyMark() -> Bool {
        guard byte == UInt8(ascii: "?"), isColonOfKey else { return false }
        offset += 1
        skip()
        return true
    }

    /// Reads the value after a key; nil if no colon follows the key.
    private mutating func valueAfterColon(ofKeyOn first: Int, depth: Int) throws(YAMLError) -> YAMLValue? {
        skip()
        guard byte == UInt8(ascii: ":") else { return nil }
        guard line == first else { throw error("pinctl does not read a key over several lines") }
        offset += 1
        return try valueOrNothing(depth: depth + 1)
    }

    private mutating func mapping(depth: Int) throws(YAMLError) -> YAMLValue.Content {
        offset += 1
        var members: [YAMLMember] = []
        var known: Set<ExactText> = []
        // In other collections, a mapping as a key is rare.
        let isTemplate = byte == UInt8(ascii: "{")
        var hasComplexKey = false
        while true {
            skip()
            if byte == UInt8(ascii: "}") {
                offset += 1
                guard hasComplexKey else { return .mapping(members) }
                return .unsupported(isTemplate ? "a template" : "a complex key")
            }
            let isComplex = skipKeyMark()
            hasComplexKey = hasComplexKey || isComplex
            let (start, first) = (position(), line)
            let key = try isComplex ? valueOrNothing(depth: depth + 1) : value(depth: depth + 1)
            let empty = YAMLValue(.scalar("", isPlain: true), at: position())
            let value = try valueAfterColon(ofKeyOn: first, depth: depth) ?? empty
            if let text = key.text {
                guard known.insert(ExactText(text)).inserted else {
                    throw YAMLError(
                        position: start, message: "the key \(text.withoutUserInfo.quotedExcerpt) occurs twice")
                }
                members.append(YAMLMember(key: text, at: start, value: value))
            } else {
                hasComplexKey = true
            }
            skip()
            switch byte {
            case UInt8(ascii: ","): offset += 1
            case UInt8(ascii: "}"): break
            default: throw error("expected \",\" or \"}\"")
            }
        }
    }
}
