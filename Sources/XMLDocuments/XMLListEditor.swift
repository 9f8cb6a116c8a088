package import Encodings

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
    /// That of the line before the first item, so that no other line changes.
    let lineEnd: String
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
        lineEnd = layout.lineEnd(before: items.first?.start ?? inner.upperBound)
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
        let removals = items.indices.map { index in
            kept.contains(index) ? [] : removedRanges(ofItemAt: index).map { layout.removal(of: $0) }
        }
        var edits = removals.joined().map { TextEdit(range: $0, text: "") }
        // If labels are on the line of their elements, a new element needs its own line. Otherwise its label would be the label of
        // another element.
        let needsLines = items.contains { $0.label != nil } || steps.contains { $0.label != nil }
        let separator = indentation.map { lineEnd + $0 } ?? (needsLines ? lineEnd : "")
        var gap = Gap(separator: separator, removals: removals)
        for step in steps {
            switch step {
            case .kept(let index, let label):
                gap.next = index
                // A new label takes the place of the present one, which can be after the element.
                let getsLabelBefore = label != nil && items[index].label == nil
                gap.nextHasLabel = getsLabelBefore || items[index].hasLabelBefore
                edits += self.edits(of: gap)
                gap = Gap(separator: separator, removals: removals)
                (gap.previous, gap.previousHasLabel) = (index, label != nil || items[index].label != nil)
                if let label { edits.append(setting(label, of: items[index])) }
            case .added(let text, let label):
                let isOnOwnLine = indentation != nil
                if gap.added.isEmpty { gap.addedHasLabel = label != nil }
                gap.added.append((label.map { "<!-- \($0) -->" + (isOnOwnLine ? separator : "") } ?? "") + text)
            }
        }
        return edits + self.edits(of: gap)
    }

    /// The elements between two kept items.
    private struct Gap {
        let separator: String
        /// The ranges that are removed with each item.
        let removals: [[Range<Int>]]
        /// The kept item before the new elements.
        var previous: Int?
        var previousHasLabel = true
        /// The texts of the new elements.
        var added: [String] = []
        /// Whether the first new element has a label.
        var addedHasLabel = false
        /// The kept item after them.
        var next: Int?
        var nextHasLabel = true
    }

    /// Inserts the new elements of a gap. Comments in the gap that stay do not become labels: a line break separates them from the
    /// element before them, and a blank line from the one after them.
    private func edits(of gap: Gap) -> [TextEdit] {
        let end = gap.next ?? items.count
        let first = gap.previous.map { $0 + 1 } ?? 0
        let start = gap.previous.map { items[$0].element.upperBound } ?? inner.lowerBound
        guard first < end, let last = items.indices.prefix(end).last else {
            return insertion(of: gap, after: gap.previous)
        }
        let offset = gap.added.isEmpty ? gap.next.map { items[$0].element.lowerBound } : endOfLine(after: last)
        guard let offset else { return [] }
        var rest = remaining(start..<max(start, offset), gap.removals[first..<end])
        guard rest.hasMarkup(.comment) else {
            return gap.added.isEmpty ? [] : insertion(of: gap, after: gap.previous ?? last)
        }
        var edits: [TextEdit] = []
        if let previous = gap.previous, !gap.previousHasLabel, Self.isLabelled(before: rest) {
            edits.append(TextEdit(range: items[previous].element.upperBound..<start, text: lineEnd))
            rest = Array(lineEnd.utf8) + rest
        }
        if gap.added.isEmpty {
            // If another element is before the next item, its label does not change.
            let isNext = !Array(layout.bytes[items[last].end..<max(items[last].end, offset)]).hasMarkup(.tag)
            let isLabelled = isNext && !gap.nextHasLabel && Self.isLabelled(after: rest)
            return edits + (isLabelled ? [blankLine(before: offset)] : [])
        }
        let isLabelled = !gap.addedHasLabel && Self.isLabelled(after: rest + gap.separator.utf8)
        let line = gap.separator.isEmpty ? lineEnd + lineEnd : lineEnd
        return edits + insertion(of: gap, after: last, withPrefix: isLabelled ? line : "")
    }

    /// Inserts the new elements after an item, or before the first one.
    ///
    /// - Parameter prefix: the line end of a blank line before them, or nothing.
    private func insertion(of gap: Gap, after anchor: Int?, withPrefix prefix: String = "") -> [TextEdit] {
        let (texts, separator) = (gap.added, gap.separator)
        guard !texts.isEmpty else { return [] }
        let before = prefix + texts.map { separator + $0 }.joined()
        guard !items.isEmpty else {
            guard !isWhiteSpace(inner) else {
                let end = indentation == nil ? separator : lineEnd + outerIndentation
                return [TextEdit(range: inner, text: before + end)]
            }
            return [insertionAtStart(of: texts, separator)]
        }
        guard let anchor else {
            let start = items[0].start
            if !gap.addedHasLabel, Self.isLabelled(after: Array(layout.bytes[inner.lowerBound..<start])) {
                return [insertionAtStart(of: texts, separator)]
            }
            // A comment on the line of the start tag would be no label.
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
        let after = hasCommentNext && separator.isEmpty ? lineEnd : separator
        return [TextEdit(range: end..<end, text: before + (hasLabelNext || hasCommentNext ? after : ""))]
    }

    /// Inserts a blank line before an element. Without it, the comment before the element would be its label.
    private func blankLine(before offset: Int) -> TextEdit {
        guard let indentation = layout.indentation(before: offset) else {
            return TextEdit(range: offset..<offset, text: lineEnd + lineEnd)
        }
        let start = offset - indentation.utf8.count
        return TextEdit(range: start..<start, text: lineEnd)
    }

    /// The bytes of a range that are not removed with one of the items.
    private func remaining(_ range: Range<Int>, _ removals: ArraySlice<[Range<Int>]>) -> [UInt8] {
        var bytes: [UInt8] = []
        var start = range.lowerBound
        for removal in removals.joined() where removal.upperBound > start && removal.lowerBound < range.upperBound {
            bytes += layout.bytes[start..<max(start, removal.lowerBound)]
            start = min(removal.upperBound, range.upperBound)
        }
        return bytes + layout.bytes[start..<range.upperBound]
    }

    /// Inserts elements before all comments but those on the line of the start tag. A comment before a new element would be its label.
    private func insertionAtStart(of texts: [String], _ separator: String) -> TextEdit {
        let line = separator.isEmpty ? lineEnd : separator
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
        let line = layout.indentation(before: start).map { comment + lineEnd + $0 }
        return TextEdit(range: start..<start, text: line ?? lineEnd + comment)
    }

    /// The ranges of an item that is removed: of its element, its label and the comments that end its line.
    private func removedRanges(ofItemAt index: Int) -> [Range<Int>] {
        var ranges = ranges(of: items[index])
        if let last = ranges.popLast() { ranges.append(last.lowerBound..<endOfComments(after: index)) }
        return ranges
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
