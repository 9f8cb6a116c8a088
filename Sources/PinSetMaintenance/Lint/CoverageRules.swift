internal import Encodings
internal import PinSetFormats
internal import Pinning

/// What the pins of a host come to, taken together.
enum CoverageRules {
    static func check(_ entry: LintEntry, _ chain: CertificateChain?, in set: LintSet, _ findings: inout LintFindings) {
        let active = entry.pins.filter { $0.state != .retired }
        guard !entry.pins.isEmpty, set.format.traits.hashes == .publicKey else { return }
        guard !active.isEmpty else {
            findings.add(
                .retiredOnly, "every pin of \(entry.host.quotedExcerpt) is retired, so that no certificate matches",
                hint: "remove the host, or add a pin in use", of: entry
            )
            return
        }
        // What cannot be read may be anything: it is told of by itself.
        let real = active.filter { pin in
            pin.pin.map { PinSuspicion.explanation(of: $0, spelled: pin.spelling) == nil } ?? false
        }
        let pins = Set(real.compactMap(\.pin))
        let isWhole = active.allSatisfy { $0.pin != nil }
        if pins.count == 1, isWhole {
            findings.add(
                .noBackup,
                "\(entry.host.quotedExcerpt) has one pin only: if its key is lost or changed, no app can connect",
                hint: "make a spare key, keep it off the server, and add its pin with \"state\": \"backup\"", of: entry
            )
        }
        guard isWhole, !real.isEmpty else { return }
        let kinds = Set(real.map { kind(of: $0, chain) })
        guard kinds.count == 1, let kind = kinds.first.flatMap(\.self) else { return }
        switch kind {
        // Formats that compare no other key leave no choice.
        case .leaf where !set.format.traits.comparesLeafOnly: leafOnly(entry, real, &findings)
        case .leaf: break
        case .intermediate: intermediateOnly(entry, real, &findings)
        case .root: rootOnly(entry, pins.count, &findings)
        }
    }

    private static func leafOnly(_ entry: LintEntry, _ pins: [LintPin], _ findings: inout LintFindings) {
        let hasBackup = pins.contains { $0.state == .backup }
        findings.add(
            .leafOnly,
            hasBackup
                ? "every pin of \(entry.host.quotedExcerpt) is on a server's own key: only keys that were made ahead can follow"
                : "every pin of \(entry.host.quotedExcerpt) is on a server's own key: the next key change breaks every app",
            hint: hasBackup
                ? "see that each server takes its next key from those pinned"
                : "add a pin of the authority (\"role\": \"root\"), or of a spare key (\"state\": \"backup\")",
            severity: hasBackup ? .note : .warning, of: entry
        )
    }

    private static func intermediateOnly(_ entry: LintEntry, _ pins: [LintPin], _ findings: inout LintFindings) {
        let names = pins.compactMap { $0.pin.flatMap(KnownAuthorities.name) }
        let isRandom = names.contains { $0.hasPrefix("Let's Encrypt") }
        findings.add(
            .intermediateOnly,
            "every pin of \(entry.host.quotedExcerpt) is on an intermediate, which its authority changes without asking"
                + (isRandom ? ": Let's Encrypt picks one of several at random for each certificate" : ""),
            hint: "add a pin of the root, or of the server's own key", of: entry
        )
    }

    private static func rootOnly(_ entry: LintEntry, _ count: Int, _ findings: inout LintFindings) {
        findings.add(
            .rootOnly,
            count == 1
                ? "a root is all that is pinned for \(entry.host.quotedExcerpt): whatever it issues, to whomever, is accepted"
                : "roots are all that is pinned for \(entry.host.quotedExcerpt): whatever they issue, to whomever, is accepted",
            hint: count == 1
                ? "add a pin of the server's own key, and one of another root to change to" : nil,
            severity: count == 1 ? .warning : .note, of: entry
        )
    }

    /// Where in a chain a pin's key stands; nil where nobody says.
    static func kind(of key: LintPin, _ chain: CertificateChain?) -> Role? {
        switch key.role {
        case .leaf: return .leaf
        case .intermediate: return .intermediate
        case .root: return .root
        case .ca, .any: break
        }
        guard let pin = key.pin else { return nil }
        if let details = KnownAuthorities.details(of: pin) { return details.isRoot ? .root : .intermediate }
        guard let chain, chain.isTrusted else { return nil }
        return chain.pins.first { $0.pin == pin }?.role
    }
}
