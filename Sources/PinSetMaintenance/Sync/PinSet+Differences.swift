internal import Encodings
internal import PinSetCodec
internal import Pinning

extension PinSet {
    /// Returns the differences between this set and `copy`. Order and unknown keys are ignored.
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
        if contactedEndpoints != copy.contactedEndpoints {
            kinds.append(.endpoints(endpoints.map(\.text), found: copy.endpoints.map(\.text)))
        }

        // An entry can have a pin twice, with different roles.
        let indicesByPin = Dictionary(grouping: copy.pins.indices) { copy.pins[$0].pin }
        var taken: Set<Int> = []
        func take(_ pin: Pin, where isMeant: (PinSet.PinnedKey) -> Bool) -> PinSet.PinnedKey? {
            let free = indicesByPin[pin, default: []].first { !taken.contains($0) && isMeant(copy.pins[$0]) }
            guard let free else { return nil }
            taken.insert(free)
            return copy.pins[free]
        }
        var unmatched: [PinSet.PinnedKey] = []
        for key in pins {
            if let same = take(key.pin, where: { $0.role == key.role }) {
                kinds += key.differences(to: same)
            } else {
                unmatched.append(key)
            }
        }
        for key in unmatched {
            if let other = take(key.pin, where: { _ in true }) {
                kinds.append(.role(key, found: other.role))
                kinds += key.differences(to: other)
            } else {
                kinds.append(.missingPin(key))
            }
        }
        kinds += copy.pins.indices.filter { !taken.contains($0) }.map { .extraPin(copy.pins[$0]) }
        return kinds.map { CopyDifference($0, of: host, line: copy.position?.line) }
    }
}

extension PinSet.PinnedKey {
    fileprivate func differences(to copy: PinSet.PinnedKey) -> [CopyDifference.Kind] {
        // Active pins and backups match equally, so the difference is only in the comment. If the set has no comment, any comment
        // in the copy is accepted.
        guard (state == .retired) == (copy.state == .retired) else { return [.state(self, found: copy.state)] }
        let note = PinComment(self)
        // A comment of a person stays if the pin of the set has no label.
        let isSame = note.text == nil || note.keepingLabel(of: PinComment(copy)) == PinComment(copy)
        return isSame ? [] : [.note(self, found: PinComment(copy).text)]
    }
}
