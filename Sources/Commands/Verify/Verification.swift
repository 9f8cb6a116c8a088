internal import CommandSupport
internal import Encodings
internal import Fetching
internal import PinSetFormats
internal import Pinning

/// The result of verifying one host against the pin set.
struct Verification {
    /// What was found. Pins are compared only in the last case, with a chain that validates.
    enum Finding {
        /// No entry covers the host. pinctl connects to it only if a platform of `--as` would compare pins anyway.
        case noPins
        case unreachable(FetchError)
        case untrusted(CertificateChain)
        case evaluated(PinEvaluation, CertificateChain)
    }

    /// The verdict in one word; part of the JSON interface.
    enum Verdict: String, CaseIterable {
        case match, mismatch, untrusted, expired
        case noPins = "no-pins"
        case unreachable
    }

    let check: TargetCheck
    let finding: Finding
    /// The handshake result; nil if there was none, and for a saved chain.
    let presentation: HandshakeResult?
    /// The address that the result is about, with `--all-addresses`.
    private(set) var part: FetchResult.Part?
    /// The verdicts of the platforms of `--as`. Without a chain, only those that do not depend on it.
    let platforms: [PlatformVerdict]
    /// Why the host gave no chain; nil if it did, or if it was not contacted.
    let failure: FetchError?

    /// - Parameter plan: Its time decides whether the entry has expired.
    init(_ check: TargetCheck, of chain: CertificateChain, presentation: HandshakeResult?, by plan: VerifyPlan) {
        self.check = check
        self.presentation = presentation
        failure = nil
        let now = plan.now
        platforms = Self.platforms(plan.platforms, on: check, chain, set: plan.pins.set, at: now)
        guard let entry = check.entry else {
            finding = .noPins
            return
        }
        finding =
            chain.isTrusted ? .evaluated(PinEvaluation(of: chain.pins, by: entry, at: now), chain) : .untrusted(chain)
    }

    init(_ check: TargetCheck, of result: FetchResult, by plan: VerifyPlan) {
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

    /// The result for a host without an entry and without a chain.
    init(uncovered check: TargetCheck, by plan: VerifyPlan, failure: FetchError? = nil) {
        let platforms = Self.platforms(plan.platforms, onUncovered: check, set: plan.pins.set, at: plan.now)
        self.init(check, .noPins, platforms, failure: failure)
    }

    private init(
        _ check: TargetCheck, _ finding: Finding, _ platforms: [PlatformVerdict] = [], failure: FetchError?
    ) {
        self.check = check
        self.finding = finding
        self.platforms = platforms
        self.failure = failure
        presentation = nil
    }
}

extension Verification {
    var verdict: Verdict {
        switch finding {
        case .noPins: .noPins
        case .unreachable: .unreachable
        case .untrusted: .untrusted
        case .evaluated(let evaluation, _):
            switch evaluation.verdict {
            case .match: .match
            case .mismatch: .mismatch
            case .expired: .expired
            case .noPins: .noPins
            }
        }
    }

    /// Whether the result is a mismatch that the set only reports (`"enforce": false`).
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

    /// The chain of the server or file; nil if the host gave no chain.
    var chain: CertificateChain? {
        switch finding {
        case .noPins, .unreachable: nil
        case .untrusted(let chain), .evaluated(_, let chain): chain
        }
    }

    var matches: [PinEvaluation.Match] {
        guard case .evaluated(let evaluation, _) = finding, case .match(let matches) = evaluation.verdict else {
            return []
        }
        return matches
    }

    var nearMisses: [PinEvaluation.NearMiss] {
        guard case .evaluated(let evaluation, _) = finding, case .mismatch(let misses) = evaluation.verdict else {
            return []
        }
        return misses
    }

    /// The pins of which one must match.
    var expected: [PinSet.PinnedKey] { check.entry?.pins.filter { $0.state != .retired } ?? [] }

    /// Whether expired pins would match this chain.
    var wouldMatch: Bool {
        guard case .evaluated(let evaluation, _) = finding, let expires = evaluation.entry?.expires else {
            return false
        }
        let before = Timestamp(secondsSince1970: expires.secondsSince1970 - 1)
        guard case .match = PinEvaluation(of: evaluation.seen, by: evaluation.entry, at: before).verdict else {
            return false
        }
        return true
    }
}
