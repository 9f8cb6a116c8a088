internal import Encodings

/// Comments that would become the label of an element if they stay.
extension XMLListEditor {
    /// Whether a comment in the text after an element without a label is its label.
    static func isLabelled(before text: [UInt8]) -> Bool {
        let end = text.firstIndex(of: UInt8(ascii: "\n")) ?? text.count
        var start = 0
        while let (kind, range) = text.markup(after: start), range.lowerBound < end, kind != .tag {
            if kind == .comment, isLabel(text[range]) { return true }
            start = range.upperBound
        }
        return false
    }

    /// Whether the last comment in the text between a tag and an element is the label of the element. The text can contain other
    /// elements.
    static func isLabelled(after text: [UInt8]) -> Bool {
        var (tagEnd, start) = (0, 0)
        var last: Range<Int>?
        while let (kind, range) = text.markup(after: start) {
            start = range.upperBound
            switch kind {
            case .comment: last = range
            case .tag: (tagEnd, last) = (start, nil)
            case .other: break
            }
        }
        guard let last, isLabel(text[last]) else { return false }
        let rest = text[last.upperBound...]
        let isOnLineOfTag = !text[tagEnd..<last.lowerBound].contains(UInt8(ascii: "\n"))
        return !TextLayout.hasBlankLine(rest) && !(isOnLineOfTag && rest.contains(UInt8(ascii: "\n")))
    }

    private static func isLabel(_ comment: ArraySlice<UInt8>) -> Bool {
        XMLText.label(ofComment: String(decoding: comment.dropFirst(4).dropLast(3), as: UTF8.self)) != nil
    }
}

extension [UInt8] {
    enum Markup: Hashable {
        case comment, tag
        /// A processing instruction or a CDATA section.
        case other
    }

    /// Whether a text contains markup of a kind, not inside other markup.
    func hasMarkup(_ wanted: Markup) -> Bool {
        var start = 0
        while let (kind, range) = markup(after: start) {
            if kind == wanted { return true }
            start = range.upperBound
        }
        return false
    }

    /// The first markup at or after `offset`.
    func markup(after offset: Int) -> (kind: Markup, range: Range<Int>)? {
        guard let start = self[offset...].firstIndex(of: UInt8(ascii: "<")) else { return nil }
        let text = self[start...]
        for (mark, end, kind) in [("<!--", "-->", Markup.comment), ("<?", "?>", .other), ("<![CDATA[", "]]>", .other)]
        where text.starts(with: mark.utf8) {
            let close = text.dropFirst(mark.utf8.count).firstRange(ignoringCase: end)
            return close.map { (kind, start..<$0.upperBound) }
        }
        // The value of an attribute can contain ">".
        var quote: UInt8?
        for index in text.indices {
            let byte = text[index]
            if byte == quote {
                quote = nil
            } else if quote == nil, byte == UInt8(ascii: "\"") || byte == UInt8(ascii: "'") {
                quote = byte
            } else if quote == nil, byte == UInt8(ascii: ">") {
                return (.tag, start..<index + 1)
            }
        }
        return nil
    }
}
