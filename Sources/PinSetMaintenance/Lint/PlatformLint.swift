internal import Encodings
internal import PinSetFormats
internal import Pinning

/// What a platform does with a file in its own format, and few people know.
enum PlatformLint {
    static func check(_ input: LintInput, _ findings: inout LintFindings) {
        for rule in input.format.traits.lintRules { check(rule, input, &findings) }
    }

    private static func check(_ rule: FormatTraits.LintRule, _ input: LintInput, _ findings: inout LintFindings) {
        let entries = input.set.entries
        switch rule {
        case .silentExpiry: for entry in entries { silentExpiry(entry, &findings) }
        case .overridePins:
            guard let document = try? XMLDocument(input.bytes) else { return }
            overrides(in: document.root, document, &findings)
        case .oneLabelSubdomains: for entry in entries { oneLabelSubdomains(entry, &findings) }
        case .twoLists: for entry in entries { twoLists(entry, &findings) }
        case .lowercaseHosts: for entry in entries { lowercaseHost(entry, &findings) }
        case .minimumPins(let consequence):
            let traits = input.format.traits
            for entry in entries where entry.enforce || traits.countsPinsOfReportOnly {
                minimumPins(traits.minimumPins, entry, consequence, &findings)
            }
        case .leafPinsOnly: for entry in entries { leafPinsOnly(entry, &findings) }
        case .certificatePins: for entry in entries { certificatePins(entry, &findings) }
        }
    }

    private static func silentExpiry(_ entry: LintEntry, _ findings: inout LintFindings) {
        guard let expires = entry.expires else { return }
        findings.add(
            .silentExpiry,
            "from \(expires.date) on Android compares no pin of \(entry.host.quotedExcerpt), and says nothing",
            hint: "ship a new file before that day", of: entry
        )
    }

    /// `<certificates overridePins="true">` outside `<debug-overrides>`, where it is the default and meant so.
    private static func overrides(in element: XMLElement, _ document: XMLDocument, _ findings: inout LintFindings) {
        for child in element.children where child.name != "debug-overrides" {
            if child.name == "certificates", child.attribute("overridePins")?.value == "true" {
                let position = document.position(of: child.range.lowerBound)
                let source = child.attribute("src")?.value ?? ""
                findings.add(
                    .overridePins,
                    "chains under the anchors \(source.quotedExcerpt) skip the pins, in release builds too",
                    hint: "leave overridePins out, or move the anchors into <debug-overrides>",
                    at: position
                )
            }
            overrides(in: child, document, &findings)
        }
    }

    private static func oneLabelSubdomains(_ entry: LintEntry, _ findings: inout LintFindings) {
        guard entry.subdomains == .one else { return }
        findings.add(
            .oneLabelOnly,
            "NSIncludesSubdomains covers one label below \(entry.host.quotedExcerpt), and nothing deeper",
            hint: "name each deeper host by itself", of: entry
        )
    }

    private static func twoLists(_ entry: LintEntry, _ findings: inout LintFindings) {
        guard entry.pins.contains(where: { $0.role == .leaf }), entry.pins.contains(where: { $0.role == .ca }) else {
            return
        }
        findings.add(
            .bothLists, "\(entry.host.quotedExcerpt) has both lists, and a chain must match in each of them",
            hint: "leave one of them out, unless both are meant to be needed", of: entry
        )
    }

    private static func lowercaseHost(_ entry: LintEntry, _ findings: inout LintFindings) {
        guard entry.host.utf8.contains(where: { (UInt8(ascii: "A")...UInt8(ascii: "Z")).contains($0) }) else { return }
        findings.add(
            .caseSensitiveHost, "Apple demands hosts in lower case, and may not find \(entry.host.quotedExcerpt)",
            hint: "write \(entry.host.lowercased().quotedExcerpt)", of: entry
        )
    }

    private static func minimumPins(
        _ minimum: Int, _ entry: LintEntry, _ consequence: String, _ findings: inout LintFindings
    ) {
        let count = Set(entry.usable.compactMap(\.pin)).count
        guard count > 0, count < minimum else { return }
        findings.add(
            .tooFewPins, "\(entry.host.quotedExcerpt) has one pin, and two are demanded: \(consequence)",
            hint: "add the pin of a spare key", of: entry
        )
    }

    private static func leafPinsOnly(_ entry: LintEntry, _ findings: inout LintFindings) {
        for pin in entry.pins {
            guard let name = pin.pin.flatMap(KnownAuthorities.name) else { continue }
            findings.add(
                .neverMatches, "this is the pin of \(name), an authority, and curl compares the server's own key alone",
                hint: "give the pin of the server's key", of: entry, pin
            )
        }
    }

    private static func certificatePins(_ entry: LintEntry, _ findings: inout LintFindings) {
        findings.add(
            .certificatePins,
            "\(entry.host.quotedExcerpt) is pinned by whole certificates: each renewal needs a new fingerprint in every app before it",
            hint: "ship the fingerprint of the next certificate ahead, or pin keys", of: entry
        )
    }
}
