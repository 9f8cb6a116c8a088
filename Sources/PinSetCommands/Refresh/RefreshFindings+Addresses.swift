internal import CommandSupport
internal import Encodings
internal import Fetching
internal import PinSetCodec
internal import PinSetMaintenance
internal import Pinning

/// The findings about addresses and their chains.
extension RefreshFindings {
    func finding(_ observation: AddressObservation, _ address: AddressHandshake) -> RefreshFinding? {
        switch observation.verdict {
        case .match, .accepted: return nil
        case .mismatch:
            let anchor = observation.chain?.anchor?.subject?.displayName ?? ""
            let isUnlisted =
                observation.chain.flatMap { UnlistedAuthority(of: $0, plan.trust.source(for: entry)) } != nil
            let remark = isUnlisted ? ", which is not in pinctl's list of public CAs," : ""
            let seen =
                observation.chain?.pins.map { "\($0.pin.base64) (\($0.role.rawValue))" }.joined(separator: ", ") ?? ""
            var finding = finding(
                .mismatch, entry.enforce ? .error : .warning,
                "\(address.name) serves a valid chain under \(anchor.quoted)\(remark) that contains no pin of the set: the server's keys"
                    + " changed, or the connection is intercepted; nothing was learned from it; seen \(seen)",
                hint: acceptance(of: observation, from: address, if: "the keys were changed on purpose")
            )
            finding.title = observation.chain.flatMap { KeyChange.title(from: entry.pins, to: $0) } ?? "no pin matches"
            return finding
        case .untrusted:
            return finding(
                .untrusted, .error,
                "\(address.name) serves a chain that is not trusted: \(observation.chain?.reason ?? ""); "
                    + (observation.chain?.failsOnlyByDateOfLeaf == true ? "" : "the connection may be intercepted; ")
                    + "nothing was learned from it",
                hint: observation.chain.flatMap(step)
            )
        case .unreachable:
            guard case .failure(let error) = address.result else { return nil }
            var finding = finding(
                .unreachable, .error, "\(error.message); its pins are unchanged",
                hint: error.hint ?? step(afterFailureOf: address)
            )
            finding.isInconclusive = true
            return finding
        }
    }

    /// How the user can accept a chain without a pin of the set.
    private func acceptance(
        of observation: AddressObservation, from address: AddressHandshake, if condition: String
    ) -> String {
        guard observation.isAuthenticated else { return UnfinishedHandshake.step }
        let comparison = "compare with a run from another network; "
        guard let key = observation.withdrawnKey else {
            return comparison + "if \(condition), use --accept-new " + plan.identity(of: address.target).text
                + (plan.mode == .write || !plan.pins.format.traits.isNative ? "" : " --write")
        }
        return comparison
            + "the pin \(Self.name(of: key)) was retired by hand, so no option accepts this chain: set its \"state\" to \"active\" if its"
            + " key is in use on purpose"
    }

    /// A finding about another chain of an address, which only some clients receive.
    func otherFinding(_ observation: AddressObservation, _ other: OtherChain) -> RefreshFinding? {
        let address = addresses[other.address]
        let start = "\(address.name) has another certificate, \(other.description): "
        switch observation.verdict {
        case .match, .accepted, .unreachable: return nil
        case .mismatch:
            let seen = other.chain.pins.map { "\($0.pin.base64) (\($0.role.rawValue))" }.joined(separator: ", ")
            return finding(
                .mismatch, entry.enforce ? .error : .warning,
                start
                    + "its chain is valid but contains no pin of the set: \(other.apps) cannot connect, or this connection is"
                    + " intercepted; nothing was learned from it, and no pin of the host is retired; seen \(seen)",
                hint: acceptance(of: observation, from: address, if: "that certificate is yours"))
        case .untrusted:
            return finding(
                .untrusted, .error,
                start
                    + "its chain is not trusted: \(other.chain.reason), so \(other.apps) cannot connect; nothing was learned from it,"
                    + " and no pin of the host is retired",
                hint: step(after: other.chain))
        }
    }

    private func step(afterFailureOf address: AddressHandshake) -> String {
        guard answering.contains(address.target) else {
            return "retry when the host answers; remove the host from the set if it no longer exists"
        }
        return "repair this server or remove its address from the DNS: other addresses of the host answer"
    }

    private func step(after chain: CertificateChain) -> String? {
        if case .missingIssuer(let certificate, _)? = chain.failures.first,
            refresh.chains.contains(where: {
                $0.entries.contains { $0.certificate.subjectName == certificate.issuerName }
            })
        {
            return "complete the chain that this server sends"
                + (addresses.count > 1 ? ": another address of the host sends a valid one" : ", as its other chain")
        }
        return UntrustedChainStep(plan.trust, for: entry, in: plan.pins).text(for: chain).map { step in
            chain.failures.first?.isUnknownAuthority == true
                ? "\(step); an untrusted chain is never learned, not even with --accept-new" : step
        }
    }

    /// The findings about skipped addresses, and about a failed search for another chain. Because of them, no pin of the entry is retired.
    var gaps: [RefreshFinding] {
        skippedAddresses + [failedSearch].compactMap(\.self) + unknownBackups
    }

    /// The backups that clients can use now, in a path that refresh did not find.
    private var unknownBackups: [RefreshFinding] {
        guard refresh.hasEveryAnswer else { return [] }
        return refresh.pins.compactMap { pin in
            let reason: String
            let step: String
            switch pin.status {
            case .unknown where pin.key.state == .backup:
                reason = "can be in one of the host's valid paths, of which there are more than refresh searches"
                step = RefreshGap.fewerPaths
            case .backup
            where refresh.chains.contains {
                $0.crossCertificate(at: plan.rules.now, by: pin.key, isNew: false) != nil
            }:
                reason = Self.crossCertified
                step = "run refresh with the CAs that your clients trust"
            default: return nil
            }
            var finding = finding(
                .backupUnknown, .warning, "the backup \(Self.name(of: pin.key)) \(reason)", pin.key, hint: step)
            finding.isInconclusive = true
            return finding
        }
    }

    /// A predicate of a key that only its name shows.
    static let crossCertified =
        "can be the key of a CA that issued a certificate in the host's chain, which is in no path that is valid here: clients for which"
        + " such a path is valid use the key now"

    /// The finding about chains that are not known, unless that about a pin names them.
    private var failedSearch: RefreshFinding? {
        guard let gap else { return nil }
        let isNamed = refresh.pins.contains { if case .unserved = $0.status { true } else { false } }
        let concernsBackup = refresh.added.contains { $0.chainPin == nil && gap.hides($0.key) }
        guard concernsBackup || gap.isFailure && !isNamed else { return nil }
        var finding =
            concernsBackup
            ? finding(
                .backupUnknown, .warning, "\(gap.reason); a chain that is not known can contain the new backup",
                hint: gap.hint)
            : finding(.unreachable, .warning, "\(gap.reason); no pin is retired", hint: gap.hint)
        finding.isInconclusive = true
        return finding
    }

    private var skippedAddresses: [RefreshFinding] {
        skipped.map { address in
            var finding = finding(
                .unreachable, .note,
                "\(address.name) was not contacted, because this machine has no route to it; no pin is retired",
                hint: "run refresh on a machine that reaches every address")
            finding.isInconclusive = true
            return finding
        }
    }
}
