internal import Encodings

/// Values that begin on the line of their key, `-` or `---`.
extension YAMLReader {
    /// Reads the value after a key.
    mutating func value(_ rest: Line, indentation: Int, depth: Int) throws(YAMLError) -> YAMLValue {
        guard isComment(rest) else {
            return try inline(rest, indentation: indentation, allowsItems: true, depth: depth)
        }
        next += 1
        return try nested(below: indentation, allowsItems: true, at: rest, depth: depth)
    }

    /// Skips the anchor and the tag before a value, and the blanks after them (YAML 1.2.2, section 6.9).
    ///
    /// - Returns: the tag.
    func skipProperties(_ line: inout Line) throws(YAMLError) -> ArraySlice<UInt8>? {
        var tag: ArraySlice<UInt8>?
        var hasAnchor = false
        while line.start < line.end, "&!".utf8.contains(bytes[line.start]) {
            let start = line.start
            let property = bytes[start..<line.end].prefix { !$0.isWhiteSpace }
            if bytes[start] == UInt8(ascii: "&") {
                guard property.count > 1 else { throw error("an anchor has no name", at: start, in: line) }
                guard !hasAnchor else { throw error("a value has two anchors", at: start, in: line) }
                hasAnchor = true
            } else {
                guard isTag(line) else { throw error("the tag is not valid", at: start, in: line) }
                guard tag == nil else { throw error("a value has two tags", at: start, in: line) }
                tag = property
            }
            line.start = property.endIndex
            skipBlanks(&line)
        }
        if hasAnchor || tag != nil, line.start < line.end, bytes[line.start] == UInt8(ascii: "*") {
            throw error("an alias cannot have an anchor or a tag", at: line.start, in: line)
        }
        return tag
    }

    /// Reads a value with an anchor, which only names it, or a tag.
    private mutating func valueWithProperties(
        _ line: Line, indentation: Int, allowsItems: Bool, depth: Int
    ) throws(YAMLError) -> YAMLValue {
        var rest = line
        let tag = try skipProperties(&rest)
        let value: YAMLValue
        if isComment(rest) {
            next += 1
            value = try nested(below: indentation, allowsItems: allowsItems, at: rest, depth: depth)
        } else {
            value = try inline(rest, indentation: indentation, allowsItems: allowsItems, depth: depth)
        }
        return value.tagged(tag, at: position(of: line.start, in: line))
    }

    /// Reads a value that begins on the current line.
    ///
    /// - Parameters:
    ///   - indentation: the indentation of the collection around the value. Lines with more indentation belong to the value.
    ///   - allowsItems: whether list items with this indentation can follow an anchor or a tag.
    mutating func inline(
        _ line: Line, indentation: Int, allowsItems: Bool, depth: Int
    ) throws(YAMLError) -> YAMLValue {
        switch bytes[line.start] {
        case UInt8(ascii: "*"):
            guard anchors.hasAnchor(ofAliasAt: line.start, in: bytes) else {
                throw error("the alias has no anchor before it", at: line.start, in: line)
            }
            var rest = line
            rest.start = YAMLAnchors.name(after: line.start, in: bytes).endIndex
            skipBlanks(&rest)
            try checkIsNoKey(rest)
            guard isComment(rest) else { throw error("unexpected text after an alias", at: rest.start, in: line) }
            next += 1
            return YAMLValue(.unsupported("an alias"), at: position(of: line.start, in: line))
        case UInt8(ascii: "&"), UInt8(ascii: "!"):
            return try valueWithProperties(line, indentation: indentation, allowsItems: allowsItems, depth: depth)
        case UInt8(ascii: "|"), UInt8(ascii: ">"):
            guard isBlockHeader(line) else {
                throw error("expected a line break after the start of a block scalar", at: line.start, in: line)
            }
            // The indicator counts from the indentation of the parent, which is not known here.
            if bytes[line.start..<line.end].prefix(3).contains(where: \.isDigit) {
                return try skipped("a block scalar with an indentation indicator", line, indentation: indentation)
            }
            return blockScalar(line, indentation: indentation)
        case _
        where !YAMLFlow.canBeginPlain(bytes, at: line.start, isInFlow: false)
            && !"{[\"'".utf8.contains(bytes[line.start]):
            throw error("a value cannot begin with this character", at: line.start, in: line)
        case UInt8(ascii: "{") where Self.isTemplate(bytes[line.start..<line.end]):
            return try skipped("a template", line, indentation: indentation)
        case UInt8(ascii: "{"), UInt8(ascii: "["):
            var flow = YAMLFlow(
                bytes, at: line.start, line: line.number, lineStart: line.lineStart, anchors: anchors)
            let value = try flow.value(depth: depth)
            var rest = line
            rest.start = min(flow.offset, line.end)
            skipBlanks(&rest)
            try checkIsNoKey(rest)
            try flow.checkEndOfLine()
            while next < lines.count, lines[next].lineStart < flow.offset { next += 1 }
            return value
        case UInt8(ascii: "\""), UInt8(ascii: "'"):
            var flow = YAMLFlow(bytes, at: line.start, line: line.number, lineStart: line.lineStart)
            guard let text = try flow.quoted() else {
                flow = YAMLFlow(bytes, at: line.start, line: line.number, lineStart: line.lineStart)
                guard flow.skipQuoted() else { throw error("the quote is not closed", at: line.start, in: line) }
                try flow.checkEndOfLine()
                while next < lines.count, lines[next].lineStart < flow.offset { next += 1 }
                return YAMLValue(
                    .unsupported("a quoted scalar over several lines"), at: position(of: line.start, in: line))
            }
            try flow.checkEndOfLine()
            next += 1
            return YAMLValue(.scalar(text, isPlain: false), at: position(of: line.start, in: line))
        default: return try plain(line, indentation: indentation)
        }
    }

    /// Whether a value is a template, such as `{{ .Values.host }}:{{ .Values.port }}`. It becomes YAML when it is rendered.
    private static func isTemplate(_ text: ArraySlice<UInt8>) -> Bool {
        text.starts(with: "{{".utf8) && text.dropFirst(2).firstRange(ignoringCase: "}}") != nil
    }

    /// - Throws: if a colon follows an alias or a collection.
    private func checkIsNoKey(_ rest: Line) throws(YAMLError) {
        guard rest.start < rest.end, bytes[rest.start] == UInt8(ascii: ":") else { return }
        throw error("pinctl does not read an alias or a collection as a key", at: rest.start, in: rest)
    }

    private mutating func plain(_ line: Line, indentation: Int) throws(YAMLError) -> YAMLValue {
        let text = Self.withoutComment(bytes[line.start..<line.end])
        let position = position(of: line.start, in: line)
        try checkPlain(text, in: line)
        next += 1
        var hasComment = text.endIndex < bytes[line.start..<line.end].trimmed.endIndex
        if !hasComment { try checkTabs(indentation: indentation) }
        let following = next
        guard let below = self.line(), below.indentation > indentation, !isEnd(below) else {
            return YAMLValue(.scalar(String(decoding: text, as: UTF8.self), isPlain: true), at: position)
        }
        next = following
        // A comment ends a scalar, so only its last line can have one.
        while next < lines.count, lines[next].indentation > indentation, !isEnd(lines[next]) {
            let part = lines[next]
            if !part.isSkipped {
                guard !hasComment else { throw error("unexpected text after a scalar", at: part.start, in: part) }
                let text = Self.withoutComment(bytes[part.start..<part.end])
                try checkPlain(text, in: part)
                hasComment = text.endIndex < bytes[part.start..<part.end].trimmed.endIndex
            } else if part.isComment {
                hasComment = true
            }
            next += 1
            if !hasComment { try checkTabs(indentation: indentation) }
        }
        return YAMLValue(.unsupported("a plain scalar over several lines"), at: position)
    }

    /// - Throws: if the next line begins with a tab and contains only white space. After a plain scalar in a collection, libyaml and
    ///   yaml-cpp take the tab as indentation.
    private func checkTabs(indentation: Int) throws(YAMLError) {
        guard indentation >= 0, next < lines.count, lines[next].hasOnlyTabs, lines[next].indentation == 0 else {
            return
        }
        throw error("a tab is not allowed as indentation", at: lines[next].start, in: lines[next])
    }

    /// - Throws: if a plain scalar contains a colon before a space or at its end, which would make it the key of a mapping.
    private func checkPlain(_ text: ArraySlice<UInt8>, in line: Line) throws(YAMLError) {
        guard let colon = Self.keyMark(text) else { return }
        throw error("a mapping is not allowed here; a scalar with a colon needs quotes", at: colon, in: line)
    }

    /// Whether a tag is complete, and has no handle of a `%TAG` directive.
    private func isTag(_ line: Line) -> Bool {
        let tag = bytes[line.start..<line.end].prefix { !$0.isWhiteSpace }
        if tag.dropFirst().first == UInt8(ascii: "<") { return tag.count > 3 && tag.last == UInt8(ascii: ">") }
        return !tag.dropFirst(2).contains(UInt8(ascii: "!"))
    }

    /// Whether a line contains only `|` or `>`, an indentation and a chomping indicator in either order, and a comment.
    private func isBlockHeader(_ line: Line) -> Bool {
        let header = bytes[(line.start + 1)..<line.end].prefix { !$0.isWhiteSpace }
        let digits = header.count { (UInt8(ascii: "1")...UInt8(ascii: "9")).contains($0) }
        let signs = header.count { "+-".utf8.contains($0) }
        var rest = line
        rest.start = header.endIndex
        skipBlanks(&rest)
        return digits <= 1 && signs <= 1 && digits + signs == header.count && isComment(rest)
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

    /// The offset of the first colon before a space or at the end of the text.
    private static func keyMark(_ text: ArraySlice<UInt8>) -> Int? {
        text.indices.first { index in
            text[index] == UInt8(ascii: ":") && (index + 1 == text.endIndex || text[index + 1].isWhiteSpace)
        }
    }

    /// Skips a value and the lines that belong to it.
    mutating func skipped(_ reason: String, _ line: Line, indentation: Int) throws(YAMLError) -> YAMLValue {
        next += 1
        while next < lines.count, lines[next].indentation > indentation || lines[next].isSkipped {
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
        // The text of a document has at least one space before it, as in libyaml.
        while next < lines.count, lines[next].indentation > max(0, indentation) {
            let content = lines[next]
            let indent = common ?? content.indentation
            if !content.hasOnlyTabs { common = indent }
            text += bytes[min(content.end, content.lineStart + min(indent, content.indentation))..<content.end]
            text.append(UInt8(ascii: "\n"))
            next += 1
        }
        return YAMLValue(
            .scalar(String(decoding: text, as: UTF8.self), isPlain: false), at: position(of: line.start, in: line))
    }
}
