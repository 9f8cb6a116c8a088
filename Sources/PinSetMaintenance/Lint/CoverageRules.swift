internal import Encodings
internal import PinSetCodec
internal import Pinning

/// Rules about all pins of a host together.
enum CoverageRules {
    static func check(_ entry: LintEntry, _ chains: [CertificateChain], in set: LintSet, _ findings: inout LintFindings)
    {
        let active = entry.pins.filter { $0.state != .retired }
        guard !entry.pins.isEmpty, set.format.traits.hashes == .publicKey else { return }
        guard !active.isEmpty else {
            findings.add(
                .retiredOnly, "every pin of \(entry.host.quotedExcerpt) is retired: no certificate matches",
                hint: "remove the host, or add an active pin", of: entry
            )
            return
        }
        // Invalid and suspicious pins are left out, because other rules report them.
        let real = active.filter { pin in
            pin.pin.map { findings.diagnosis(of: $0) == nil } ?? false
        }
        let pins = Set(real.compactMap(\.pin))
        let isWhole = active.allSatisfy { $0.pin != nil }
        if pins.count == 1, isWhole, !set.hasUnreadValues {
            findings.add(
                .noBackup,
                "\(entry.host.quotedExcerpt) has only 1 pin: if its key is lost or changed, no app can connect",
                hint: BackupAdvice(for: set.format, roles: active.map(\.role)).step, of: entry
            )
        }
        guard isWhole, !real.isEmpty else { return }
        let kinds = Set(real.map { kind(of: $0, chains) })
        guard kinds.count == 1, let kind = kinds.first.flatMap(\.self) else { return }
        switch kind {
        // The rule does not apply to formats that compare only the leaf.
        case .leaf where !set.format.traits.comparesLeafOnly: leafOnly(entry, real, set.format, &findings)
        case .leaf: break
        case .intermediate: intermediateOnly(entry, real, set.format, &findings)
        case .root: rootOnly(entry, pins.count, set.format, &findings)
        }
    }

    private static func leafOnly(
        _ entry: LintEntry, _ pins: [LintPin], _ format: PinSetFormat, _ findings: inout LintFindings
    ) {
        let hasBackup = pins.contains { $0.state == .backup }
        findings.add(
            .leafOnly,
            hasBackup
                ? "every pin of \(entry.host.quotedExcerpt) is for a server key: the server can change only to the pinned backup keys"
                : "every pin of \(entry.host.quotedExcerpt) is for a server key: the next key change breaks every app",
            hint: hasBackup
                ? "check that each server takes its next key from the pinned keys"
                : format.traits.isNative
                    ? "add a pin of the root CA (\"role\": \"root\") or of a backup key (\"state\": \"backup\")"
                    : format.pinLists == nil
                        ? "add a pin of the root CA or of a backup key"
                        : BackupAdvice(for: format, roles: [.leaf]).step,
            severity: hasBackup ? .note : .warning, of: entry
        )
    }

    private static func intermediateOnly(
        _ entry: LintEntry, _ pins: [LintPin], _ format: PinSetFormat, _ findings: inout LintFindings
    ) {
        let names = pins.compactMap { $0.pin.flatMap(KnownAuthorities.name) }
        let isRandom = names.contains { $0.hasPrefix("Let's Encrypt") }
        findings.add(
            .intermediateOnly,
            "every pin of \(entry.host.quotedExcerpt) is for an intermediate, which the CA can change at any time"
                + (isRandom ? ": Let's Encrypt chooses one of several at random for each certificate" : ""),
            // With two lists, a pin of the server key would be a second condition.
            hint: format.pinLists == nil ? "add a pin of the root or of the server key" : "add a pin of the root",
            of: entry
        )
    }

    private static func rootOnly(
        _ entry: LintEntry, _ count: Int, _ format: PinSetFormat, _ findings: inout LintFindings
    ) {
        findings.add(
            .rootOnly,
            count == 1
                ? "the only pin of \(entry.host.quotedExcerpt) is a root: apps accept every certificate that this CA issues for the host"
                : "all pins of \(entry.host.quotedExcerpt) are roots: apps accept every certificate that these CAs issue for the host",
            hint: count > 1
                ? nil
                : format.pinLists == nil
                    ? "add a pin of the server key and a pin of another root as a backup"
                    : BackupAdvice(for: format, roles: [.root]).step,
            severity: count == 1 ? .warning : .note, of: entry
        )
    }

    /// The role of a pin's key in the chains. Nil if it is unknown.
    static func kind(of key: LintPin, _ chains: [CertificateChain]) -> Role? {
        switch key.role {
        case .leaf: return .leaf
        case .intermediate: return .intermediate
        case .root: return .root
        case .ca, .any: break
        }
        guard let pin = key.pin else { return nil }
        if let details = KnownAuthorities.details(of: pin) { return details.isRoot ? .root : .intermediate }
        return chains.filter(\.isTrusted).flatMap(\.pins).first { $0.pin == pin }?.role
    }
}
