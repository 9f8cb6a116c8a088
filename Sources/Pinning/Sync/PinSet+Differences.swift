extension PinSet {
    /// In what `copy` does not say the same as this set. Order does not count, and neither do keys without a meaning.
    func differences(to copy: PinSet) -> [CopyDifference] {
        var found: [CopyDifference] = []
        for entry in entries {
            guard let index = copy.indices[entry.name] else {
                found.append(CopyDifference(.missingHost, of: entry.host))
                continue
            }
            found += entry.differences(to: copy.entries[index])
        }
        for entry in copy.entries where indices[entry.name] == nil {
            found.append(CopyDifference(.extraHost, of: entry.host, line: entry.position?.line))
        }
        return found
    }
}

extension PinSet.Entry {
    fileprivate func differences(to copy: PinSet.Entry) -> [CopyDifference] {
        var kinds: [CopyDifference.Kind] = []
        if subdomains != copy.subdomains { kinds.append(.subdomains(subdomains, found: copy.subdomains)) }
        if expires != copy.expires { kinds.append(.expires(expires, found: copy.expires)) }
        if enforce != copy.enforce { kinds.append(.enforce(enforce)) }
        if anchors != copy.anchors { kinds.append(.anchors(anchors, found: copy.anchors)) }

        // Of one pin there may be two, for different places.
        var others = copy.pins
        var unmatched: [PinSet.PinnedKey] = []
        for key in pins {
            if let index = others.firstIndex(where: { $0.pin == key.pin && $0.role == key.role }) {
                kinds += key.differences(to: others.remove(at: index))
            } else {
                unmatched.append(key)
            }
        }
        for key in unmatched {
            if let index = others.firstIndex(where: { $0.pin == key.pin }) {
                let other = others.remove(at: index)
                kinds.append(.role(key, found: other.role))
                kinds += key.differences(to: other)
            } else {
                kinds.append(.missingPin(key))
            }
        }
        kinds += others.map { .extraPin($0) }
        return kinds.map { CopyDifference($0, of: host, line: copy.position?.line) }
    }
}

extension PinSet.PinnedKey {
    fileprivate func differences(to copy: PinSet.PinnedKey) -> [CopyDifference.Kind] {
        // An active pin and a backup match alike: which it is, is a note. Where the set has none the copy may have its own.
        guard (state == .retired) == (copy.state == .retired) else { return [.state(self, found: copy.state)] }
        let note = PinNote(self)
        return note.text == nil || note == PinNote(copy) ? [] : [.note(self, found: PinNote(copy).text)]
    }
}
