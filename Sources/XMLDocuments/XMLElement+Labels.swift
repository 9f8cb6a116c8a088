internal import Encodings

/// A child element with the comment that is its label.
package struct LabelledElement: Sendable {
    package let element: XMLElement
    /// The text of the comment on one line; nil without a comment.
    package fileprivate(set) var label: String?
    /// The byte range of the comment; nil without a label.
    package fileprivate(set) var labelRange: Range<Int>?

    /// The element as an item of a list.
    package var item: XMLListEditor.Item { XMLListEditor.Item(element: element.range, label: labelRange) }
}

extension XMLElement {
    /// The child elements, each with its comment: the last one before the element, or the one after it on the same line.
    ///
    /// A comment with a blank line after it, such as a license or the header of a section, is no label. On the line of the start tag,
    /// a comment is no label of an element on a later line, and neither is a further comment on the line of another element.
    package func labelledChildren(in bytes: [UInt8]) -> [LabelledElement] {
        var children: [LabelledElement] = []
        var pending: (label: String?, range: Range<Int>, isOnLineOfTag: Bool)?
        // The end of the text that was examined on the line of the last tag; nil after a line break.
        var lineReached: Int? = inner.lowerBound
        func hasLineBreak(_ range: Range<Int>) -> Bool { bytes[range].contains(UInt8(ascii: "\n")) }
        for node in content {
            switch node {
            case .element(let element):
                if let comment = pending {
                    let gap = comment.range.upperBound..<element.range.lowerBound
                    if comment.isOnLineOfTag && hasLineBreak(gap) || TextLayout.hasBlankLine(bytes[gap]) {
                        pending = nil
                    }
                }
                let range = pending?.label == nil ? nil : pending?.range
                children.append(LabelledElement(element: element, label: pending?.label, labelRange: range))
                pending = nil
                lineReached = element.range.upperBound
            case .comment(let text, let range):
                if let reached = lineReached, hasLineBreak(reached..<range.lowerBound) { lineReached = nil }
                let label = XMLText.label(ofComment: text)
                if lineReached != nil, let last = children.last, last.label == nil {
                    children[children.count - 1].label = label
                    children[children.count - 1].labelRange = label == nil ? nil : range
                } else {
                    pending = (label, range, isOnLineOfTag: lineReached != nil)
                }
                if lineReached != nil { lineReached = range.lowerBound }
            case .text: break
            }
        }
        return children
    }
}
