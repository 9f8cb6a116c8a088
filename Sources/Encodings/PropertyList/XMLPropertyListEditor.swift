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
        return TextEdit.applied(edits, to: layout.bytes)
    }

    private func change(
        _ old: PropertyListValue, into new: PropertyListValue, edits: inout [TextEdit]
    ) throws(PropertyListError) {
        guard old != new, let sourceRanges = old.sourceRanges else { return }
        guard let oldMembers = old.members, let newMembers = new.members, !oldMembers.isEmpty else {
            edits.append(
                TextEdit(range: sourceRanges.range, text: try text(of: new, at: sourceRanges.range.lowerBound)))
            return
        }
        var wanted: [[UInt8]: PropertyListValue] = [:]
        for member in newMembers { wanted[Array(member.key.utf8)] = member.value }
        for member in oldMembers {
            if let value = wanted.removeValue(forKey: Array(member.key.utf8)) {
                try change(member.value, into: value, edits: &edits)
            } else if let start = member.range?.lowerBound, let end = member.value.sourceRanges?.range.upperBound {
                edits.append(TextEdit(range: layout.lines(of: start..<end), text: ""))
            }
        }
        let added = newMembers.filter { wanted[Array($0.key.utf8)] != nil }
        guard !added.isEmpty, let last = oldMembers.last, let sourceRanges = last.value.sourceRanges,
            let key = last.range
        else {
            return
        }
        edits.append(
            TextEdit(
                range: sourceRanges.range.upperBound..<sourceRanges.range.upperBound,
                text: try text(of: added, besides: key.lowerBound, in: old)))
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
