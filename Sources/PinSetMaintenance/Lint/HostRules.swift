internal import Encodings
internal import PinSetCodec
internal import Pinning

/// Rules about the entries of a set and how they overlap.
enum HostRules {
    static func check(_ set: LintSet, _ findings: inout LintFindings) {
        var byName: [String: LintEntry] = [:]
        for entry in set.entries { if let name = entry.name, byName[name] == nil { byName[name] = entry } }
        // Many hosts can be below one entry with many pins.
        var pinsAbove: [String: Set<Pin>] = [:]
        for entry in set.entries {
            if !entry.enforce {
                findings.add(
                    .reportOnly,
                    "apps only report a mismatch for \(entry.host.quotedExcerpt): these pins protect no connection",
                    hint: "enforce the pins when you know that they match", of: entry
                )
            }
            guard let name = entry.name, IPAddress(name) == nil, let (above, parent) = parent(of: name, in: byName)
            else {
                continue
            }
            let pins = pinsAbove[above] ?? Set(parent.usable.compactMap(\.pin))
            pinsAbove[above] = pins
            overlap(entry, parent, hasSamePins: Set(entry.usable.compactMap(\.pin)) == pins, set.format, &findings)
        }
    }

    /// The closest entry above a name that covers it, and its name.
    private static func parent(of name: String, in entries: [String: LintEntry]) -> (String, LintEntry)? {
        var rest = name[...]
        var depth = 0
        while let dot = rest.firstIndex(of: ".") {
            rest = rest[dot...].dropFirst()
            depth += 1
            let name = String(rest)
            guard let entry = entries[name] else { continue }
            if entry.subdomains == .all || entry.subdomains == .one && depth == 1 { return (name, entry) }
        }
        return nil
    }

    private static func overlap(
        _ entry: LintEntry, _ parent: LintEntry, hasSamePins: Bool, _ format: PinSetFormat,
        _ findings: inout LintFindings
    ) {
        let (own, above) = (entry.host.quotedExcerpt, parent.host.quotedExcerpt)
        let location = parent.position.map { " on line \($0.line)" } ?? ""
        if hasSamePins {
            findings.add(
                .overlappingPattern, "\(own) has the same pins as \(above)\(location), which covers it",
                hint: "remove one of the two entries, unless you plan different pins", of: entry
            )
        } else if format.traits.unitesOverlappingHosts {
            findings.add(
                .overlappingPattern,
                "\(above)\(location) also covers \(own): the platform combines the pins of both entries",
                of: entry
            )
        } else {
            findings.add(
                .overlappingPattern,
                "\(above)\(location) also covers \(own), but only the pins of this entry apply to \(own)",
                hint: "add pins that both hosts need to both entries", of: entry
            )
        }
    }
}
