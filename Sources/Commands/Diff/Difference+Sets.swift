internal import CommandSupport
internal import FileConflicts
internal import Pinning

extension Difference {
    /// The differences between two pin sets, by host.
    static func between(_ left: PinSetFile, _ right: PinSetFile) -> [Difference] {
        var found: [Difference] = []
        for entry in left.set.entries {
            guard let index = right.set.indices[entry.name] else {
                found.append(Difference(change: .removed, field: .host, host: entry.name, left: summary(of: entry)))
                continue
            }
            let other = right.set.entries[index]
            found += ofPins(entry, other)
            found += ofSettings(entry, other, anchors: differentAnchors((entry, left), (other, right)))
        }
        for entry in right.set.entries where left.set.indices[entry.name] == nil {
            found.append(Difference(change: .added, field: .host, host: entry.name, right: summary(of: entry)))
        }
        return found
    }

    private static func summary(of entry: PinSet.Entry) -> String {
        "with \(entry.pins.count) \(entry.pins.count == 1 ? "pin" : "pins")"
    }

    // MARK: Anchors

    /// The paths of the anchors; nil if both entries have the same files, or the same names and the same certificates.
    private static func differentAnchors(
        _ left: (entry: PinSet.Entry, file: PinSetFile), _ right: (entry: PinSet.Entry, file: PinSetFile)
    ) -> (left: [String], right: [String])? {
        let names = (left: left.entry.anchors, right: right.entry.anchors)
        let paths = (left: names.left.map(left.file.resolved), right: names.right.map(right.file.resolved))
        func keys(_ paths: [String]) -> [PathKey] { paths.map { PathKey(resolving: $0) ?? PathKey($0) } }
        guard keys(paths.left) != keys(paths.right) else { return nil }
        guard names.left == names.right else { return names }
        // If a file is missing, as for the set of an older revision, the names decide.
        guard let one = anchors(in: paths.left), let other = anchors(in: paths.right), one != other else { return nil }
        return paths
    }

    /// The anchors in files and folders; nil if one cannot be read.
    private static func anchors(in paths: [String]) -> Set<TrustAnchor>? {
        do throws(CommandError) {
            var found: Set<TrustAnchor> = []
            for path in paths { found.formUnion(try AnchorFiles.anchors(at: path)) }
            return found
        } catch {
            return nil
        }
    }

    // MARK: Pins and settings

    /// The differences between the pins of two entries. An entry can have a pin several times, with different roles and states.
    private static func ofPins(_ left: PinSet.Entry, _ right: PinSet.Entry) -> [Difference] {
        let (keys, others) = (properties(of: left), properties(of: right))
        var found: [Difference] = []
        var known: Set<Pin> = []
        for pin in (left.pins + right.pins).map(\.pin) where known.insert(pin).inserted {
            let (all, allOthers) = (keys[pin, default: []], others[pin, default: []])
            let onlyLeft = all.filter { !allOthers.contains($0) }
            let onlyRight = allOthers.filter { !all.contains($0) }
            for index in 0..<max(onlyLeft.count, onlyRight.count) {
                let one = index < onlyLeft.count ? onlyLeft[index] : nil
                let other = index < onlyRight.count ? onlyRight[index] : nil
                let change: Change = one == nil ? .added : other == nil ? .removed : .changed
                found.append(
                    Difference(change: change, field: .pin, host: left.name, pin: pin, left: one, right: other))
            }
        }
        return found
    }

    /// The roles and states of each pin, in the order of the entry. A repetition has no effect.
    private static func properties(of entry: PinSet.Entry) -> [Pin: [String]] {
        var found: [Pin: [String]] = [:]
        for key in entry.pins {
            let text = "\(key.role.rawValue) \(key.state.rawValue)"
            if found[key.pin]?.contains(text) != true { found[key.pin, default: []].append(text) }
        }
        return found
    }

    private static func ofSettings(
        _ left: PinSet.Entry, _ right: PinSet.Entry, anchors: (left: [String], right: [String])?
    ) -> [Difference] {
        var found: [Difference] = []
        func compare(_ field: Field, _ one: String?, _ other: String?) {
            guard one != other else { return }
            let change: Change = one == nil ? .added : other == nil ? .removed : .changed
            found.append(Difference(change: change, field: field, host: left.name, left: one, right: other))
        }
        func list(_ texts: [String]) -> String? { texts.isEmpty ? nil : texts.joined(separator: ", ") }
        compare(.subdomains, left.subdomains.rawValue, right.subdomains.rawValue)
        compare(.expires, left.expires?.description, right.expires?.description)
        compare(.enforce, String(left.enforce), String(right.enforce))
        if let anchors { compare(.anchors, list(anchors.left), list(anchors.right)) }
        if left.contactedEndpoints != right.contactedEndpoints {
            compare(.endpoints, list(left.endpoints.map(\.text)), list(right.endpoints.map(\.text)))
        }
        return found
    }
}
