/// Puts the pins of a set into a `network_security_config.xml`, and keeps every byte that says something else.
///
/// A `domain-config` may be about several domains, and others may inherit from it. Where the set tells them apart, a domain moves
/// into a `domain-config` of its own inside the old one, so that it keeps what it inherits besides pins.
struct AndroidEditor {
    private let configuration: AndroidConfiguration
    private let layout: TextLayout
    private var wanted: [String: PinSet.Entry] = [:]
    private let order: [PinSet.Entry]
    private var edits: [TextEdit] = []
    /// The domains of the file that the set does not have.
    private(set) var others: [String] = []

    init(configuration: AndroidConfiguration, entries: [PinSet.Entry]) {
        self.configuration = configuration
        layout = TextLayout(configuration.document.bytes)
        order = entries
        for entry in entries { wanted[entry.name] = entry }
    }

    mutating func edited() -> [UInt8] {
        var missing = wanted
        for part in configuration.parts {
            edit(part, was: .none, becomes: .none, missing: &missing)
        }
        addParts(order.filter { missing[$0.name] != nil })
        return TextEdit.applied(edits, to: layout.bytes)
    }

    /// - Parameters:
    ///   - was: what the file says around the part.
    ///   - becomes: what it will say.
    private mutating func edit(
        _ part: AndroidConfiguration.Part, was: AndroidPinState, becomes: AndroidPinState,
        missing: inout [String: PinSet.Entry]
    ) {
        let old = was.overridden(by: part)
        let states = part.domains.map { domain in
            missing.removeValue(forKey: domain.name)
            return wanted[domain.name].map(AndroidPinState.init(of:)) ?? old
        }
        let isKept = states.contains { $0.isSame(as: old) }
        let new = isKept ? old : states.first ?? old
        edit(part, from: old, to: new, within: becomes)

        var moved = ""
        for (domain, state) in zip(part.domains, states) {
            guard let entry = wanted[domain.name] else {
                others.append(domain.host)
                continue
            }
            guard !state.isSame(as: new) else {
                editSubdomains(of: domain, to: entry.subdomains != .none)
                continue
            }
            edits.append(TextEdit(range: layout.lines(of: domain.element.range), text: ""))
            let writer = writer(for: part)
            moved += layout.lineEnd
            moved += writer.part(
                host: domain.host, subdomains: entry.subdomains, state: labelled(state, like: part), inherited: new,
                indentation: layout.lineIndentation(of: part.element.range.lowerBound) + writer.unit)
        }
        if !moved.isEmpty, let last = part.element.children.last {
            edits.append(TextEdit(range: last.range.upperBound..<last.range.upperBound, text: moved))
        }
        for inner in part.parts { edit(inner, was: old, becomes: new, missing: &missing) }
    }

    /// Changes what the part itself says of pins.
    private mutating func edit(
        _ part: AndroidConfiguration.Part, from old: AndroidPinState, to new: AndroidPinState,
        within inherited: AndroidPinState
    ) {
        guard let lastDomain = part.domains.last?.element else { return }
        var added = ""
        let indentation = layout.lineIndentation(of: lastDomain.range.lowerBound)
        if let pins = part.pins {
            if !new.hasPins(of: old) { edit(pins, to: labelled(new, like: part), in: part) }
        } else if !new.hasPins(of: inherited) {
            added += layout.lineEnd + indentation
            added += writer(for: part).pinSet(labelled(new, like: part), indentation: indentation)
        }
        if let enforcement = part.enforcement {
            if new.enforces != old.enforces { set("enforcePinning", of: enforcement.element, to: "\(new.enforces)") }
        } else if new.enforces != inherited.enforces {
            added += layout.lineEnd + indentation + writer(for: part).trustKit(new)
        }
        if !added.isEmpty {
            let end = lastDomain.range.upperBound
            edits.append(TextEdit(range: end..<end, text: added))
        }
    }

    private mutating func edit(
        _ pins: AndroidConfiguration.Pins, to new: AndroidPinState, in part: AndroidConfiguration.Part
    ) {
        let writer = writer(for: part)
        let indentation = layout.lineIndentation(of: pins.element.range.lowerBound)
        guard !pins.element.isEmptyTag, !new.pins.isEmpty else {
            edits.append(TextEdit(range: pins.element.range, text: writer.pinSet(new, indentation: indentation)))
            return
        }
        if pins.expires != new.expires { set("expiration", of: pins.element, to: new.expires?.date) }
        if pins.pins.map(\.pin) != new.pins.map(\.pin) {
            edits.append(TextEdit(range: pins.element.inner, text: writer.pins(new.pins, indentation: indentation)))
        }
    }

    private mutating func editSubdomains(of domain: AndroidConfiguration.Domain, to includes: Bool) {
        guard domain.includesSubdomains != includes else { return }
        set("includeSubdomains", of: domain.element, to: "\(includes)")
    }

    /// Sets an attribute, or takes it away; the value needs no escapes.
    private mutating func set(_ name: String, of element: XMLElement, to value: String?) {
        let text = value.map { "\(name)=\"\($0)\"" }
        if let attribute = element.attribute(name) {
            var range = attribute.range
            if text == nil {
                while range.lowerBound > 0, XMLReader.isWhiteSpace(layout.bytes[range.lowerBound - 1]) {
                    range = range.lowerBound - 1..<range.upperBound
                }
            }
            edits.append(TextEdit(range: range, text: text ?? ""))
        } else if let text {
            let end = element.attributesEnd
            edits.append(TextEdit(range: end..<end, text: " " + text))
        }
    }

    /// The file's own labels stay with pins that have none in the set.
    private func labelled(_ state: AndroidPinState, like part: AndroidConfiguration.Part) -> AndroidPinState {
        var state = state
        var labels: [Pin: String] = [:]
        for pin in part.pins?.pins ?? [] { labels[pin.pin] = pin.label }
        state.pins = state.pins.map { pin in
            guard pin.label == nil, let label = labels[pin.pin] else { return pin }
            return PinSet.PinnedKey(pin: pin.pin, label: label)
        }
        return state
    }

    private mutating func addParts(_ entries: [PinSet.Entry]) {
        guard !entries.isEmpty else { return }
        let root = configuration.document.root
        let writer = AndroidWriter(unit: rootUnit ?? "    ", lineEnd: layout.lineEnd)
        let sibling = configuration.parts.last?.element ?? root.children.last
        let indentation =
            sibling.map { layout.lineIndentation(of: $0.range.lowerBound) }
            ?? layout.lineIndentation(of: root.range.lowerBound) + writer.unit
        var text = ""
        for entry in entries {
            text += layout.lineEnd
            text += writer.part(
                host: entry.name, subdomains: entry.subdomains, state: AndroidPinState(of: entry), inherited: .none,
                indentation: indentation)
        }
        if let sibling {
            edits.append(TextEdit(range: sibling.range.upperBound..<sibling.range.upperBound, text: text))
        } else if root.isEmptyTag {
            let end = "\(layout.lineEnd)\(layout.lineIndentation(of: root.range.lowerBound))</\(root.name)>"
            edits.append(TextEdit(range: root.attributesEnd..<root.range.upperBound, text: ">" + text + end))
        } else {
            let isOnOneLine = !layout.bytes[root.inner].contains(UInt8(ascii: "\n"))
            edits.append(
                TextEdit(
                    range: root.inner.lowerBound..<root.inner.lowerBound,
                    text: text + (isOnOneLine ? layout.lineEnd : "")))
        }
    }

    private var rootUnit: String? {
        let root = configuration.document.root
        return root.children.first.flatMap { layout.unit(of: $0.range.lowerBound, within: root.range.lowerBound) }
    }

    private func writer(for part: AndroidConfiguration.Part) -> AndroidWriter {
        let unit = part.element.children.first.flatMap {
            layout.unit(of: $0.range.lowerBound, within: part.element.range.lowerBound)
        }
        return AndroidWriter(unit: unit ?? rootUnit ?? "    ", lineEnd: layout.lineEnd)
    }
}
