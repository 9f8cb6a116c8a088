/// Edits a list of elements in an XML text: removes and inserts elements, and sets the comments that are their labels. Every other
/// byte stays, also comments, processing instructions and elements that are no items of the list.
package struct XMLListEditor {
    /// An existing element of the list.
    package struct Item: Sendable {
        package let element: Range<Int>
        /// The comment that is the label of the element, before or after it.
        package let label: Range<Int>?

        package init(element: Range<Int>, label: Range<Int>?) { (self.element, self.label) = (element, label) }

        /// The start of the element or of the label before it.
        var start: Int { min(element.lowerBound, label?.lowerBound ?? element.lowerBound) }
        var end: Int { max(element.upperBound, label?.upperBound ?? element.upperBound) }
        var hasLabelBefore: Bool { start < element.lowerBound }
    }

    /// An element of the new list. Labels are texts of comments (``XMLText/label(ofComment:)``).
    package enum Step: Sendable {
        /// An existing item. A label of nil means that its label stays.
        case kept(Int, label: String?)
        /// The text of a new element.
        case added(String, label: String?)

        fileprivate var label: String? {
            switch self {
            case .kept(_, let label), .added(_, let label): label
            }
        }
    }

    private let layout: TextLayout
    private let inner: Range<Int>
    private let items: [Item]
    private let outerIndentation: String
    /// The indentation of the items; nil if no item is the first text on its line.
    package let indentation: String?

    /// - Parameters:
    ///   - inner: the range between the tags of the list.
    ///   - items: the existing elements in the order of the text.
    ///   - indentation: the indentation of new elements if there are no items; nil for a list on one line.
    ///   - outerIndentation: the indentation of the list.
    package init(
        _ layout: TextLayout, inner: Range<Int>, items: [Item], indentation: String?, outerIndentation: String
    ) {
        (self.layout, self.inner, self.items) = (layout, inner, items)
        self.outerIndentation = outerIndentation
        self.indentation =
            items.isEmpty ? indentation : items.lazy.compactMap { layout.indentation(before: $0.start) }.first
    }

    /// Whether there is only white space between the tags besides the items and their labels.
    package var hasOnlyItems: Bool {
        var start = inner.lowerBound
        for range in items.flatMap({ ranges(of: $0) }) {
            guard isWhiteSpace(start..<range.lowerBound) else { return false }
            start = range.upperBound
        }
        return isWhiteSpace(start..<inner.upperBound)
    }

    /// The edits for a list with these elements. The kept items must have their order in the text. All other items are removed.
    package func edits(_ steps: [Step]) -> [TextEdit] {
        var kept: Set<Int> = []
        for case .kept(let index, _) in steps { kept.insert(index) }
        var edits: [TextEdit] = []
        for (index, item) in items.enumerated() where !kept.contains(index) {
            var ranges = ranges(of: item)
            if let last = ranges.popLast() { ranges.append(last.lowerBound..<endOfComments(after: index)) }
            edits += ranges.map { TextEdit(range: layout.removal(of: $0), text: "") }
        }
        // If labels are on the line of their elements, a new element needs its own line. Otherwise its label would be the label of
        // another element.
        let needsLines = items.contains { $0.label != nil } || steps.contains { $0.label != nil }
        let separator = indentation.map { layout.lineEnd + $0 } ?? (needsLines ? layout.lineEnd : "")
        var previous: Int?
        var added: [String] = []
        for step in steps {
            switch step {
            case .kept(let index, let label):
                edits += insertion(of: added, after: previous, before: index, separator)
                added = []
                previous = index
                if let label { edits.append(setting(label, of: items[index])) }
            case .added(let text, let label):
                let isOnOwnLine = indentation != nil
                added.append((label.map { "<!-- \($0) -->" + (isOnOwnLine ? separator : "") } ?? "") + text)
            }
        }
        return edits + insertion(of: added, after: previous, before: nil, separator)
    }

    /// - Parameters:
    ///   - previous: the kept item before the new elements.
    ///   - next: the kept item after them.
    private func insertion(
        of texts: [String], after previous: Int?, before next: Int?, _ separator: String
    ) -> [TextEdit] {
        guard !texts.isEmpty else { return [] }
        let before = texts.map { separator + $0 }.joined()
        guard !items.isEmpty else {
            guard !isWhiteSpace(inner) else {
                let end = indentation == nil ? separator : layout.lineEnd + outerIndentation
                return [TextEdit(range: inner, text: before + end)]
            }
            return [insertionAtStart(of: texts, separator)]
        }
        // New elements without a kept item before them replace the removed items at the start of the list.
        let anchor = previous ?? (next ?? items.count) - 1
        if previous == nil, hasOtherComments(before: anchor) { return [insertionAtStart(of: texts, separator)] }
        guard anchor >= 0 else {
            // A comment on the line of the start tag would be no label.
            let start = items[0].start
            let isOnTagLine = indentation != nil && layout.indentation(before: start) == nil
            let text = (isOnTagLine ? separator : "") + texts.map { $0 + separator }.joined()
            return [TextEdit(range: start..<start, text: text)]
        }
        let end = endOfLine(after: anchor)
        // A comment after the new element on its line would be its label, also if it is the label of the next item.
        let limit = anchor + 1 < items.count ? items[anchor + 1].start : inner.upperBound
        let rest = layout.bytes[end..<limit]
        let hasLabelNext =
            anchor + 1 < items.count && items[anchor + 1].hasLabelBefore
            && (indentation == nil || !rest.contains(UInt8(ascii: "\n")))
        let hasCommentNext = rest.prefix { $0 != UInt8(ascii: "\n") }.firstRange(ignoringCase: "<!--") != nil
        let after = hasCommentNext && separator.isEmpty ? layout.lineEnd : separator
        return [TextEdit(range: end..<end, text: before + (hasLabelNext || hasCommentNext ? after : ""))]
    }

    /// Inserts elements before all comments but those on the line of the start tag. A comment before a new element would be its label.
    private func insertionAtStart(of texts: [String], _ separator: String) -> TextEdit {
        let line = separator.isEmpty ? layout.lineEnd : separator
        let text = texts.map { line + $0 }.joined()
        if let start = endOfTagLine { return TextEdit(range: start..<start, text: text) }
        return TextEdit(range: inner.lowerBound..<inner.lowerBound, text: text + line)
    }

    /// The end of the comments on the line of the start tag; nil if there is other text on this line.
    private var endOfTagLine: Int? {
        let limit = items.first?.start ?? inner.upperBound
        let end = layout.endOfTrailingMarkup(after: inner.lowerBound, limit: limit)
        guard let next = layout.bytes[end..<limit].firstIndex(where: { !TextLayout.isBlank($0) }) else { return nil }
        return layout.bytes[next] == UInt8(ascii: "\n") || layout.bytes[next] == UInt8(ascii: "\r") ? next : nil
    }

    /// Whether a comment that stays is before an element in the place of the items up to `last`, which are removed.
    private func hasOtherComments(before last: Int) -> Bool {
        var start = endOfTagLine ?? inner.lowerBound
        func hasComment(_ end: Int) -> Bool {
            start < end && layout.bytes[start..<end].firstRange(ignoringCase: "<!--") != nil
        }
        for index in items.indices.prefix(last + 1) {
            for range in ranges(of: items[index]) {
                if hasComment(range.lowerBound) { return true }
                start = range.upperBound
            }
            start = endOfComments(after: index)
        }
        return last < 0 && hasComment(items.first?.start ?? start)
    }

    /// The end of an item and of the comments after it on its line.
    private func endOfLine(after index: Int) -> Int {
        let limit = index + 1 < items.count ? items[index + 1].start : inner.upperBound
        return layout.endOfTrailingMarkup(after: items[index].end, limit: limit)
    }

    /// The end of an item and of the comments that end its line. Without the item, such a comment would be the label of the next one.
    private func endOfComments(after index: Int) -> Int {
        let (start, end) = (items[index].end, endOfLine(after: index))
        let next = layout.bytes[end..<inner.upperBound].first { !TextLayout.isBlank($0) }
        let endsLine = next.map { $0 == UInt8(ascii: "\n") || $0 == UInt8(ascii: "\r") } ?? true
        return endsLine && layout.bytes[start..<end].firstRange(ignoringCase: "<?") == nil ? end : start
    }

    private func setting(_ label: String, of item: Item) -> TextEdit {
        let comment = "<!-- \(label) -->"
        if let range = item.label { return TextEdit(range: range, text: comment) }
        let start = item.element.lowerBound
        let line = layout.indentation(before: start).map { comment + layout.lineEnd + $0 }
        return TextEdit(range: start..<start, text: line ?? layout.lineEnd + comment)
    }

    /// The ranges of an element and its label, in the order of the text.
    private func ranges(of item: Item) -> [Range<Int>] {
        guard let label = item.label else { return [item.element] }
        let (first, second) = item.hasLabelBefore ? (label, item.element) : (item.element, label)
        return isWhiteSpace(first.upperBound..<second.lowerBound)
            ? [first.lowerBound..<second.upperBound] : [first, second]
    }

    private func isWhiteSpace(_ range: Range<Int>) -> Bool { layout.bytes[range].allSatisfy(XMLReader.isWhiteSpace) }
}

extension TextLayout {
    /// The end of the comments and processing instructions that follow `offset` on its line.
    ///
    /// - Parameter limit: maximum result.
    package func endOfTrailingMarkup(after offset: Int, limit: Int) -> Int {
        var end = offset
        while true {
            let start = bytes[end..<limit].firstIndex { !Self.isBlank($0) } ?? limit
            let text = bytes[start..<limit]
            let mark: String? = text.starts(with: "<!--".utf8) ? "-->" : text.starts(with: "<?".utf8) ? "?>" : nil
            guard let mark, let close = text.firstRange(ignoringCase: mark) else { return end }
            end = close.upperBound
            if bytes[start..<end].contains(UInt8(ascii: "\n")) { return end }
        }
    }
}
