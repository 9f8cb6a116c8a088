internal import Encodings
internal import PinSetFormats
internal import Pinning

/// What the entries of a set do to each other, and what they do at all.
enum HostRules {
    static func check(_ set: LintSet, _ findings: inout LintFindings) {
        var byName: [String: LintEntry] = [:]
        for entry in set.entries { if let name = entry.name, byName[name] == nil { byName[name] = entry } }
        for entry in set.entries {
            if !entry.enforce {
                findings.add(
                    .reportOnly,
                    "a mismatch for \(entry.host.quotedExcerpt) is only reported: nobody is protected by these pins",
                    hint: "enforce them once they are known to match", of: entry
                )
            }
            guard let name = entry.name, IPAddress(name) == nil, let parent = parent(of: name, in: byName) else {
                continue
            }
            overlap(entry, parent, set.format, &findings)
        }
    }

    /// The nearest entry above a name that covers it.
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
        let place = parent.position.map { " on line \($0.line)" } ?? ""
        if Set(entry.usable.compactMap(\.pin)) == Set(parent.usable.compactMap(\.pin)) {
            findings.add(
                .overlappingPattern, "\(own) has the same pins as \(above)\(place), which covers it",
                hint: "one of the two is enough, unless they are to differ", of: entry
            )
        } else if format.traits.unitesOverlappingHosts {
            findings.add(
                .overlappingPattern,
                "\(above)\(place) covers \(own) too, and the platform takes the pins of both together",
                of: entry
            )
        } else {
            findings.add(
                .overlappingPattern,
                "\(above)\(place) covers \(own) too, but its pins do not count there: this entry decides alone",
                hint: "put the pins that both need into both", of: entry
            )
        }
    }
}
