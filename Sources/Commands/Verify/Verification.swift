internal import Fetching
internal import Pinning

/// Whether one host satisfies the pin set, and how that was found.
struct Verification {
    /// What is to be verified: a host, and the pins that hold for it.
    struct Check {
        /// Its place among all, from 0.
        let index: Int
        let target: Target
        /// Whom the certificate must be for; its entry is looked up by the same name.
        let identity: ServerIdentity
        /// Nil where the set covers no such host.
        let entry: PinSet.Entry?
    }

    /// Pins are compared only in the last case, with a chain that validates.
    enum Finding {
        /// The set says nothing of the host. It is asked only for a platform that would compare pins with it all the same.
        case noPins
        case unreachable(FetchError)
        case untrusted(Chain)
        case judged(Judgement, Chain)
    }

    /// One word for each answer; part of the JSON interface.
    enum Verdict: String, CaseIterable {
        case match, mismatch, untrusted, expired
        case noPins = "no-pins"
        case unreachable
    }

    let check: Check
    let finding: Finding
    /// How the host was reached; nil where it was not, and for a saved chain.
    let presentation: HandshakeResult?
    /// Which of the target's addresses it is about.
    private(set) var part: FetchResult.Part?
    /// What the platforms that were asked for would make of the host; without a chain, those that need none.
    let platforms: [PlatformVerdict]
    /// Why there is no chain, though the host was asked for one.
    let failure: FetchError?

    /// - Parameter plan: whose moment decides whether the entry has expired.
    init(_ check: Check, of chain: Chain, presentation: HandshakeResult?, by plan: VerifyPlan) {
        (self.check, self.presentation, failure) = (check, presentation, nil)
        let now = plan.now
        platforms = Self.platforms(plan.platforms, on: check, chain, set: plan.pins.set, at: now)
        guard let entry = check.entry else {
            finding = .noPins
            return
        }
        finding = chain.isTrusted ? .judged(Judgement(of: chain.pins, by: entry, at: now), chain) : .untrusted(chain)
    }

    init(_ check: Check, of result: FetchResult, by plan: VerifyPlan) {
        switch result.outcome {
        case .success(let presentation):
            self.init(check, of: presentation.chain, presentation: presentation, by: plan)
        case .failure(let error):
            if check.entry == nil {
                self.init(uncovered: check, by: plan, failure: error)
            } else {
                self.init(check, .unreachable(error), failure: error)
            }
        }
        part = result.part
    }

    /// For a host that no entry covers, and that gave no chain.
    init(uncovered check: Check, by plan: VerifyPlan, failure: FetchError? = nil) {
        let platforms = Self.platforms(plan.platforms, onUncovered: check, set: plan.pins.set, at: plan.now)
        self.init(check, .noPins, platforms, failure: failure)
    }

    private init(
        _ check: Check, _ finding: Finding, _ platforms: [PlatformVerdict] = [], failure: FetchError?
    ) {
        (self.check, self.finding, self.platforms, self.failure) = (check, finding, platforms, failure)
        presentation = nil
    }
}

extension Verification {
    var verdict: Verdict {
        switch finding {
        case .noPins: .noPins
        case .unreachable: .unreachable
        case .untrusted: .untrusted
        case .judged(let judgement, _):
            switch judgement.verdict {
            case .match: .match
            case .mismatch: .mismatch
            case .expired: .expired
            case .noPins: .noPins
            }
        }
    }

    /// A mismatch that the set asks only to report.
    var isOnlyReported: Bool { verdict == .mismatch && check.entry?.enforce == false }

    var status: ExitStatus {
        platforms.contains(where: \.isFailure) ? ownStatus.combined(with: .failure) : ownStatus
    }

    private var ownStatus: ExitStatus {
        switch verdict {
        case .match: .success
        case .mismatch: isOnlyReported ? .success : .failure
        case .untrusted, .expired, .noPins: .failure
        case .unreachable: .undecided
        }
    }

    /// What the server presented, or the file held; nil where there was nothing to see.
    var chain: Chain? {
        switch finding {
        case .noPins, .unreachable: nil
        case .untrusted(let chain), .judged(_, let chain): chain
        }
    }

    var matches: [Judgement.Match] {
        guard case .judged(let judgement, _) = finding, case .match(let matches) = judgement.verdict else { return [] }
        return matches
    }

    var nearMisses: [Judgement.NearMiss] {
        guard case .judged(let judgement, _) = finding, case .mismatch(let misses) = judgement.verdict else {
            return []
        }
        return misses
    }

    /// The pins of which one should be there.
    var expected: [PinSet.PinnedKey] { check.entry?.pins.filter { $0.state != .retired } ?? [] }

    /// Whether pins that hold no more would match this chain if they still did.
    var wouldMatch: Bool {
        guard case .judged(let judgement, _) = finding, let expires = judgement.entry?.expires else { return false }
        let before = Timestamp(secondsSince1970: expires.secondsSince1970 - 1)
        guard case .match = Judgement(of: judgement.seen, by: judgement.entry, at: before).verdict else { return false }
        return true
    }
}
