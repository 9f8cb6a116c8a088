internal import Encodings
internal import PinSetCodec
internal import Pinning

/// Converts changes of an entry to text edits.
struct EntryEditor {
    let bytes: [UInt8]
    let entry: EntryOutline
    /// Other entries of the file. If this entry has no example of a layout, theirs is used.
    let others: [EntryOutline]

    /// The text edits for new property values of a pin.
    func edits(of pin: Int, _ fields: [PinSetEdit.Field]) -> [TextEdit] {
        guard entry.pins.members.indices.contains(pin) else { return [] }
        let last = fields.indices.filter { index in !fields[(index + 1)...].contains { $0.key == fields[index].key } }
        let fields = last.map { fields[$0] }
        let sourceMap = entry.pins.members[pin].value
        guard let keys = entry.pinKeys[pin] else {
            let members = fields.filter { !$0.isDefault }.compactMap { field in field.value.map { (field.key, $0) } }
            guard !members.isEmpty else { return [] }
            let text = objectStyle.object([("sha256", raw(sourceMap.range))] + members)
            return [TextEdit(range: sourceMap.range, text: text)]
        }
        var edits: [TextEdit] = []
        var removed: Set<Int> = []
        var inserted: [(key: String, value: String)] = []
        for field in fields {
            let index = keys.firstIndex(of: field.key)
            switch (index, field.value) {
            case (let index?, let value?):
                edits.append(TextEdit(range: sourceMap.members[index].value.range, text: value))
            case (let index?, nil): removed.insert(index)
            case (nil, let value?): if !field.isDefault { inserted.append((field.key, value)) }
            case (nil, nil): break
            }
        }
        let style = JSONStyle(of: sourceMap, in: bytes) ?? objectStyle
        if let end = sourceMap.members.last?.end {
            let text = inserted.map { style.comma + JSONText.quoted($0.key) + style.colon + $0.value }.joined()
            if !text.isEmpty { edits.append(TextEdit(range: end..<end, text: text)) }
        }
        return edits + removals(removed, from: sourceMap)
    }

    func edits(adding keys: [PinSet.PinnedKey]) -> [TextEdit] {
        guard let end = entry.pins.members.last?.end, !keys.isEmpty else { return [] }
        let style = JSONStyle(of: entry.pins, in: bytes) ?? JSONStyle()
        return [TextEdit(range: end..<end, text: keys.map { style.comma + text(of: $0) }.joined())]
    }

    /// A property of the entry and its new value in JSON; nil removes it.
    typealias Property = (key: String, value: String?)

    /// The text edits for new property values of the entry. If a property occurs several times, the last value applies.
    func edits(setting properties: [Property]) -> [TextEdit] {
        let last = properties.indices.filter { index in
            !properties[(index + 1)...].contains { $0.key == properties[index].key }
        }
        let properties = last.map { properties[$0] }
        guard !entry.isBare else {
            let range = entry.value.range
            let style = objectStyle.isCompact ? JSONStyle.compact : JSONStyle()
            let members = properties.compactMap { property in
                property.value.map { "\"\(property.key)\"\(style.colon)\($0)\(style.comma)" }
            }
            guard !members.isEmpty else { return [] }
            // The edits do not include the array itself, because other edits can change its pins.
            let start = "{\(style.opening)\(members.joined())\"pins\"\(style.colon)"
            return [
                TextEdit(range: range.lowerBound..<range.lowerBound, text: start),
                TextEdit(range: range.upperBound..<range.upperBound, text: style.closing + "}"),
            ]
        }
        var edits: [TextEdit] = []
        var removed: Set<Int> = []
        var inserted = ""
        let style = JSONStyle(of: entry.value, in: bytes) ?? JSONStyle()
        for property in properties {
            switch (entry.keys.firstIndex(of: property.key), property.value) {
            case (let index?, let value?):
                edits.append(TextEdit(range: entry.value.members[index].value.range, text: value))
            case (let index?, nil): removed.insert(index)
            case (nil, let value?): inserted += "\"\(property.key)\"\(style.colon)\(value)\(style.comma)"
            case (nil, nil): break
            }
        }
        if !inserted.isEmpty, let index = entry.keys.firstIndex(of: "pins") {
            let start = entry.value.members[index].start
            edits.append(TextEdit(range: start..<start, text: inserted))
        }
        return edits + removals(removed, from: entry.value)
    }

    /// The text edits that remove members of an object. At least one member remains.
    private func removals(_ removed: Set<Int>, from sourceMap: JSONSourceMap) -> [TextEdit] {
        let members = sourceMap.members
        guard let kept = members.indices.first(where: { !removed.contains($0) }) else { return [] }
        // Members before the first kept member are removed with the comma after them, the others with the comma before them.
        let leading = kept > 0 ? [TextEdit(range: members[0].start..<members[kept].start, text: "")] : []
        return leading
            + removed.filter { $0 > kept }.map { TextEdit(range: members[$0 - 1].end..<members[$0].end, text: "") }
    }

    // MARK: Layout

    private func raw(_ range: Range<Int>) -> String { String(decoding: bytes[range], as: UTF8.self) }

    /// The layout of a new pin object: that of the last pin object in the entry, otherwise that of a pin object in another entry.
    /// The latter is not used if it has line breaks and a different depth.
    private var objectStyle: JSONStyle {
        if let own = Self.style(in: entry, bytes) { return own }
        for other in others {
            guard let style = Self.style(in: other, bytes) else { continue }
            if !style.hasLines || other.isBare == entry.isBare { return style }
        }
        let around = JSONStyle(of: entry.isBare ? entry.pins : entry.value, in: bytes)
        let isCompact = around.map {
            entry.isBare ? $0.comma == "," && $0.opening.isEmpty && entry.pins.members.count > 1 : $0.isCompact
        }
        return isCompact ?? false ? .compact : JSONStyle()
    }

    private static func style(in entry: EntryOutline, _ bytes: [UInt8]) -> JSONStyle? {
        guard let index = entry.pinKeys.lastIndex(where: { $0 != nil }) else { return nil }
        return JSONStyle(of: entry.pins.members[index].value, in: bytes)
    }

    /// The JSON of a new entry in the layout of this one.
    func text(of new: PinSet.Entry) -> String {
        var members: [(key: String, value: String)] = []
        if new.subdomains != .none { members.append(("subdomains", JSONText.quoted(new.subdomains.rawValue))) }
        if let expires = new.expires { members.append(("expires", JSONText.quoted(expires.spelled))) }
        if !new.endpoints.isEmpty {
            let texts = new.endpoints.map { JSONText.quoted($0.text) }
            members.append(("endpoints", "[" + texts.joined(separator: ", ") + "]"))
        }
        // The layout of a bare array is not used, because it is for another depth.
        let list = entry.isBare ? nil : JSONStyle(of: entry.pins, in: bytes)
        let style = list ?? (objectStyle.isCompact ? .compact : JSONStyle())
        let pins = new.pins.map { text(of: $0) }.joined(separator: style.comma)
        members.append(("pins", "[" + style.opening + pins + style.closing + "]"))
        let object = entry.isBare ? nil : JSONStyle(of: entry.value, in: bytes)
        return (object ?? (objectStyle.isCompact ? .compact : JSONStyle())).object(members)
    }

    /// The JSON of a pin: a bare string if all other pins of the entry are bare strings and the pin has only default values.
    private func text(of key: PinSet.PinnedKey) -> String {
        var members = [(key: "sha256", value: JSONText.quoted(prefix + key.pin.base64))]
        if key.role != .any { members.append(("role", JSONText.quoted(key.role.rawValue))) }
        let fields: [PinSetEdit.Field] = [
            .state(key.state), .label(key.label), .notAfter(key.notAfter), .added(key.added), .goneSince(key.goneSince),
        ]
        for field in fields where !field.isDefault { if let value = field.value { members.append((field.key, value)) } }
        let isBare = members.count == 1 && entry.pinKeys.allSatisfy { $0 == nil }
        return isBare ? members[0].value : objectStyle.object(members)
    }

    /// The prefix of the last pin in the entry. A new pin gets the same prefix.
    private var prefix: String {
        let spelling = entry.lastSpelling
        return ["sha256//", "sha256/", "SHA256:"].first {
            spelling.hasPrefix($0) && spelling.utf8.count == $0.utf8.count + 44
        } ?? ""
    }
}
