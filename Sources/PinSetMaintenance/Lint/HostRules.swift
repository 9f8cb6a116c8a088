internal import Encodings
internal import PinSetCodec
internal import Pinning

/// Rules about the entries of a set and how they overlap.
enum HostRules {
    static func check(_ set: LintSet, _ findings: inout LintFindings) {
        var byName: [String: LintEntry] = [:]
        for entry in set.entries { if let name = entry.name, byName[name] == nil { byName[name] = entry } }
        for entry in set.entries {
            if !entry.enforce {
                findings.add(
                    .reportOnly,
                    "apps only report a mismatch for \(entry.host.quotedExcerpt): these pins protect no connection",
                    hint: "enforce the pins when you know that they match", of: entry
                )
            }
            guard let name = entry.name, IPAddress(name) == nil, let parent = parent(of: name, in: byName) else {
                continue
            }
            overlap(entry, parent, set.format, &findings)
        }
    }

    /// The closest entry above a name that covers it.
    private static func parent(of name: String, in entries: [String: LintEntry]) -> LintEntry? {
        var rest = name[...]
        var depth = 0
        while let dot = rest.firstIndex(of: ".") {
            rest = rest[dot...].dropFirst()
            depth += 1
            guard let entry = entries[String(rest)] else { continue }
            if entry.subdomains == .all || entry.subdomains == .one && depth == 1 { return entry }
        }
        return nil
    }

    private static func overlap(
        _ entry: LintEntry, _ parent: LintEntry, _ format: PinSetFormat, _ findings: inout LintFindings
    ) {
        let (own, above) = (entry.host.quotedExcerpt, parent.host.quotedExcerpt)
        let location = parent.position.map { " on line \($0.line)" } ?? ""
        if Set(entry.usable.compactMap(\.pin)) == Set(parent.usable.compactMap(\.pin)) {
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
