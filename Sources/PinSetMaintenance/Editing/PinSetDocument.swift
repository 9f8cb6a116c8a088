internal import Encodings
internal import PinSetCodec
package import Pinning

/// The text of `pins.json` and its pin set. An edit changes no other byte: order, indentation, unknown keys, line ends and the
/// byte-order mark stay.
package struct PinSetDocument: Sendable {
    /// The contents of the file.
    package let bytes: [UInt8]
    package let set: PinSet
    private let root: JSONValue
    private let outline: [EntryOutline]
    /// The object of all hosts.
    private let hosts: JSONSourceMap?

    /// - Parameter bytes: the contents of the file, as for ``PinSet/init(json:)``.
    /// - Throws: the errors of ``PinSet/init(json:)``.
    package init(_ bytes: [UInt8]) throws(PinSetError) {
        do throws(JSONError) {
            root = try JSONDocument(bytes).root
        } catch {
            throw PinSetError(.syntax(error), at: error.position)
        }
        set = try PinSet(json: root)
        self.bytes = bytes
        let sourceMap = JSONSourceMap(of: root)
        outline = EntryOutline.entries(of: root, sourceMap)
        hosts = EntryOutline.hosts(of: root, sourceMap)
    }

    /// The keys of an entry whose values differ from an earlier version of the file, without `pins`.
    ///
    /// Compares all keys of the file, also unknown ones, and ignores whitespace.
    ///
    /// - Parameter name: the normalized host of the entry. If one version has no such entry, that version has no keys.
    package func changedKeys(of name: String, since earlier: PinSetDocument) -> [String] {
        let (now, before) = (members(of: name), earlier.members(of: name))
        let values = Dictionary(now.map { (ExactText($0.key), $0.value) }) { first, _ in first }
        let earlierValues = Dictionary(before.map { (ExactText($0.key), $0.value) }) { first, _ in first }
        let keys = before.map(\.key) + now.map(\.key).filter { earlierValues[ExactText($0)] == nil }
        return keys.filter { key in
            guard let one = values[ExactText(key)], let other = earlierValues[ExactText(key)] else { return true }
            return !one.hasSameContent(as: other)
        }
    }

    /// The members of an entry's object without `pins`; empty for a bare array.
    private func members(of name: String) -> [JSONMember] {
        guard case .object(let keys) = root.content,
            case .object(let hosts)? = keys.first(where: { $0.key == "hosts" })?.value.content,
            let index = set.indices[name], hosts.indices.contains(index),
            case .object(let members) = hosts[index].value.content
        else { return [] }
        return members.filter { $0.key != "pins" }
    }

    /// The document after changes. If several edits change one property, the last one applies.
    ///
    /// A pin that is a bare string becomes an object if it gets a property. An entry that is a bare array becomes an object if it
    /// gets a property.
    package func applying(_ edits: [PinSetEdit]) throws(PinSetError) -> PinSetDocument {
        var added: [Int: [PinSet.PinnedKey]] = [:]
        var changed: [Int: [Int: [PinSetEdit.Field]]] = [:]
        var properties: [Int: [EntryEditor.Property]] = [:]
        var inserted: [PinSet.Entry] = []
        for edit in edits {
            switch edit {
            case .add(let key, let entry): added[entry, default: []].append(key)
            case .change(let field, let entry, let pin): changed[entry, default: [:]][pin, default: []].append(field)
            case .expires(let end, let entry):
                properties[entry, default: []].append(("expires", end.map { JSONText.quoted($0.spelled) }))
            case .subdomains(let subdomains, let entry):
                let value = subdomains == .none ? nil : JSONText.quoted(subdomains.rawValue)
                properties[entry, default: []].append(("subdomains", value))
            case .insert(let entry): inserted.append(entry)
            }
        }
        // 100 entries are enough to determine the layout of the file.
        let others = Array(outline.prefix(100))
        var texts: [TextEdit] = []
        for (index, entry) in outline.enumerated() {
            let editor = EntryEditor(bytes: bytes, entry: entry, others: others)
            for (pin, fields) in (changed[index] ?? [:]).sorted(by: { $0.key < $1.key }) {
                texts += editor.edits(of: pin, fields)
            }
            texts += editor.edits(adding: added[index] ?? [])
            texts += editor.edits(setting: properties[index] ?? [])
        }
        if let hosts, !inserted.isEmpty {
            texts.append(NewEntryText(bytes: bytes, hosts: hosts, template: outline.last).edit(inserting: inserted))
        }
        return texts.isEmpty ? self : try PinSetDocument(TextEdit.applied(texts, to: bytes))
    }
}

/// The byte ranges of the parts of an entry.
struct EntryOutline: Sendable {
    /// The object or the bare array.
    let value: JSONSourceMap
    /// The keys of the object, in the order of the file; empty for a bare array.
    let keys: [String]
    let pins: JSONSourceMap
    /// The keys of each pin's object, in the order of the file; nil for a bare string.
    let pinKeys: [[String]?]
    /// The spelling of the last pin.
    let lastSpelling: String

    var isBare: Bool { value.range == pins.range }

    /// The object of all hosts.
    static func hosts(of root: JSONValue, _ sourceMap: JSONSourceMap) -> JSONSourceMap? {
        member("hosts", of: root, sourceMap)?.1
    }

    /// The entries of a pin set, in the order of the file.
    static func entries(of root: JSONValue, _ sourceMap: JSONSourceMap) -> [EntryOutline] {
        guard let (hosts, hostSourceMap) = member("hosts", of: root, sourceMap),
            case .object(let members) = hosts.content
        else { return [] }
        return zip(members, hostSourceMap.members).compactMap { member, range in
            EntryOutline(member.value, range.value)
        }
    }

    private init?(_ entry: JSONValue, _ sourceMap: JSONSourceMap) {
        let isBare = if case .array = entry.content { true } else { false }
        guard let (list, pins) = isBare ? (entry, sourceMap) : Self.member("pins", of: entry, sourceMap),
            case .array(let elements) = list.content, elements.count == pins.members.count
        else { return nil }
        value = sourceMap
        keys = Self.keys(of: entry) ?? []
        self.pins = pins
        pinKeys = elements.map(Self.keys)
        lastSpelling = elements.last.flatMap(Self.spelling) ?? ""
        // Keys and ranges have equal indices, so their counts must be equal.
        let hasRanges = zip(pinKeys, pins.members).allSatisfy { $0.map { $0.count } ?? 0 == $1.value.members.count }
        guard hasRanges, isBare || keys.count == sourceMap.members.count else { return nil }
    }

    private static func spelling(of pin: JSONValue) -> String? {
        switch pin.content {
        case .string(let spelling): spelling
        case .object(let members): members.first { $0.key == "sha256" }.flatMap { spelling(of: $0.value) }
        default: nil
        }
    }

    private static func keys(of value: JSONValue) -> [String]? {
        guard case .object(let members) = value.content else { return nil }
        return members.map(\.key)
    }

    private static func member(
        _ key: String, of value: JSONValue, _ sourceMap: JSONSourceMap
    ) -> (JSONValue, JSONSourceMap)? {
        guard case .object(let members) = value.content, members.count == sourceMap.members.count,
            let index = members.firstIndex(where: { $0.key == key })
        else { return nil }
        return (members[index].value, sourceMap.members[index].value)
    }
}
