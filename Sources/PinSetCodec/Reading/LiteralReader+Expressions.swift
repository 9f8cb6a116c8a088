internal import Encodings
internal import PropertyLists

/// Reads and skips the expressions of source code.
extension LiteralReader {
    /// Joins a string with the strings after it: with `+`, or in Objective-C also without a sign. Nil if something else is joined.
    mutating func joined(_ first: String) throws(PinSetFormatError) -> String? {
        var text = first
        while true {
            let end = offset
            _ = try skipTrivia()
            let hasPlus = take(UInt8(ascii: "+"))
            let isLiteral = byte == UInt8(ascii: "@") && byte(at: 1) == UInt8(ascii: "\"")
            guard hasPlus || isLiteral else {
                offset = end
                return text
            }
            guard case .string(let next) = try token() else { return nil }
            text += next
        }
    }

    /// Reads a message of Objective-C after its bracket: `[NSNumber numberWithBool:YES]`.
    ///
    /// Swift has arrays without an `@`. A text of Swift can look like Objective-C, so an array of literals is read, too.
    ///
    /// - Returns: nil for any other message.
    mutating func message(
        at start: Int, of key: String?, depth: Int
    ) throws(PinSetFormatError) -> PropertyListValue.Content? {
        let next = offset
        if try token() == .name("NSNumber"), try token() == .name("numberWithBool"),
            try token() == .mark(UInt8(ascii: ":")),
            let content = try literal(before: UInt8(ascii: "]"))
        {
            return content
        }
        offset = next
        let (count, wasProbing, skipped) = (unread.count, isProbing, skippedBytes)
        isProbing = true
        defer { isProbing = wasProbing }
        do throws(PinSetFormatError) {
            let content = try collection(until: UInt8(ascii: "]"), of: key, depth: depth)
            if unread.count == count { return content }
        } catch {
            guard limitError == nil, !isTooDeep else { throw error }
        }
        // The caller reads the expression again, to skip it.
        addRepeated(offset - start - (skippedBytes - skipped))
        return nil
    }

    /// Reads a number or a truth value and the bracket after it; nil for anything else.
    mutating func literal(before end: UInt8) throws(PinSetFormatError) -> PropertyListValue.Content? {
        let content: PropertyListValue.Content
        switch try token() {
        case .name("true"), .name("YES"): content = .bool(true)
        case .name("false"), .name("NO"): content = .bool(false)
        case .name(let name):
            guard let integer = Int128(name) else { return nil }
            content = .integer(integer)
        default: return nil
        }
        return try token() == .mark(end) ? content : nil
    }

    /// Whether the next byte ends a value in a dictionary, an array or a statement.
    ///
    /// - Parameter end: the end of the value.
    func endsExpression(from end: Int) -> Bool {
        guard let byte else { return true }
        if ",]});:@#".utf8.contains(byte) { return true }
        // After a line break, a name or a brace belongs to the next statement. On the same line, a macro of Objective-C can be joined.
        let isName = Self.isNameByte(byte) && !(isObjectiveC && !bytes[end..<offset].contains(where: \.endsLine))
        return isName || isJavaScript && "\"'`/".utf8.contains(byte)
    }

    /// Skips an expression up to the colon after it, which makes it a key. Returns false if another sign ends it.
    mutating func skipKeyExpression() throws(PinSetFormatError) -> Bool {
        let (start, skipped) = (offset, skippedBytes)
        // Each question mark of `a ? b : c` has a colon.
        var conditions = 0
        while true {
            _ = try skipTrivia()
            switch byte {
            case UInt8(ascii: ":"):
                guard conditions > 0 else { return true }
                conditions -= 1
            case UInt8(ascii: "?"): conditions += 1
            case UInt8(ascii: ","), UInt8(ascii: ";"), UInt8(ascii: "]"), UInt8(ascii: "}"), UInt8(ascii: ")"), nil:
                addRepeated(offset - start - (skippedBytes - skipped))
                return false
            case UInt8(ascii: "["), UInt8(ascii: "{"), UInt8(ascii: "("):
                if let end = ends[offset] {
                    (skippedBytes, offset) = (skippedBytes + end - offset, end)
                } else {
                    offset += 1
                    try skipExpressions()
                }
                continue
            case UInt8(ascii: "@"):
                offset += 1
                continue
            default: break
            }
            _ = try token()
        }
    }

    /// Skips the rest of a pair of brackets.
    private mutating func skipExpressions() throws(PinSetFormatError) {
        while byte != nil {
            try skipExpression()
            let closing = byte
            offset += 1
            if closing != UInt8(ascii: ","), closing != UInt8(ascii: ";") { return }
        }
    }

    /// Skips the rest of an expression up to the comma or the bracket after it.
    mutating func skipExpression() throws(PinSetFormatError) {
        var depth = 0
        while true {
            _ = try skipTrivia()
            guard let byte else { return }
            if let end = ends[offset] {
                (skippedBytes, offset) = (skippedBytes + end - offset, end)
                continue
            }
            switch byte {
            case UInt8(ascii: ","), UInt8(ascii: ";"): if depth == 0 { return }
            case UInt8(ascii: "["), UInt8(ascii: "{"), UInt8(ascii: "("): depth += 1
            case UInt8(ascii: "@"):
                // `token` would also read the bracket after it.
                offset += 1
                continue
            case UInt8(ascii: "]"), UInt8(ascii: "}"), UInt8(ascii: ")"):
                guard depth > 0 else { return }
                depth -= 1
            default: break
            }
            _ = try token()
        }
    }

    /// - Parameter end: the end of the expression; nil for the current offset.
    mutating func addUnread(from start: Int, to end: Int? = nil, key: String?) {
        let text = bytes[start..<(end ?? offset)].trimmed
        unread.append(
            Expression(
                text: String(decoding: text.prefix(60), as: UTF8.self), key: key, line: lines.line(of: text.startIndex))
        )
    }

    /// Adds the comment or string that does not end, if there is one.
    mutating func addUnclosed() {
        guard let unclosed else { return }
        addUnread(from: unclosed, to: min(bytes.count, unclosed + 20), key: nil)
    }
}
