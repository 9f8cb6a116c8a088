/// Reads a subset of YAML 1.2: block and flow collections, plain and quoted scalars on one line, block scalars, comments, and
/// several documents in one text.
///
/// An alias, a tag, a template, or a flow scalar over several lines becomes ``YAMLValue/Content/unsupported(_:)``. Directives,
/// complex keys, tabs as indentation, and lines that do not belong to the subset are errors. The reader never guesses a value.
package struct YAMLReader {
    /// Maximum size of a text, in bytes.
    package static let maximumSize = 4 << 20
    /// Maximum nesting depth of collections.
    package static let maximumDepth = 48

    let bytes: [UInt8]
    /// The lines other than blank lines and comments.
    private var lines: [Line] = []
    private var next = 0

    /// A line, or the part of a line after `- `.
    struct Line {
        /// Number of spaces before ``start``.
        var indentation: Int
        /// The offset of the first character after the indentation.
        var start: Int
        /// The offset of the line break or the end of the text.
        let end: Int
        /// The offset of the first character of the whole line.
        let lineStart: Int
        /// The number of the line, from 1.
        let number: Int
        let isComment: Bool
    }

    /// The documents of a text.
    ///
    /// - Throws: ``YAMLError`` if the text is not in the subset.
    package static func documents(_ bytes: [UInt8]) throws(YAMLError) -> [YAMLValue] {
        guard bytes.count <= maximumSize else {
            throw YAMLError(
                position: SourcePosition(line: 1, column: 1), message: "the text is longer than \(maximumSize) bytes")
        }
        guard String(validating: bytes, as: UTF8.self) != nil else {
            throw YAMLError(position: SourcePosition(line: 1, column: 1), message: "the text is not UTF-8")
        }
        if let offset = otherLineBreak(in: bytes) {
            throw YAMLError(
                position: SourcePosition(of: offset, in: bytes),
                message:
                    "a line break other than LF and CR LF is not supported, because YAML readers differ in its meaning")
        }
        var reader = YAMLReader(bytes)
        return try reader.documents()
    }

    /// The offset of the first CR without LF (YAML 1.2.2, section 5.4) or the first NEL, LS or PS (YAML 1.1, section 4.2).
    private static func otherLineBreak(in bytes: [UInt8]) -> Int? {
        bytes.indices.first { index in
            switch bytes[index] {
            case UInt8(ascii: "\r"): index + 1 == bytes.count || bytes[index + 1] != UInt8(ascii: "\n")
            case 0xc2: bytes[(index + 1)...].first == 0x85
            case 0xe2:
                bytes[index...].starts(with: [0xe2, 0x80, 0xa8]) || bytes[index...].starts(with: [0xe2, 0x80, 0xa9])
            default: false
            }
        }
    }

    private init(_ bytes: [UInt8]) {
        self.bytes = bytes
        var start = bytes.starts(with: [0xef, 0xbb, 0xbf]) ? 3 : 0
        var number = 1
        while start < bytes.count {
            var end = start
            while end < bytes.count, bytes[end] != UInt8(ascii: "\n") { end += 1 }
            let lineEnd = end > start && bytes[end - 1] == UInt8(ascii: "\r") ? end - 1 : end
            var first = start
            while first < lineEnd, bytes[first] == UInt8(ascii: " ") { first += 1 }
            if bytes[first..<lineEnd].contains(where: { !$0.isWhiteSpace }) {
                lines.append(
                    Line(
                        indentation: first - start, start: first, end: lineEnd, lineStart: start, number: number,
                        isComment: bytes[first] == UInt8(ascii: "#")))
            }
            (start, number) = (end + 1, number + 1)
        }
    }

    // MARK: Positions

    func position(of offset: Int, in line: Line) -> SourcePosition {
        let column = bytes[line.lineStart..<max(line.lineStart, min(offset, line.end))].count { $0 & 0xc0 != 0x80 } + 1
        return SourcePosition(line: line.number, column: column)
    }

    private func error(_ message: String, at offset: Int, in line: Line) -> YAMLError {
        YAMLError(position: position(of: offset, in: line), message: message)
    }

    // MARK: Lines

    /// The next line that is neither blank nor a comment; nil at the end of the text.
    private mutating func line() -> Line? {
        while next < lines.count, lines[next].isComment { next += 1 }
        return next < lines.count ? lines[next] : nil
    }

    private func isMarker(_ line: Line, _ marker: String) -> Bool {
        guard line.indentation == 0, line.start == line.lineStart || line.number == 1,
            bytes[line.start..<line.end].starts(with: marker.utf8)
        else { return false }
        let after = line.start + 3
        return after >= line.end || bytes[after].isWhiteSpace
    }

    private func isEnd(_ line: Line) -> Bool { isMarker(line, "---") || isMarker(line, "...") }

    private mutating func documents() throws(YAMLError) -> [YAMLValue] {
        var documents: [YAMLValue] = []
        while let line = line() {
            if isMarker(line, "...") {
                next += 1
            } else if isMarker(line, "---") {
                var rest = line
                rest.start = line.start + 3
                skipBlanks(&rest)
                guard !isComment(rest) else {
                    next += 1
                    continue
                }
                rest.indentation = rest.start - rest.lineStart
                lines[next] = rest
                documents.append(try block(depth: 0))
            } else if bytes[line.start] == UInt8(ascii: "%") {
                throw error("directives are not supported", at: line.start, in: line)
            } else {
                documents.append(try block(depth: 0))
            }
            if let line = self.line(), !isEnd(line) {
                throw error("the indentation does not match a line above", at: line.start, in: line)
            }
        }
        return documents
    }

    private func skipBlanks(_ line: inout Line) {
        while line.start < line.end, bytes[line.start] == UInt8(ascii: " ") || bytes[line.start] == UInt8(ascii: "\t") {
            line.start += 1
        }
    }

    /// Whether the rest of a line is empty or a comment.
    private func isComment(_ line: Line) -> Bool { line.start >= line.end || bytes[line.start] == UInt8(ascii: "#") }

    // MARK: Blocks

    /// Reads the collection or scalar that begins on the next line.
    private mutating func block(depth: Int) throws(YAMLError) -> YAMLValue {
        guard let line = line() else {
            return YAMLValue(.scalar("", isPlain: true), at: SourcePosition(line: 1, column: 1))
        }
        guard depth < Self.maximumDepth else {
            throw error("collections are nested more than \(Self.maximumDepth) levels deep", at: line.start, in: line)
        }
        if isItem(line) { return try sequence(indentation: line.indentation, depth: depth) }
        if try keyEnd(line) != nil { return try mapping(indentation: line.indentation, depth: depth) }
        return try inline(line, indentation: line.indentation - 1, depth: depth)
    }

    /// Whether a line begins with `- `.
    private func isItem(_ line: Line) -> Bool {
        guard bytes[line.start] == UInt8(ascii: "-"), !isEnd(line) else { return false }
        return line.start + 1 >= line.end || bytes[line.start + 1].isWhiteSpace
    }

    private mutating func sequence(indentation: Int, depth: Int) throws(YAMLError) -> YAMLValue {
        var values: [YAMLValue] = []
        var start: SourcePosition?
        while let line = line(), line.indentation == indentation, isItem(line) {
            start = start ?? position(of: line.start, in: line)
            var rest = line
            rest.start += 1
            skipBlanks(&rest)
            if isComment(rest) {
                next += 1
                values.append(try nested(below: indentation, allowsItems: false, at: line, depth: depth))
            } else {
                // The text after `- ` is a block. Its indentation is the column where it begins.
                rest.indentation = rest.start - rest.lineStart
                lines[next] = rest
                values.append(try block(depth: depth + 1))
            }
            if let line = self.line(), line.indentation > indentation {
                throw error("the indentation does not match a line above", at: line.start, in: line)
            }
        }
        return YAMLValue(.sequence(values), at: start ?? SourcePosition(line: 1, column: 1))
    }

    /// Reads the block below a line, which may be missing. In this case, returns an empty scalar.
    ///
    /// - Parameter allowsItems: whether list items with the same indentation belong to the block, as they do after a key.
    private mutating func nested(
        below indentation: Int, allowsItems: Bool, at parent: Line, depth: Int
    ) throws(YAMLError) -> YAMLValue {
        if let line = line(), !isEnd(line),
            line.indentation > indentation || allowsItems && line.indentation == indentation && isItem(line)
        {
            return try block(depth: depth + 1)
        }
        return YAMLValue(.scalar("", isPlain: true), at: position(of: parent.end, in: parent))
    }

    private mutating func mapping(indentation: Int, depth: Int) throws(YAMLError) -> YAMLValue {
        var members: [YAMLMember] = []
        var known: [ExactText: SourcePosition] = [:]
        var start: SourcePosition?
        while let line = line(), line.indentation == indentation, !isEnd(line), !isItem(line) {
            guard let end = try keyEnd(line) else {
                throw error("expected a key and a colon", at: line.start, in: line)
            }
            let keyPosition = position(of: line.start, in: line)
            start = start ?? keyPosition
            let key = try key(line, upTo: end)
            if let first = known.updateValue(keyPosition, forKey: ExactText(key)) {
                throw YAMLError(
                    position: keyPosition,
                    message: "the key \(key.withoutUserInfo.quotedExcerpt) occurs twice: first on line \(first.line)")
            }
            var rest = line
            rest.start = end + 1
            skipBlanks(&rest)
            let value: YAMLValue
            if bytes[line.start..<end].elementsEqual("<<".utf8) {
                value = try skipped("a merge key", rest, indentation: indentation)
            } else {
                value = try self.value(rest, indentation: indentation, depth: depth)
            }
            members.append(YAMLMember(key: key, at: keyPosition, value: value))
            if let line = self.line(), line.indentation > indentation, !isEnd(line) {
                throw error("the indentation does not match a line above", at: line.start, in: line)
            }
        }
        return YAMLValue(.mapping(members), at: start ?? SourcePosition(line: 1, column: 1))
    }

    /// Reads the value after a key.
    private mutating func value(_ rest: Line, indentation: Int, depth: Int) throws(YAMLError) -> YAMLValue {
        var rest = rest
        // An anchor only names the value, so it is skipped.
        if rest.start < rest.end, bytes[rest.start] == UInt8(ascii: "&") {
            while rest.start < rest.end, !bytes[rest.start].isWhiteSpace { rest.start += 1 }
            skipBlanks(&rest)
        }
        guard isComment(rest) else { return try inline(rest, indentation: indentation, depth: depth) }
        next += 1
        return try nested(below: indentation, allowsItems: true, at: rest, depth: depth)
    }

    /// Reads a value that begins on the current line.
    ///
    /// - Parameter indentation: the indentation of the key. Lines with more indentation belong to the value.
    private mutating func inline(_ line: Line, indentation: Int, depth: Int) throws(YAMLError) -> YAMLValue {
        switch bytes[line.start] {
        case UInt8(ascii: "*"): return try skipped("an alias", line, indentation: indentation)
        case UInt8(ascii: "&"): return try skipped("an anchor", line, indentation: indentation)
        case UInt8(ascii: "!"): return try skipped("a tag", line, indentation: indentation)
        case UInt8(ascii: "|"), UInt8(ascii: ">"): return blockScalar(line, indentation: indentation)
        case UInt8(ascii: "{") where line.start + 1 < line.end && bytes[line.start + 1] == UInt8(ascii: "{"):
            return try skipped("a template", line, indentation: indentation)
        case UInt8(ascii: "@"), UInt8(ascii: "`"), UInt8(ascii: "%"):
            throw error("a value cannot begin with this character", at: line.start, in: line)
        case UInt8(ascii: "{"), UInt8(ascii: "["):
            var flow = YAMLFlow(bytes, at: line.start, line: line.number, lineStart: line.lineStart)
            let value = try flow.value(depth: depth)
            try flow.checkEndOfLine()
            while next < lines.count, lines[next].lineStart < flow.offset { next += 1 }
            return value
        case UInt8(ascii: "\""), UInt8(ascii: "'"):
            var flow = YAMLFlow(bytes, at: line.start, line: line.number, lineStart: line.lineStart)
            guard let text = try flow.quoted() else {
                return try skipped("a quoted scalar over several lines", line, indentation: indentation)
            }
            try flow.checkEndOfLine()
            next += 1
            return YAMLValue(.scalar(text, isPlain: false), at: position(of: line.start, in: line))
        default: return try plain(line, indentation: indentation)
        }
    }

    private mutating func plain(_ line: Line, indentation: Int) throws(YAMLError) -> YAMLValue {
        let text = Self.withoutComment(bytes[line.start..<line.end])
        next += 1
        if let below = self.line(), below.indentation > indentation, !isEnd(below) {
            next -= 1
            return try skipped("a plain scalar over several lines", line, indentation: indentation)
        }
        let position = position(of: line.start, in: line)
        // A second colon would begin a mapping, which is not allowed on the line of a key.
        guard !Self.hasKeyMark(text) else {
            return YAMLValue(.unsupported("a colon in a plain scalar"), at: position)
        }
        return YAMLValue(.scalar(String(decoding: text, as: UTF8.self), isPlain: true), at: position)
    }

    static func withoutComment(_ text: ArraySlice<UInt8>) -> ArraySlice<UInt8> {
        var end = text.endIndex
        for index in text.indices
        where text[index] == UInt8(ascii: "#") && (index == text.startIndex || text[index - 1].isWhiteSpace) {
            end = index
            break
        }
        return text[..<end].trimmed
    }

    /// Whether a text contains a colon before a space or at its end.
    private static func hasKeyMark(_ text: ArraySlice<UInt8>) -> Bool {
        text.indices.contains { index in
            text[index] == UInt8(ascii: ":") && (index + 1 == text.endIndex || text[index + 1].isWhiteSpace)
        }
    }

    /// Skips a value and the lines that belong to it.
    private mutating func skipped(_ reason: String, _ line: Line, indentation: Int) throws(YAMLError) -> YAMLValue {
        next += 1
        while next < lines.count, lines[next].indentation > indentation || lines[next].isComment {
            if isEnd(lines[next]) { break }
            next += 1
        }
        return YAMLValue(.unsupported(reason), at: position(of: line.start, in: line))
    }

    /// Reads the lines of a block scalar and removes their common indentation.
    private mutating func blockScalar(_ line: Line, indentation: Int) -> YAMLValue {
        next += 1
        var text: [UInt8] = []
        var common: Int?
        while next < lines.count, lines[next].indentation > indentation {
            let content = lines[next]
            let indent = common ?? content.indentation
            common = indent
            text += bytes[min(content.end, content.lineStart + min(indent, content.indentation))..<content.end]
            text.append(UInt8(ascii: "\n"))
            next += 1
        }
        return YAMLValue(
            .scalar(String(decoding: text, as: UTF8.self), isPlain: false), at: position(of: line.start, in: line))
    }

    // MARK: Keys

    /// The offset of the colon after a key; nil if the line is not a member of a mapping.
    private func keyEnd(_ line: Line) throws(YAMLError) -> Int? {
        var index = line.start
        switch bytes[index] {
        case UInt8(ascii: "\t"): throw error("the indentation contains a tab", at: index, in: line)
        case UInt8(ascii: "?") where index + 1 >= line.end || bytes[index + 1].isWhiteSpace:
            throw error("complex keys are not supported", at: index, in: line)
        case UInt8(ascii: "\""), UInt8(ascii: "'"):
            var flow = YAMLFlow(bytes, at: index, line: line.number, lineStart: line.lineStart)
            guard try flow.quoted() != nil else { return nil }
            index = flow.offset
            guard index < line.end, bytes[index] == UInt8(ascii: ":") else { return nil }
            return index
        case UInt8(ascii: "{"), UInt8(ascii: "["), UInt8(ascii: "|"), UInt8(ascii: ">"), UInt8(ascii: "!"),
            UInt8(ascii: "*"), UInt8(ascii: "&"), UInt8(ascii: "@"), UInt8(ascii: "`"), UInt8(ascii: "%"):
            return nil
        default: break
        }
        while index < line.end {
            if bytes[index] == UInt8(ascii: "#"), index > line.start, bytes[index - 1].isWhiteSpace { return nil }
            if bytes[index] == UInt8(ascii: ":"), index + 1 >= line.end || bytes[index + 1].isWhiteSpace {
                return index
            }
            index += 1
        }
        return nil
    }

    private func key(_ line: Line, upTo end: Int) throws(YAMLError) -> String {
        let first = bytes[line.start]
        guard first == UInt8(ascii: "\"") || first == UInt8(ascii: "'") else {
            return String(decoding: bytes[line.start..<end].trimmed, as: UTF8.self)
        }
        var flow = YAMLFlow(bytes, at: line.start, line: line.number, lineStart: line.lineStart)
        return try flow.quoted() ?? ""
    }
}
