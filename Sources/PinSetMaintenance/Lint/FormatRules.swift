internal import Encodings
internal import PinSetCodec
internal import PinSetFormats
internal import Pinning
internal import XMLDocuments

/// Rules for single formats, and findings about parts of a file that its platform treats differently than a reader expects.
enum FormatRules {
    static func check(_ input: LintInput, _ findings: inout LintFindings) {
        for rule in input.format.traits.lintRules { check(rule, input, &findings) }
        for platform in Platform.allCases {
            // If the platform cannot read the file, there is a finding already.
            let configuration = try? platform.configuration(
                ofFile: input.bytes, format: input.format, with: input.inputs)
            for trap in configuration?.traps ?? [] { add(trap, &findings) }
        }
    }

    private static func add(_ trap: PlatformTrap, _ findings: inout LintFindings) {
        let code: LintCode
        switch trap.kind {
        case .neverMatches: code = .keyNeverMatches
        case .caseSensitive: code = .caseSensitiveHost
        case .unpinned: code = .unpinnedHost
        case .misread: code = .misreadValue
        case .stopsApp:
            // The reader of the format may have found the same mistake.
            guard !findings.list.contains(where: { $0.code == .malformed }) else { return }
            code = .stopsApp
        }
        findings.add(code, trap.message, hint: trap.hint, host: trap.host, at: trap.position)
    }

    private static func check(_ rule: FormatTraits.LintRule, _ input: LintInput, _ findings: inout LintFindings) {
        let entries = input.set.entries
        switch rule {
        case .silentExpiry: for entry in entries { silentExpiry(entry, &findings) }
        case .overridePins:
            guard let document = try? XMLDocument(input.bytes), AndroidFormat.hasOverriddenPins(document) else {
                return
            }
            overrides(in: document.root, document, &findings)
        case .oneLabelSubdomains: for entry in entries { oneLabelSubdomains(entry, &findings) }
        case .twoLists: for entry in entries { twoLists(entry, &findings) }
        // The app can have more pins than the source shows.
        case .minimumPins where input.set.hasUnreadValues: break
        case .minimumPins(let consequence):
            let traits = input.format.traits
            let countsAll = traits.countsPinsOfReportOnly && traits.capabilities.supportsReportOnly
            for entry in entries where entry.enforce || countsAll {
                minimumPins(traits.minimumPins, entry, consequence, &findings)
            }
        case .leafPinsOnly: for entry in entries { leafPinsOnly(entry, of: input.format.rawValue, &findings) }
        case .certificatePins: for entry in entries { certificatePins(entry, &findings) }
        case .validChainsNotCompared:
            for entry in entries {
                findings.add(
                    .unpinnedHost,
                    "\(input.format.rawValue) accepts every chain of \(entry.host.quotedExcerpt) that validates, and compares the"
                        + " fingerprints only with others",
                    hint:
                        "do not rely on the fingerprints if a CA that this machine trusts can issue a certificate for the host",
                    of: entry)
            }
        }
    }

    private static func silentExpiry(_ entry: LintEntry, _ findings: inout LintFindings) {
        guard let expires = entry.expires else { return }
        findings.add(
            .silentExpiry,
            "from \(expires.date) Android compares no pin of \(entry.host.quotedExcerpt) and reports nothing",
            hint: "release a new file before that day", of: entry
        )
    }

    /// Reports `<certificates overridePins="true">` outside `<debug-overrides>`. Inside that element it is the intended default.
    private static func overrides(in element: XMLElement, _ document: XMLDocument, _ findings: inout LintFindings) {
        for child in element.children where child.name != "debug-overrides" {
            if child.name == "certificates",
                child.attribute("overridePins").map({ PlatformBool.android($0.value) == true }) ?? false
            {
                let position = document.position(of: child.range.lowerBound)
                let source = child.attribute("src")?.value ?? ""
                findings.add(
                    .overridePins,
                    "Android compares no pins with chains under the anchors \(source.quotedExcerpt), even in release builds",
                    hint: "remove overridePins, or move the anchors into <debug-overrides>",
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
            "NSIncludesSubdomains covers names with one more label than \(entry.host.quotedExcerpt), but no longer names",
            hint: "add an entry for each host with more labels", of: entry
        )
    }

    private static func twoLists(_ entry: LintEntry, _ findings: inout LintFindings) {
        guard entry.pins.contains(where: { $0.role == .leaf }), entry.pins.contains(where: { $0.role == .ca }) else {
            return
        }
        findings.add(
            .bothLists, "\(entry.host.quotedExcerpt) has both lists: a chain must match a pin in each of them",
            hint: "remove one of them, unless both matches are required", of: entry
        )
    }

    private static func minimumPins(
        _ minimum: Int, _ entry: LintEntry, _ consequence: String, _ findings: inout LintFindings
    ) {
        let count = Set(entry.usable.compactMap(\.pin)).count
        guard count > 0, count < minimum else { return }
        findings.add(
            .tooFewPins,
            "\(entry.host.quotedExcerpt) has \(count) \(count == 1 ? "pin" : "pins"), but at least \(minimum) are required: \(consequence)",
            hint: "add the pin of a backup key", of: entry
        )
    }

    private static func leafPinsOnly(_ entry: LintEntry, of platform: String, _ findings: inout LintFindings) {
        for pin in entry.pins {
            guard let name = pin.pin.flatMap(KnownAuthorities.name) else { continue }
            findings.add(
                .neverMatches, "this is the pin of \(name), a CA, but \(platform) compares only the server's own key",
                hint: "use the pin of the server's key", of: entry, pin
            )
        }
    }

    private static func certificatePins(_ entry: LintEntry, _ findings: inout LintFindings) {
        findings.add(
            .certificatePins,
            "\(entry.host.quotedExcerpt) is pinned by whole certificates: before each renewal, every app needs the new fingerprint",
            hint: "release the fingerprint of the next certificate in advance, or pin keys", of: entry
        )
    }
}
