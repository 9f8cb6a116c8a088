internal import Encodings
internal import PinSetCodec
internal import Pinning
internal import XMLDocuments

/// Writes the pins of a set into a `network_security_config.xml`, and keeps the rest of the file.
///
/// A `domain-config` may have several domains, and others may inherit from it. If the set has different pins for its domains, a
/// domain moves into a new `domain-config` inside the old one, where it still inherits the other settings. If a host of the set is in
/// the file only in a spelling that Android does not find, its domain gets the spelling that Android finds.
struct AndroidEditor {
    private let configuration: AndroidConfiguration
    private let layout: TextLayout
    private var wanted: [String: WritableEntry] = [:]
    /// The entries for domains that get another spelling, by the offsets of their elements.
    private var respelled: [Int: WritableEntry] = [:]
    private let order: [WritableEntry]
    private let fate: OtherHosts
    private let hadTrustKit: Bool
    /// Whether TrustKit reads the file. TrustKit enforces pins only for hosts with its setting, so every host needs the setting.
    let hasTrustKit: Bool
    private var edits: [TextEdit] = []
    /// Pinned domains of the file that the set does not contain.
    private(set) var others: [String] = []

    init(configuration: AndroidConfiguration, entries: [WritableEntry], others fate: OtherHosts) {
        self.configuration = configuration
        layout = TextLayout(configuration.document.bytes)
        order = entries
        self.fate = fate
        hadTrustKit = configuration.namesTrustKit
        hasTrustKit = hadTrustKit || entries.haveReportOnly
        for entry in entries { wanted[entry.host] = entry }
        respelled = domainsToRespell()
    }

    private func domainsToRespell() -> [Int: WritableEntry] {
        func domains(_ parts: [AndroidConfiguration.Part]) -> [AndroidConfiguration.Domain] {
            parts.flatMap { $0.domains + domains($0.parts) }
        }
        let domains = domains(configuration.parts)
        var names = Set(domains.map(\.name))
        var entries: [Int: WritableEntry] = [:]
        for domain in domains {
            // An element with markup, such as a comment, stays as it is.
            guard let name = domain.nameToWrite, let entry = wanted[name],
                !layout.bytes[domain.element.inner].contains(UInt8(ascii: "<")), names.insert(name).inserted
            else { continue }
            entries[domain.element.range.lowerBound] = entry
        }
        return entries
    }

    /// The entry of the set for a domain of the file.
    private func entry(for domain: AndroidConfiguration.Domain) -> WritableEntry? {
        wanted[domain.name] ?? respelled[domain.element.range.lowerBound]
    }

    mutating func edited() throws(PinSetFormatError) -> [UInt8] {
        var missing = wanted
        for part in configuration.parts {
            try edit(part, was: .none, becomes: .none, isOuter: true, missing: &missing)
        }
        addParts(order.filter { missing[$0.host] != nil })
        guard !edits.isEmpty else { return layout.bytes }
        do throws(XMLError) {
            try XMLDocument.checkLineEnds(of: layout.bytes)
        } catch {
            throw AndroidFormat.error(.xml(error), at: error.position)
        }
        return TextEdit.applied(edits, to: layout.bytes)
    }

    /// - Parameters:
    ///   - was: the state that the part inherits in the existing file.
    ///   - becomes: the state that it will inherit after the edit.
    private mutating func edit(
        _ part: AndroidConfiguration.Part, was: AndroidPinState, becomes: AndroidPinState, isOuter: Bool = false,
        missing: inout [String: WritableEntry]
    ) throws(PinSetFormatError) {
        let old = was.overridden(by: part)
        var domains: [(domain: AndroidConfiguration.Domain, state: AndroidPinState)] = []
        var gone: [AndroidConfiguration.Domain] = []
        for domain in part.domains {
            if let entry = entry(for: domain) {
                missing.removeValue(forKey: entry.host)
                domains.append((domain, labelled(AndroidPinState(of: entry, hasTrustKit: hasTrustKit), like: part)))
            } else if old.pins.isEmpty || fate == .kept {
                var state = old
                if !old.pins.isEmpty {
                    others.append(domain.host)
                    // Without this element, the part would inherit another setting.
                    if hasTrustKit, !hadTrustKit || becomes.enforces != nil {
                        let canEnforce = TrustKitAndroidRules.canEnforce(old.pins)
                        state.enforces = old.enforces ?? (canEnforce ? true : nil)
                        state.cannotEnforce = !canEnforce
                    }
                }
                domains.append((domain, state))
            } else if isOuter, part.hasOnlyPinSettings {
                others.append(domain.host)
                gone.append(domain)
            } else {
                others.append(domain.host)
                try checkCanBeUnpinned(domain)
                domains.append((domain, .unpinned))
            }
        }
        guard let first = domains.first else {
            edits.append(TextEdit(range: layout.removal(of: part.element.range), text: ""))
            return
        }
        for domain in gone { edits.append(TextEdit(range: layout.removal(of: domain.element.range), text: "")) }
        // The part gets the state of a domain whose state does not change. Otherwise it gets that of a domain with pins.
        let decisive = domains.first { $0.state.isSame(as: old) } ?? domains.first { !$0.state.pins.isEmpty }
        var new = decisive?.state ?? first.state
        if new.pins.isEmpty, old.pins.isEmpty { new.enforces = part.enforcement?.enforces ?? becomes.enforces }
        edit(part, from: old, to: new, within: becomes)

        var moved = ""
        let comments = AndroidMovedDomain.comments(of: part, in: layout.bytes)
        for (domain, state) in domains {
            let isSame = state.pins.isEmpty ? new.pins.isEmpty : state.isSame(as: new)
            guard !isSame else {
                if let entry = entry(for: domain) { edit(domain, to: entry) }
                continue
            }
            // TrustKit, but not Android, inherits includeSubdomains.
            let text = AndroidMovedDomain(
                domain, subdomains: entry(for: domain)?.subdomains, inheritsSubdomains: hasTrustKit,
                host: respelled[domain.element.range.lowerBound]?.host, comments: comments, layout)
            edits += text.removals
            let writer = writer(for: part)
            let indentation = layout.lineIndentation(of: part.element.range.lowerBound) + writer.unit
            moved += layout.lineEnd
            moved += writer.part(
                of: text.lines(indentation: indentation + writer.unit), state: state, inherited: new,
                indentation: indentation)
        }
        if !moved.isEmpty, let last = part.element.children.last {
            let end = layout.endOfTrailingMarkup(
                after: last.range.upperBound, limit: part.element.inner.upperBound)
            edits.append(TextEdit(range: end..<end, text: moved))
        }
        for inner in part.parts { try edit(inner, was: old, becomes: new, missing: &missing) }
    }

    /// Fails if the domain cannot be left without pins. A domain in a `domain-config` without pins is not pinned, but the set may
    /// pin it through the entry of a parent domain.
    private func checkCanBeUnpinned(_ domain: AndroidConfiguration.Domain) throws(PinSetFormatError) {
        var parent = domain.name[...]
        while let dot = parent.firstIndex(of: ".") {
            parent = parent[dot...].dropFirst()
            guard let above = wanted[String(parent)], above.subdomains != .none else { continue }
            throw AndroidFormat.error(
                .android(.pinsNotRemovable(host: domain.host, parent: above.entry.host)),
                at: configuration.document.position(of: domain.element.range.lowerBound))
        }
    }

    /// Changes the settings of one part. The parts inside it do not change.
    private mutating func edit(
        _ part: AndroidConfiguration.Part, from old: AndroidPinState, to new: AndroidPinState,
        within inherited: AndroidPinState
    ) {
        guard let lastDomain = part.domains.last?.element else { return }
        var added = ""
        let indentation = layout.lineIndentation(of: lastDomain.range.lowerBound)
        if let pins = part.pins {
            edit(pins, to: new, in: part)
        } else if !new.hasPins(of: inherited) {
            added += layout.lineEnd + indentation
            added += writer(for: part).pinSet(new, indentation: indentation)
        }
        if let enforcement = part.enforcement {
            if let enforces = new.enforcement(over: old.enforces) {
                set("enforcePinning", of: enforcement.element, to: "\(enforces)")
            }
        } else if let enforces = new.enforcement(over: inherited.enforces) {
            added += layout.lineEnd + indentation + writer(for: part).trustKit(enforces)
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
        let element = pins.element
        if pins.expires != new.expires { set("expiration", of: element, to: new.expires?.date) }
        guard !element.isEmptyTag else {
            guard !new.pins.isEmpty else { return }
            let text = ">\(writer.pins(new.pins, indentation: indentation))</\(element.name)>"
            edits.append(TextEdit(range: element.attributesEnd..<element.range.upperBound, text: text))
            return
        }
        let list = XMLListEditor(
            layout, inner: element.inner, items: pins.items.map(\.item), indentation: indentation + writer.unit,
            outerIndentation: indentation)
        let update = PinListUpdate(of: pins.items.map(\.element), wanted: new.pins.map(\.pin))
        guard !update.steps.isEmpty || pins.items.isEmpty || !list.hasOnlyItems else {
            edits.append(TextEdit(range: element.attributesEnd..<element.range.upperBound, text: " />"))
            return
        }
        let old = AndroidPinState(of: pins).notes
        var notes = new.notes
        edits += list.edits(
            update.steps.map { step in
                switch step {
                case .added(let index):
                    let pin = new.pins[index].pin
                    return .added(AndroidWriter.pin(pin), label: notes[pin] ?? nil)
                case .kept(let index):
                    guard case .pin(let pin) = pins.items[index].element, let note = notes.removeValue(forKey: pin),
                        note != old[pin]
                    else { return .kept(index, label: nil) }
                    return .kept(index, label: note)
                }
            })
    }

    private mutating func edit(_ domain: AndroidConfiguration.Domain, to entry: WritableEntry) {
        let includes = entry.subdomains != .none
        if domain.includesSubdomains != includes { set("includeSubdomains", of: domain.element, to: "\(includes)") }
        if respelled[domain.element.range.lowerBound] != nil {
            edits.append(TextEdit(range: domain.element.inner, text: entry.host))
        }
    }

    /// Sets or removes an attribute. The value must not need escapes.
    private mutating func set(_ name: String, of element: XMLElement, to value: String?) {
        if let edit = element.edit(setting: name, to: value, in: layout.bytes) { edits.append(edit) }
    }

    /// Adds notes from the file to those pins of the set that have no notes, and labels to those that have no label.
    private func labelled(_ state: AndroidPinState, like part: AndroidConfiguration.Part) -> AndroidPinState {
        var state = state
        var notes: [Pin: PinSet.PinnedKey] = [:]
        for pin in part.pins?.pins ?? [] where notes[pin.pin] == nil { notes[pin.pin] = pin }
        state.pins = state.pins.map { pin in
            guard let old = notes[pin.pin] else { return pin }
            return PinComment(pin).markup == nil ? old : pin.keepingLabel(of: old)
        }
        return state
    }

    private mutating func addParts(_ entries: [WritableEntry]) {
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
                of: AndroidWriter.domain(entry),
                state: AndroidPinState(of: entry, hasTrustKit: hasTrustKit),
                inherited: .none,
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
