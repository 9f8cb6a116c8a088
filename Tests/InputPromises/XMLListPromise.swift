internal import Encodings
internal import XMLDocuments

/// The promises of ``XMLListEditor``, checked with random edits of a random list of a document.
package enum XMLListPromise {
    /// The promise that an edit of `bytes` breaks; nil if it breaks none, or if `bytes` is no document with a list.
    package static func violation(in bytes: [UInt8]) -> String? {
        guard let document = try? XMLDocument(bytes) else { return nil }
        var choices = InputChoices(bytes)
        var lists: [(path: [Int], element: XMLElement)] = []
        collect(document.root, at: [], &lists)
        guard let (path, element) = lists.randomElement(using: &choices) else { return nil }
        let list = List(element, in: bytes)
        let edit = Edit(of: list, in: bytes, &choices)
        let output = TextEdit.applied(edit.edits, to: bytes)
        if let problem = edit.problem(in: output, at: path) {
            return "\(problem)\n\(edit.steps)\n\(String(decoding: output, as: UTF8.self))"
        }
        return nil
    }

    /// Finds at most 64 elements that can contain others, with the indices of their ancestors among the child elements.
    private static func collect(
        _ element: XMLElement, at path: [Int], _ lists: inout [(path: [Int], element: XMLElement)]
    ) {
        guard lists.count < 64, !element.isEmptyTag else { return }
        lists.append((path, element))
        for (index, child) in element.children.enumerated() { collect(child, at: path + [index], &lists) }
    }

    /// The items of a list are the child elements with the name of the first one.
    private struct List {
        let element: XMLElement
        let name: String
        let items: [LabelledElement]
        let others: [XMLElement]

        init(_ element: XMLElement, in bytes: [UInt8]) {
            self.element = element
            let name = element.children.first?.name ?? "item"
            self.name = name
            items = element.labelledChildren(in: bytes).filter { $0.element.name == name }
            others = element.children.filter { $0.name != name }
        }

        /// Whether each item and its label fill whole lines, without blanks at their ends, and all lines of the text end alike.
        func fillsLines(of bytes: [UInt8]) -> Bool {
            let layout = TextLayout(bytes)
            let hasOneLineEnd = bytes.indices.allSatisfy { index in
                bytes[index] != UInt8(ascii: "\n")
                    || (index > 0 && bytes[index - 1] == UInt8(ascii: "\r")) == (layout.lineEnd == "\r\n")
            }
            return !items.isEmpty && hasOneLineEnd
                && items.allSatisfy { item in
                    let ranges = [item.element.range, item.labelRange ?? item.element.range]
                    let start = ranges.map(\.lowerBound).min() ?? 0
                    let end = ranges.map(\.upperBound).max() ?? 0
                    let rest = bytes[end...]
                    return layout.indentation(before: start) != nil
                        && (rest.starts(with: "\n".utf8) || rest.starts(with: "\r\n".utf8))
                }
        }
    }

    private struct Edit {
        let bytes: [UInt8]
        let list: List
        let steps: [XMLListEditor.Step]
        let edits: [TextEdit]

        init(of list: List, in bytes: [UInt8], _ choices: inout InputChoices) {
            (self.list, self.bytes) = (list, bytes)
            let onlyAdds = Bool.random(using: &choices)
            let hasLabels = Bool.random(using: &choices)
            var steps: [XMLListEditor.Step] = []
            func label(_ index: Int) -> String? { hasLabels && Bool.random(using: &choices) ? "new \(index)" : nil }
            for index in 0...list.items.count {
                while Int.random(in: 0..<3, using: &choices) == 0 {
                    steps.append(.added("<\(list.name) new='\(steps.count)'/>", label: label(steps.count)))
                }
                guard index < list.items.count, onlyAdds || Bool.random(using: &choices) else { continue }
                steps.append(.kept(index, label: onlyAdds ? nil : label(steps.count)))
            }
            let isOnOneLine = Bool.random(using: &choices)
            self.steps = steps
            edits = Self.editor(of: list, in: bytes, isOnOneLine: isOnOneLine).edits(steps)
        }

        private static func editor(of list: List, in bytes: [UInt8], isOnOneLine: Bool) -> XMLListEditor {
            let layout = TextLayout(bytes)
            let outer = layout.lineIndentation(of: list.element.range.lowerBound)
            return XMLListEditor(
                layout, inner: list.element.inner, items: list.items.map(\.item),
                indentation: isOnOneLine ? nil : outer + "  ", outerIndentation: outer)
        }

        func problem(in output: [UInt8], at path: [Int]) -> String? {
            let inner = list.element.inner
            let isInside = edits.allSatisfy { $0.range.clamped(to: inner) == $0.range }
            guard isInside, output.starts(with: bytes[..<inner.lowerBound]),
                output.suffix(bytes.count - inner.upperBound) == bytes[inner.upperBound...]
            else { return "an edit changed bytes outside the list" }
            guard let document = try? XMLDocument(output) else { return "the output is not well-formed" }
            var element = document.root
            for index in path {
                guard index < element.children.count else { return "the list is lost" }
                element = element.children[index]
            }
            // The name of the items, also if they are not first or there are none.
            let new = element.labelledChildren(in: output).filter { $0.element.name == list.name }
            let others = element.children.filter { $0.name != list.name }
            guard new.map({ Array(output[$0.element.range]) }) == expectedItems else { return "wrong items" }
            guard others.map({ output[$0.range] }) == list.others.map({ bytes[$0.range] }) else {
                return "an edit changed an element that is no item"
            }
            guard otherText(of: element, in: output) == otherText(of: list.element, in: bytes) else {
                return "an edit changed text or a processing instruction"
            }
            // A comment between two items can be the label of an element that is no item.
            for (item, step) in zip(new, steps) where others.isEmpty {
                guard hasLabel(item.label, of: step) else {
                    return "wrong label: \(step)"
                }
            }
            return hasComments(of: element, in: output)
                ? reversalProblem(new, element, in: output) : "a comment is lost"
        }

        private var expectedItems: [[UInt8]] {
            steps.map { step in
                switch step {
                case .kept(let index, _): Array(bytes[list.items[index].element.range])
                case .added(let text, _): Array(text.utf8)
                }
            }
        }

        /// An element without a label gets none. Exception: text can separate a comment from the label of an item on its line.
        private func hasLabel(_ label: String?, of step: XMLListEditor.Step) -> Bool {
            let expected: String?
            switch step {
            case .kept(let index, let new): expected = new ?? list.items[index].label
            case .added(_, let new): expected = new
            }
            return label == expected || expected == nil && hasText
        }

        private var hasText: Bool {
            list.element.content.contains { node in
                if case .text(let text) = node { !text.utf8.allSatisfy(XMLReader.isWhiteSpace) } else { false }
            }
        }

        /// The text and the processing instructions between the child elements and comments, without white space.
        private func otherText(of element: XMLElement, in bytes: [UInt8]) -> [UInt8] {
            var text: [UInt8] = []
            var start = element.inner.lowerBound
            for node in element.content {
                let range: Range<Int>
                switch node {
                case .element(let child): range = child.range
                case .comment(_, let comment): range = comment
                case .text: continue
                }
                text += bytes[start..<range.lowerBound]
                start = range.upperBound
            }
            return (text + bytes[start..<element.inner.upperBound]).filter { !XMLReader.isWhiteSpace($0) }
        }

        private func comments(of element: XMLElement) -> [(text: String, range: Range<Int>)] {
            element.content.compactMap { node in
                if case .comment(let text, let range) = node { (text, range) } else { nil }
            }
        }

        /// Whether all comments remain but the labels of removed items and replaced labels. A comment that ends the line of a removed
        /// item can also be absent.
        private func hasComments(of element: XMLElement, in output: [UInt8]) -> Bool {
            var kept: Set<Int> = []
            var ranges: [Range<Int>] = []
            for case .kept(let index, let label) in steps {
                kept.insert(index)
                if label != nil, let range = list.items[index].labelRange { ranges.append(range) }
            }
            let removed = list.items.indices.filter { !kept.contains($0) }.map { list.items[$0] }
            ranges += removed.compactMap(\.labelRange)
            let ends = removed.flatMap { [$0.element.range.upperBound, $0.labelRange?.upperBound ?? 0] }
            var left = comments(of: element).map(\.text)[...]
            for (text, range) in comments(of: list.element) where !ranges.contains(range) {
                let endsLineOfRemoved = ends.contains { end in
                    end <= range.lowerBound && !bytes[end..<range.lowerBound].contains(UInt8(ascii: "\n"))
                }
                guard !endsLineOfRemoved else { continue }
                guard let index = left.firstIndex(of: text) else { return false }
                left = left[(index + 1)...]
            }
            return true
        }

        /// If items were only added, and each item fills its lines, the removal of the new items restores all bytes.
        private func reversalProblem(_ items: [LabelledElement], _ element: XMLElement, in output: [UInt8]) -> String? {
            let kept = steps.indices.filter { if case .kept = steps[$0] { true } else { false } }
            guard kept.count == list.items.count, list.fillsLines(of: bytes),
                steps.allSatisfy({ if case .kept(_, let label) = $0 { label == nil } else { true } })
            else { return nil }
            let editor = Self.editor(of: List(element, in: output), in: output, isOnOneLine: false)
            let edits = editor.edits(kept.map { .kept($0, label: nil) })
            return TextEdit.applied(edits, to: output) == bytes
                ? nil : "the removal of new items does not restore the text"
        }
    }
}
