internal import Arguments
internal import Fetching
internal import Pinning

/// The next step for who reads a verdict that is no match: is it the set, the server, or somebody in between?
struct VerifyAdvice {
    private let plan: VerifyPlan

    init(_ plan: VerifyPlan) { self.plan = plan }

    /// One line that names its host; nil where there is nothing to do.
    func hint(on verification: Verification) -> String? {
        guard case .unreachable = verification.finding else {
            return step(after: verification).map { "\(plan.name(of: verification.check)): \($0)" }
        }
        return nil
    }

    /// The same without the host's name.
    func step(after verification: Verification) -> String? {
        switch verification.finding {
        case .noPins: plan.pins.set.hint(forUncovered: verification.check.identity.text)
        case .unreachable(let error): error.hint
        case .untrusted(let chain): chain.failures.first.map { step(after: $0, verification.check) }
        case .judged(let judgement, let chain):
            switch judgement.verdict {
            case .match, .noPins: nil
            case .mismatch: stepAfterMismatch(verification, chain)
            case .expired: stepAfterExpiry(verification)
            }
        }
    }

    /// What to do about every host with this verdict, in few words.
    func generalStep(after verification: Verification) -> String {
        switch verification.verdict {
        case .mismatch where !verification.isOnlyReported:
            "if the servers' keys were changed on purpose, renew the pins; if not, suspect an interception"
        case .untrusted: "see why each chain does not validate; an authority of your own is named with --anchors"
        case .expired: "see that the pins still match, then give them a later \"expires\" in \(plan.pins.name)"
        case .noPins: "put pins of these hosts into \(plan.pins.name), or leave the hosts out"
        case .unreachable: "nothing is known of what could not be reached: try again"
        case .match, .mismatch: "the rule of each platform says what it needs"
        }
    }

    private func stepAfterMismatch(_ verification: Verification, _ chain: Chain) -> String {
        if let miss = verification.nearMisses.first(where: { $0.reason == .role }) {
            return "the set decides: if this pin is meant to match as \(miss.certificate.role.rawValue), give it that "
                + "\"role\" in \(plan.pins.name)"
        }
        if !verification.nearMisses.isEmpty {
            return
                "the server still uses a key that the set calls retired: until the server has changed, give that pin the "
                + "\"state\" \"active\" in \(plan.pins.name)"
        }
        let add = "put a pin of those seen into \(plan.pins.name)"
        guard let anchor = chain.anchor, plan.trust.origin(of: anchor, for: verification.check) == .system else {
            return "the authority is your own, so most likely the server's keys changed: if they were meant to, \(add)"
        }
        return
            "if the server's keys or authority were changed on purpose, \(add); if not, somebody may be intercepting "
            + "the connection: compare with a run from another network"
    }

    private func stepAfterExpiry(_ verification: Verification) -> String? {
        guard let entry = verification.check.entry else { return nil }
        let place = plan.pins.place(of: entry)
        return verification.wouldMatch
            ? "the pins are still right: give them a later \"expires\" at \(place)"
            : "the server has changed since: renew the pins at \(place), and their \"expires\""
    }

    private func step(after failure: TrustFailure, _ check: Verification.Check) -> String {
        switch failure {
        case .missingIssuer(let leaf, position: 0) where !leaf.isSelfIssued:
            guard !plan.isSaved else {
                return "a saved chain holds the server's intermediates too, after its own certificate"
            }
            let issuer = (leaf.issuer?.displayName ?? "").quoted
            return
                "if \(issuer) is an intermediate, the server must send it; if it is an authority that you do not know, "
                + "somebody may be intercepting the connection"
        case .missingIssuer, .untrustedRoot, .selfSigned:
            switch plan.trust.onlyOrigin(for: check) {
            case .pinSet:
                return
                    "only the anchors that \(plan.pins.name) names for it count: if they are up to date, somebody may be "
                    + "intercepting the connection"
            case .commandLine:
                return
                    "only the anchors of --anchors count: if they are the right ones, somebody may be intercepting the "
                    + "connection"
            case .system, nil:
                let place = plan.pins.namesAnchors ? ", or as \"anchors\" in \(plan.pins.name)" : ""
                return
                    "an authority of your own is named with --anchors\(place); if it is not yours, somebody may be "
                    + "intercepting the connection"
            }
        case .nameMismatch:
            return plan.isSaved
                ? "the first certificate of a saved chain must be the server's own, and for this host"
                : "the pins are not at fault: another server answered, or it has no certificate for this name"
        case .expired, .notYetValid:
            return "the pins are not at fault: the server needs a certificate that holds"
        default:
            return "the pins are not at fault: the server needs another certificate"
        }
    }
}
