internal import CommandSupport
internal import FileConflicts
internal import Pinning

extension Difference {
    /// The differences between two pin sets, by host.
    static func between(_ left: PinSetFile, _ right: PinSetFile) -> [Difference] {
        /// Whether the anchors are the same files, or have the same names beside both sets.
        func haveSameAnchors(_ entry: PinSet.Entry, _ other: PinSet.Entry) -> Bool {
            func files(_ paths: [String], of file: PinSetFile) -> [PathKey] {
                paths.map(file.resolved).map { PathKey(resolving: $0) ?? PathKey($0) }
            }
            return entry.anchors == other.anchors
                || files(entry.anchors, of: left) == files(other.anchors, of: right)
        }
        return between(left.set, right.set, haveSameAnchors)
    }

    private static func between(
        _ left: PinSet, _ right: PinSet, _ haveSameAnchors: (PinSet.Entry, PinSet.Entry) -> Bool
    ) -> [Difference] {
        var found: [Difference] = []
        for entry in left.entries {
            guard let index = right.indices[entry.name] else {
                found.append(Difference(change: .removed, field: .host, host: entry.name, left: summary(of: entry)))
                continue
            }
            let other = right.entries[index]
            found += between(entry, other, sameAnchors: haveSameAnchors(entry, other))
        }
        for entry in right.entries where left.indices[entry.name] == nil {
            found.append(Difference(change: .added, field: .host, host: entry.name, right: summary(of: entry)))
        }
        return found
    }

    private static func summary(of entry: PinSet.Entry) -> String {
        "with \(entry.pins.count) \(entry.pins.count == 1 ? "pin" : "pins")"
    }

    private static func between(
        _ left: PinSet.Entry, _ right: PinSet.Entry, sameAnchors: Bool
    ) -> [Difference] {
        let host = left.name
        var found: [Difference] = []
        let leftKeys = Dictionary(left.pins.map { ($0.pin, $0) }) { first, _ in first }
        let rightKeys = Dictionary(right.pins.map { ($0.pin, $0) }) { first, _ in first }
        for key in left.pins {
            guard let other = rightKeys[key.pin] else {
                found.append(
                    Difference(change: .removed, field: .pin, host: host, pin: key.pin, left: properties(of: key)))
                continue
            }
            if key.role != other.role || key.state != other.state {
                found.append(
                    Difference(
                        change: .changed, field: .pin, host: host, pin: key.pin, left: properties(of: key),
                        right: properties(of: other)))
            }
        }
        for key in right.pins where leftKeys[key.pin] == nil {
            found.append(Difference(change: .added, field: .pin, host: host, pin: key.pin, right: properties(of: key)))
        }
        func compare(_ field: Field, _ left: String?, _ right: String?) {
            guard left != right else { return }
            let change: Change = left == nil ? .added : right == nil ? .removed : .changed
            found.append(Difference(change: change, field: field, host: host, left: left, right: right))
        }
        func list(_ texts: [String]) -> String? { texts.isEmpty ? nil : texts.joined(separator: ", ") }
        compare(.subdomains, left.subdomains.rawValue, right.subdomains.rawValue)
        compare(.expires, left.expires?.description, right.expires?.description)
        compare(.enforce, String(left.enforce), String(right.enforce))
        if !sameAnchors { compare(.anchors, list(left.anchors), list(right.anchors)) }
        compare(.endpoints, list(left.endpoints.map(\.text)), list(right.endpoints.map(\.text)))
        return found
    }

    private static func properties(of key: PinSet.PinnedKey) -> String { "\(key.role.rawValue) \(key.state.rawValue)" }
}
