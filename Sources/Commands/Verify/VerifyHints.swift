internal import Arguments
internal import CommandSupport
internal import Encodings
internal import Fetching
internal import PinSetCodec
internal import Pinning

/// The hint for a verdict other than a match.
struct VerifyHints {
    private let plan: VerifyPlan

    init(_ plan: VerifyPlan) { self.plan = plan }

    /// The next step with the name of the host; nil without a next step.
    func hint(on verification: Verification) -> String? {
        guard case .unreachable = verification.finding else {
            return step(after: verification).map { "\(plan.name(of: verification.check)): \($0)" }
        }
        return nil
    }

    /// The next step without the name of the host.
    func step(after verification: Verification) -> String? {
        switch verification.finding {
        case .noPins: plan.uncoveredHostHints.hint(for: verification.check.identity.text)
        case .unreachable(let error): error.hint
        case .untrusted(let chain): step(after: chain, verification.check)
        case .evaluated(let evaluation, let chain):
            switch evaluation.verdict {
            case .match, .noPins: nil
            case .mismatch: stepAfterMismatch(verification, chain)
            case .expired: stepAfterExpiry(verification)
            }
        }
    }

    /// The next step for several hosts with this verdict.
    func generalStep(after verification: Verification) -> String {
        switch verification.verdict {
        case .mismatch where !verification.isOnlyReported:
            "if the servers' keys were changed on purpose, update the pins; if not, the connections may be intercepted"
        case .untrusted: "check why each chain is not trusted; if the CA is yours, use --anchors FILE"
        case .expired: "check that the pins still match, then set a later \"expires\" in \(plan.pins.name)"
        case .noPins: "add pins for these hosts to \(plan.pins.name), or omit the hosts"
        case .unreachable: "check the host names and ports, then retry"
        case .match, .mismatch: "check the rule that each platform reports"
        }
    }

    private func stepAfterMismatch(_ verification: Verification, _ chain: CertificateChain) -> String {
        if let miss = verification.nearMisses.first(where: { $0.reason == .role }) {
            return "if this pin should match the \(miss.certificate.role.rawValue), change its \"role\" in "
                + "\(plan.pins.name)"
        }
        if !verification.nearMisses.isEmpty {
            return
                "the server still uses a retired key: set the pin's \"state\" to \"active\" in \(plan.pins.name) until the "
                + "server has changed its key"
        }
        let update = plan.update(afterMismatch: verification.check)
        let compare = "the connection may be intercepted: compare with a run from another network"
        guard let anchor = chain.anchor, plan.trust.origin(of: anchor, for: verification.check.entry) == .system else {
            return "if the server's keys were changed on purpose, \(update)"
        }
        guard UnlistedAuthority(of: chain, plan.trust.source(for: verification.check.entry)) == nil else {
            return "\(compare); only if this CA is yours and the keys were changed on purpose, \(update)"
        }
        return "if the server's keys or CA were changed on purpose, \(update); if not, \(compare)"
    }

    private func stepAfterExpiry(_ verification: Verification) -> String? {
        guard let entry = verification.check.entry else { return nil }
        let location = plan.pins.location(of: entry)
        return verification.wouldMatch
            ? "set a later \"expires\" at \(location): the pins still match"
            : "update the pins and their \"expires\" at \(location): the server's keys have changed"
    }

    private func step(after chain: CertificateChain, _ check: TargetCheck) -> String? {
        switch chain.failures.first {
        case .missingIssuer(let leaf, position: 0)? where plan.isSaved && !leaf.isSelfIssued:
            "add the server's intermediates to the saved chain, after its own certificate"
        case .nameMismatch? where plan.isSaved:
            "check the file: its first certificate must be the server's own, for this host"
        default: UntrustedChainStep(plan.trust, for: check.entry, in: plan.pins).text(for: chain)
        }
    }
}
