internal import Encodings
internal import XMLDocuments

/// Edits an XML property list so that it has a new root. Only the parts that differ from the old root change; all other bytes stay.
struct XMLPropertyListEditor {
    private let layout: TextLayout
    private let root: PropertyListValue
    /// Whether the root has contents and they contain no line end.
    private let isOnOneLine: Bool

    init(bytes: [UInt8], root: PropertyListValue) {
        layout = TextLayout(bytes)
        self.root = root
        isOnOneLine =
            root.sourceRanges.map { !$0.inner.isEmpty && !bytes[$0.range].contains(UInt8(ascii: "\n")) } ?? false
    }

    func replacingRoot(with value: PropertyListValue) throws(PropertyListError) -> [UInt8] {
        var edits: [TextEdit] = []
        try change(root, into: value, edits: &edits)
        guard !edits.isEmpty else { return layout.bytes }
        do throws(XMLError) { try XMLDocument.checkLineEnds(of: layout.bytes) } catch { throw PropertyListError(error) }
        return TextEdit.applied(edits, to: layout.bytes)
    }

    private func change(
        _ old: PropertyListValue, into new: PropertyListValue, edits: inout [TextEdit]
    ) throws(PropertyListError) {
        guard let sourceRanges = old.sourceRanges else { return }
        if let oldMembers = old.members, let newMembers = new.members, !oldMembers.isEmpty {
            return try change(oldMembers, of: old, into: newMembers, edits: &edits)
        }
        if let oldValues = old.array, let newValues = new.array, !sourceRanges.isEmptyTag {
            return try change(oldValues, of: old, into: newValues, edits: &edits)
        }
        guard old != new else { return }
        let text = try text(of: new, at: sourceRanges.range.lowerBound)
        edits.append(filling(old, with: new, text) ?? TextEdit(range: sourceRanges.range, text: text))
    }

    /// The edit that fills an empty dictionary or array. Its attributes and comments stay.
    ///
    /// - Parameter text: the element with the new contents.
    /// - Returns: nil for other values.
    private func filling(_ old: PropertyListValue, with new: PropertyListValue, _ text: String) -> TextEdit? {
        let name: String
        switch (old.content, new.content) {
        case (.dictionary, .dictionary): name = "dict"
        case (.array, .array): name = "array"
        default: return nil
        }
        let endTag = "</\(name)>"
        guard let ranges = old.sourceRanges, let rest = text.without(prefix: "<\(name)>"), rest.hasSuffix(endTag) else {
            return nil
        }
        let contents = String(rest.dropLast(endTag.count))
        guard !ranges.isEmptyTag else {
            return TextEdit(range: ranges.attributesEnd..<ranges.range.upperBound, text: ">" + contents + endTag)
        }
        let inner = layout.bytes[ranges.inner]
        guard let last = inner.lastIndex(where: { !XMLReader.isWhiteSpace($0) }) else {
            return TextEdit(range: ranges.inner, text: contents)
        }
        return TextEdit(range: last + 1..<ranges.inner.upperBound, text: contents)
    }

    private func change(
        _ oldMembers: [PropertyListMember], of old: PropertyListValue, into newMembers: [PropertyListMember],
        edits: inout [TextEdit]
    ) throws(PropertyListError) {
        var wanted: [[UInt8]: PropertyListValue] = [:]
        // A new member with the position of an old one and another key is this old member with a corrected key.
        var corrected: [Range<Int>: PropertyListMember] = [:]
        for member in newMembers {
            wanted[Array(member.key.utf8)] = member.value
            if let range = member.range { corrected[range] = member }
        }
        for member in oldMembers {
            if let value = wanted.removeValue(forKey: Array(member.key.utf8)) {
                try change(member.value, into: value, edits: &edits)
            } else if let key = member.range, let new = corrected[key],
                let value = wanted.removeValue(forKey: Array(new.key.utf8)), let text = XMLText.escaped(new.key)
            {
                edits.append(TextEdit(range: key, text: "<key>\(text)</key>"))
                try change(member.value, into: value, edits: &edits)
            } else if let key = member.range {
                edits += removal(of: member.value, with: key)
            }
        }
        let added = newMembers.filter { wanted[Array($0.key.utf8)] != nil }
        guard !added.isEmpty, let last = oldMembers.last, let value = last.value.sourceRanges, let key = last.range,
            let limit = old.sourceRanges?.inner.upperBound
        else {
            return
        }
        let end = layout.endOfTrailingMarkup(after: value.range.upperBound, limit: limit)
        edits.append(TextEdit(range: end..<end, text: try text(of: added, besides: key.lowerBound, in: old)))
    }

    /// Removes a member. Comments and processing instructions between the values of an array stay, but not the labels of its values.
    private func removal(of value: PropertyListValue, with key: Range<Int>) -> [TextEdit] {
        guard let ranges = value.sourceRanges else { return [] }
        let list = value.array.flatMap { items(of: $0) }.map { editor(of: $0, in: ranges) }
        let kept = list.flatMap { $0.hasOnlyItems || ranges.isEmptyTag ? nil : $0 }
        let start = ranges.range.lowerBound..<(kept != nil ? ranges.inner.lowerBound : ranges.range.upperBound)
        let isTogether = layout.bytes[key.upperBound..<start.lowerBound].allSatisfy(XMLReader.isWhiteSpace)
        var removed = isTogether ? [key.lowerBound..<start.upperBound] : [key, start]
        if kept != nil { removed.append(ranges.inner.upperBound..<ranges.range.upperBound) }
        let edits = removed.map { TextEdit(range: layout.removal(of: $0), text: "") }
        return edits + (kept?.edits([]) ?? [])
    }

    /// The values of an array with their ranges; nil if a value was not read from the file.
    private func items(of values: [PropertyListValue]) -> [XMLListEditor.Item]? {
        let items = values.compactMap { value in
            value.sourceRanges.map { XMLListEditor.Item(element: $0.range, label: $0.comment) }
        }
        return items.count == values.count ? items : nil
    }

    private func editor(
        of items: [XMLListEditor.Item], in list: PropertyListValue.SourceRanges
    ) -> XMLListEditor {
        let outer = layout.lineIndentation(of: list.range.lowerBound)
        return XMLListEditor(
            layout, inner: list.inner, items: items, indentation: isOnOneLine ? nil : outer + unit,
            outerIndentation: outer)
    }

    /// Changes an array. A value of the new array that was read from the old one stays in the text, unless it is before another one
    /// that stays.
    private func change(
        _ oldValues: [PropertyListValue], of old: PropertyListValue, into newValues: [PropertyListValue],
        edits: inout [TextEdit]
    ) throws(PropertyListError) {
        guard let list = old.sourceRanges, let items = items(of: oldValues) else { return }
        var indices: [Int: Int] = [:]
        for (index, item) in items.enumerated() { indices[item.element.lowerBound] = index }
        let editor = editor(of: items, in: list)
        let isOnLines = items.first.map { layout.bytes[$0.element].contains(UInt8(ascii: "\n")) } ?? true
        let indentation = isOnLines ? editor.indentation : nil
        let writer = writer(isOnOneLine: indentation == nil)
        var steps: [XMLListEditor.Step] = []
        var changes: [TextEdit] = []
        var last = -1
        for value in newValues {
            let label = value.comment.flatMap(XMLText.label(ofComment:))
            if let start = value.sourceRanges?.range.lowerBound, let index = indices[start], index > last {
                last = index
                steps.append(.kept(index, label: label == oldValues[index].comment ? nil : label))
                try change(oldValues[index], into: value, edits: &changes)
            } else {
                var text = ""
                try writer.append(value, indentation: indentation ?? "", to: &text)
                steps.append(.added(text, label: label))
            }
        }
        // New text before a value must come before the edit that replaces the value at the same offset.
        edits += editor.edits(steps) + changes
    }

    /// The text of a value that replaces the value at `offset`.
    private func text(of value: PropertyListValue, at offset: Int) throws(PropertyListError) -> String {
        var text = ""
        try writer(isOnOneLine: isOnOneLine).append(
            value, indentation: layout.lineIndentation(of: offset), to: &text)
        return text
    }

    /// The text of new dictionary members after the member whose key begins at `offset`.
    private func text(
        of members: [PropertyListMember], besides offset: Int, in dictionary: PropertyListValue
    ) throws(PropertyListError) -> String {
        let indentation = layout.indentation(before: offset)
        var writer = writer(isOnOneLine: indentation == nil)
        if let sourceRanges = dictionary.sourceRanges,
            let unit = layout.unit(of: offset, within: sourceRanges.range.lowerBound)
        {
            writer.unit = unit
        }
        var text = ""
        for member in members {
            text += writer.lineEnd
            try writer.append(member, indentation: indentation ?? "", to: &text)
        }
        return text
    }

    private func writer(isOnOneLine: Bool) -> XMLPropertyListWriter {
        guard !isOnOneLine else { return XMLPropertyListWriter(unit: "", lineEnd: "") }
        return XMLPropertyListWriter(unit: unit, lineEnd: layout.lineEnd)
    }

    /// The indentation of one level: the indentation of the first key in the outermost dictionary.
    private var unit: String {
        guard let key = root.members?.first?.range, let sourceRanges = root.sourceRanges else { return "\t" }
        return layout.unit(of: key.lowerBound, within: sourceRanges.range.lowerBound) ?? "\t"
    }
}
