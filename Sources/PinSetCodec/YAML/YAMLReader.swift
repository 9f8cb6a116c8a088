internal import Encodings

/// Reads a subset of YAML 1.2: block and flow collections, plain and quoted scalars on one line, block scalars, comments, and
/// several documents in one text.
///
/// An alias, a tag, a template, or a flow scalar over several lines becomes ``YAMLValue/Content/unsupported(_:)``. Directives other
/// than `%YAML`, complex keys of block mappings, and lines that do not belong to the subset are errors. The reader never guesses a
/// value. If valid YAML is an error, its message says that pinctl does not read it.
///
/// Common mistakes that YAML readers reject are errors too, also in a value that is not supported: open quotes, aliases without an
/// anchor, tabs as indentation, mappings where none is allowed. The list is not complete: libyaml rejects further texts, for example
/// a plain scalar after a tab in a flow collection.
package struct YAMLReader {
    /// Maximum size of a text, in bytes.
    package static let maximumSize = 4 << 20
    /// Maximum nesting depth of collections.
    package static let maximumDepth = 48

    let bytes: [UInt8]
    /// The lines other than blank lines and comments.
    var lines: [Line] = []
    var next = 0
    let anchors: YAMLAnchors

    /// The documents of a text.
    ///
    /// - Throws: ``YAMLError`` if the text is not in the subset.
    package static func documents(_ bytes: [UInt8]) throws(YAMLError) -> [YAMLValue] {
        guard bytes.count <= maximumSize else {
            throw YAMLError(
                position: SourcePosition(line: 1, column: 1),
                message: "pinctl does not read a text longer than \(maximumSize) bytes")
        }
        guard String(validating: bytes, as: UTF8.self) != nil else {
            throw YAMLError(
                position: SourcePosition(line: 1, column: 1),
                message: "pinctl reads YAML in UTF-8 only, and the text is not UTF-8")
        }
        if let offset = otherLineBreak(in: bytes) {
            throw YAMLError(
                position: SourcePosition(of: offset, in: bytes),
                message:
                    "pinctl does not read a line break other than LF and CR LF, because YAML readers differ in its meaning"
            )
        }
        if let offset = controlCharacter(in: bytes) {
            throw YAMLError(
                position: SourcePosition(of: offset, in: bytes), message: "a control character is not allowed")
        }
        var reader = YAMLReader(bytes)
        return try reader.documents()
    }

    private init(_ bytes: [UInt8]) {
        self.bytes = bytes
        anchors = YAMLAnchors(bytes)
        var start = bytes.starts(with: [0xef, 0xbb, 0xbf]) ? 3 : 0
        var number = 1
        while start < bytes.count {
            var end = start
            while end < bytes.count, bytes[end] != UInt8(ascii: "\n") { end += 1 }
            let lineEnd = end > start && bytes[end - 1] == UInt8(ascii: "\r") ? end - 1 : end
            var first = start
            while first < lineEnd, bytes[first] == UInt8(ascii: " ") { first += 1 }
            let isBlank = bytes[first..<lineEnd].allSatisfy(\.isWhiteSpace)
            if first < lineEnd {
                lines.append(
                    Line(
                        indentation: first - start, start: first, end: lineEnd, lineStart: start, number: number,
                        isComment: bytes[first] == UInt8(ascii: "#"), hasOnlyTabs: isBlank))
            }
            (start, number) = (end + 1, number + 1)
        }
    }

    // MARK: Documents

    private mutating func documents() throws(YAMLError) -> [YAMLValue] {
        var documents: [YAMLValue] = []
        // Directives are allowed here (YAML 1.2.2, section 9.1.1).
        var isPrefix = true
        while let line = line() {
            let isDirective = line.indentation == 0 && bytes[line.start] == UInt8(ascii: "%")
            defer { isPrefix = isMarker(line, "...") || isPrefix && isDirective }
            if isMarker(line, "...") {
                var rest = line
                rest.start += 3
                skipBlanks(&rest)
                guard isComment(rest) else { throw error("unexpected text after \"...\"", at: rest.start, in: line) }
                next += 1
                continue
            } else if isMarker(line, "---") {
                var rest = line
                rest.start = line.start + 3
                skipBlanks(&rest)
                guard !isComment(rest) else {
                    next += 1
                    continue
                }
                rest.indentation = rest.start - rest.lineStart
                guard !isItem(rest), try member(rest) == nil else {
                    throw error("a block collection cannot begin on the line of \"---\"", at: rest.start, in: line)
                }
                lines[next] = rest
                documents.append(try block(in: -1, allowsItems: false, depth: 0))
            } else if isDirective {
                guard isPrefix, isVersion(line) else {
                    throw error(
                        "pinctl does not read directives other than %YAML 1.1 and %YAML 1.2", at: line.start, in: line)
                }
                next += 1
                guard let line = self.line(), isMarker(line, "---") else {
                    throw error("expected \"---\" after the directive", at: line.start, in: line)
                }
                continue
            } else {
                documents.append(try block(in: -1, allowsItems: false, depth: 0))
            }
            if let line = self.line(), !isEnd(line) {
                throw error("the indentation does not match a line above", at: line.start, in: line)
            }
        }
        return documents
    }

    /// Whether a directive is `%YAML 1.1` or `%YAML 1.2`.
    private func isVersion(_ line: Line) -> Bool {
        let words = Self.withoutComment(bytes[line.start..<line.end]).split(whereSeparator: \.isWhiteSpace)
        let version = words.dropFirst().first.map { String(decoding: $0, as: UTF8.self) }
        return words.count == 2 && words.first?.elementsEqual("%YAML".utf8) ?? false
            && (version == "1.1" || version == "1.2")
    }

    // MARK: Blocks

    /// Reads the collection or scalar that begins on the next line.
    ///
    /// - Parameters:
    ///   - parent: the indentation of the collection around it; -1 for a document.
    ///   - allowsItems: whether list items with the indentation of the parent can follow an anchor or a tag.
    mutating func block(in parent: Int, allowsItems: Bool, depth: Int) throws(YAMLError) -> YAMLValue {
        guard let line = line() else {
            return YAMLValue(.scalar("", isPlain: true), at: SourcePosition(line: 1, column: 1))
        }
        guard depth < Self.maximumDepth else {
            throw error(
                "pinctl does not read collections nested more than \(Self.maximumDepth) levels deep", at: line.start,
                in: line)
        }
        if isItem(line) { return try sequence(indentation: line.indentation, depth: depth) }
        if try member(line) != nil { return try mapping(indentation: line.indentation, depth: depth) }
        return try inline(line, indentation: parent, allowsItems: allowsItems, depth: depth)
    }

    private mutating func sequence(indentation: Int, depth: Int) throws(YAMLError) -> YAMLValue {
        var values: [YAMLValue] = []
        var start: SourcePosition?
        while let line = line(), line.indentation == indentation, isItem(line) {
            start = start ?? position(of: line.start, in: line)
            var rest = line
            rest.start += 1
            skipBlanks(&rest)
            if bytes[line.start..<rest.start].contains(UInt8(ascii: "\t")), !isComment(rest) {
                throw error(
                    "pinctl does not read a tab after \"-\", because YAML readers differ in its meaning",
                    at: line.start + 1, in: line)
            }
            if isComment(rest) {
                next += 1
                values.append(try nested(below: indentation, allowsItems: false, at: line, depth: depth))
            } else {
                // The text after `- ` is a block. Its indentation is the column where it begins.
                rest.indentation = rest.start - rest.lineStart
                lines[next] = rest
                values.append(try block(in: indentation, allowsItems: false, depth: depth + 1))
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
    mutating func nested(
        below indentation: Int, allowsItems: Bool, at parent: Line, depth: Int
    ) throws(YAMLError) -> YAMLValue {
        if let line = line(), !isEnd(line),
            line.indentation > indentation || allowsItems && line.indentation == indentation && isItem(line)
        {
            return try block(in: indentation, allowsItems: allowsItems, depth: depth + 1)
        }
        return YAMLValue(.scalar("", isPlain: true), at: position(of: parent.end, in: parent))
    }

    private mutating func mapping(indentation: Int, depth: Int) throws(YAMLError) -> YAMLValue {
        var members: [YAMLMember] = []
        var known: [ExactText: SourcePosition] = [:]
        var start: SourcePosition?
        while let line = line(), line.indentation == indentation, !isEnd(line), !isItem(line) {
            guard let (keyStart, end) = try member(line) else {
                let isOther = "*[{".utf8.contains(bytes[line.start])
                throw error(
                    isOther
                        ? "expected a key; pinctl does not read an alias or a collection as a key"
                        : "expected a key and a colon", at: line.start, in: line)
            }
            let keyPosition = position(of: line.start, in: line)
            start = start ?? keyPosition
            let key = try key(keyStart, upTo: end)
            if end + 1 < line.end, !bytes[end + 1].isWhiteSpace {
                throw error("expected a space after the colon", at: end + 1, in: line)
            }
            if let first = known.updateValue(keyPosition, forKey: ExactText(key)) {
                throw YAMLError(
                    position: keyPosition,
                    message: "the key \(key.withoutUserInfo.quotedExcerpt) occurs twice: first on line \(first.line)")
            }
            var rest = line
            rest.start = end + 1
            skipBlanks(&rest)
            var value = try self.value(rest, indentation: indentation, depth: depth)
            if bytes[keyStart.start..<end].elementsEqual("<<".utf8) {
                value = YAMLValue(.unsupported("a merge key"), at: value.position)
            }
            members.append(YAMLMember(key: key, at: keyPosition, value: value))
            if let line = self.line(), line.indentation > indentation, !isEnd(line) {
                throw error("the indentation does not match a line above", at: line.start, in: line)
            }
        }
        return YAMLValue(.mapping(members), at: start ?? SourcePosition(line: 1, column: 1))
    }
}
