internal import Encodings
internal import PinSetFormats
internal import Pinning

/// Changes of one entry as changes of the text.
struct EntryEditor {
    let bytes: [UInt8]
    let entry: EntryOutline
    /// Other entries of the file: a manner that this one does not show is taken from one of them.
    let others: [EntryOutline]

    /// Changes what is said of one pin.
    func edits(of pin: Int, _ fields: [PinSetEdit.Field]) -> [TextEdit] {
        guard entry.pins.members.indices.contains(pin) else { return [] }
        let last = fields.indices.filter { index in !fields[(index + 1)...].contains { $0.key == fields[index].key } }
        let fields = last.map { fields[$0] }
        let places = entry.pins.members[pin].value
        guard let keys = entry.pinKeys[pin] else {
            let said = fields.filter { !$0.isDefault }.compactMap { field in field.value.map { (field.key, $0) } }
            guard !said.isEmpty else { return [] }
            let text = objectManner.object([("sha256", raw(places.range))] + said)
            return [TextEdit(range: places.range, text: text)]
        }
        var edits: [TextEdit] = []
        var removed: Set<Int> = []
        var inserted: [(key: String, value: String)] = []
        for field in fields {
            let index = keys.firstIndex(of: field.key)
            switch (index, field.value) {
            case (let index?, let value?):
                edits.append(TextEdit(range: places.members[index].value.range, text: value))
            case (let index?, nil): removed.insert(index)
            case (nil, let value?): if !field.isDefault { inserted.append((field.key, value)) }
            case (nil, nil): break
            }
        }
        let manner = JSONManner(of: places, in: bytes) ?? objectManner
        if let end = places.members.last?.end {
            let text = inserted.map { manner.comma + JSONText.quoted($0.key) + manner.colon + $0.value }.joined()
            if !text.isEmpty { edits.append(TextEdit(range: end..<end, text: text)) }
        }
        return edits + removals(removed, from: places)
    }

    func edits(adding keys: [PinSet.PinnedKey]) -> [TextEdit] {
        guard let end = entry.pins.members.last?.end, !keys.isEmpty else { return [] }
        let manner = JSONManner(of: entry.pins, in: bytes) ?? JSONManner()
        return [TextEdit(range: end..<end, text: keys.map { manner.comma + text(of: $0) }.joined())]
    }

    func edits(settingEnd end: Timestamp?) -> [TextEdit] {
        let value = end.map { JSONText.quoted($0.spelled) }
        guard !entry.isBare else {
            guard let value else { return [] }
            let range = entry.value.range
            let manner = objectManner.isCompact ? JSONManner.compact : JSONManner()
            // The array itself is left alone: changes of its pins may stand in it.
            let start = "{\(manner.opening)\"expires\"\(manner.colon)\(value)\(manner.comma)\"pins\"\(manner.colon)"
            return [
                TextEdit(range: range.lowerBound..<range.lowerBound, text: start),
                TextEdit(range: range.upperBound..<range.upperBound, text: manner.closing + "}"),
            ]
        }
        if let index = entry.keys.firstIndex(of: "expires") {
            guard let value else { return removals([index], from: entry.value) }
            return [TextEdit(range: entry.value.members[index].value.range, text: value)]
        }
        guard let value, let index = entry.keys.firstIndex(of: "pins") else { return [] }
        let start = entry.value.members[index].start
        let manner = JSONManner(of: entry.value, in: bytes) ?? JSONManner()
        return [TextEdit(range: start..<start, text: "\"expires\"\(manner.colon)\(value)\(manner.comma)")]
    }

    /// Takes members out of an object that keeps one at least.
    private func removals(_ removed: Set<Int>, from places: JSONPlaces) -> [TextEdit] {
        let members = places.members
        guard let kept = members.indices.first(where: { !removed.contains($0) }) else { return [] }
        // What stands before the first that stays goes with the comma after it, all else with the comma before it.
        let leading = kept > 0 ? [TextEdit(range: members[0].start..<members[kept].start, text: "")] : []
        return leading
            + removed.filter { $0 > kept }.map { TextEdit(range: members[$0 - 1].end..<members[$0].end, text: "") }
    }

    // MARK: Manner

    private func raw(_ range: Range<Int>) -> String { String(decoding: bytes[range], as: UTF8.self) }

    /// How a new object of a pin is written here: as the last one of the entry is, or else as somewhere in the file, unless that
    /// goes over lines that would be indented for another depth.
    private var objectManner: JSONManner {
        if let own = Self.manner(in: entry, bytes) { return own }
        for other in others {
            guard let manner = Self.manner(in: other, bytes) else { continue }
            if !manner.hasLines || other.isBare == entry.isBare { return manner }
        }
        let around = JSONManner(of: entry.isBare ? entry.pins : entry.value, in: bytes)
        let isCompact = around.map {
            entry.isBare ? $0.comma == "," && $0.opening.isEmpty && entry.pins.members.count > 1 : $0.isCompact
        }
        return isCompact ?? false ? .compact : JSONManner()
    }

    private static func manner(in entry: EntryOutline, _ bytes: [UInt8]) -> JSONManner? {
        guard let index = entry.pinKeys.lastIndex(where: { $0 != nil }) else { return nil }
        return JSONManner(of: entry.pins.members[index].value, in: bytes)
    }

    /// A pin as it stands in the list: bare among bare ones, if there is nothing else to say of it.
    private func text(of key: PinSet.PinnedKey) -> String {
        var members = [(key: "sha256", value: JSONText.quoted(prefix + key.pin.base64))]
        if key.role != .any { members.append(("role", JSONText.quoted(key.role.rawValue))) }
        let fields: [PinSetEdit.Field] = [
            .state(key.state), .label(key.label), .notAfter(key.notAfter), .added(key.added), .goneSince(key.goneSince),
        ]
        for field in fields where !field.isDefault { if let value = field.value { members.append((field.key, value)) } }
        let isBare = members.count == 1 && entry.pinKeys.allSatisfy { $0 == nil }
        return isBare ? members[0].value : objectManner.object(members)
    }

    /// What stands before the base64 in the spelling of the last pin, so that a new one is spelt alike.
    private var prefix: String {
        let spelling = entry.lastSpelling
        return ["sha256//", "sha256/", "SHA256:"].first {
            spelling.hasPrefix($0) && spelling.utf8.count == $0.utf8.count + 44
        } ?? ""
    }
}
