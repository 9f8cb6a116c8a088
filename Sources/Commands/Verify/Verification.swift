internal import CommandSupport
internal import Encodings
internal import Fetching
internal import PinSetCodec
internal import Pinning

/// The result of verifying one host against the pin set.
struct Verification: HostOutcome {
    /// The result. Only in the last case does the chain validate, so only then are pins compared.
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
    /// The position of this result among the results of the host's addresses; nil if the host has one address.
    private(set) var part: FetchResult.Part?
    /// The position of the result among those of the address's chains; nil if one chain was requested.
    private(set) var chainPart: FetchResult.ChainPart?
    /// Whether no other result of the host follows.
    private(set) var isLastPart = true
    /// The addresses that gave this result; empty if every address of the host gave it.
    private(set) var addresses: [Endpoint] = []
    /// The verdicts of the platforms of `--as`. Without a chain, only the verdicts that do not depend on it.
    let platforms: [PlatformVerdict]
    /// Why pinctl got no chain from the host; nil if it got one, or did not contact the host.
    let failure: FetchError?

    /// - Parameter plan: Its time decides whether the entry has expired.
    init(_ check: TargetCheck, of chain: CertificateChain, presentation: HandshakeResult?, by plan: VerifyPlan) {
        self.check = check
        self.presentation = presentation
        failure = nil
        let now = plan.now
        platforms = Self.platforms(plan.platforms, on: check, chain, at: now)
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
        chainPart = result.chainPart
        isLastPart = result.isLastPart
        if let part = result.part, part.count > 1 || plan.namesSingleAddresses {
            self.part = part
            addresses = [part.endpoint]
        }
    }

    /// The result for a host without an entry and without a chain.
    init(uncovered check: TargetCheck, by plan: VerifyPlan, failure: FetchError? = nil) {
        let platforms = Self.platforms(plan.platforms, onUncovered: check, at: plan.now)
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
    /// Groups the results of the addresses of one host. Addresses with the same chain and verdict are one group, in the order of
    /// their first address. If there is only one group, its result names no address.
    static func grouped(_ results: [Verification]) -> [Verification] {
        var groups: [Verification] = []
        for result in results {
            if let index = groups.firstIndex(where: { $0.isEqual(to: result) }) {
                groups[index].addresses += result.addresses
            } else {
                groups.append(result)
            }
        }
        if groups.count == 1 { groups[0].addresses = [] }
        return groups
    }

    /// Whether two addresses of a host gave the same result. Errors are never equal, because each names its address.
    private func isEqual(to other: Verification) -> Bool {
        guard let chain, let otherChain = other.chain, verdict == other.verdict,
            (unfinishedHandshake == nil) == (other.unfinishedHandshake == nil),
            chain.detour == otherChain.detour
        else { return false }
        return chain.isTrusted == otherChain.isTrusted
            && chain.entries.map(\.certificate) == otherChain.entries.map(\.certificate)
    }

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

    var isUndecided: Bool { verdict == .unreachable }
    var size: Int { max(chain?.certificateSize ?? 0, presentation?.size ?? 0) }

    var matches: [PinEvaluation.Match] {
        guard case .evaluated(let evaluation, _) = finding, case .match(let matches) = evaluation.verdict else {
            return []
        }
        return matches
    }

    /// A warning and a hint if the chain matches, but the server's clients may get another chain.
    var unfinishedHandshake: (message: String, hint: String)? {
        guard verdict == .match, let presentation, presentation.isUnfinished else { return nil }
        let name = presentation.endpoint?.description ?? "the server"
        return (UnfinishedHandshake.reason(at: name), UnfinishedHandshake.step)
    }

    /// A message with this warning, or an empty text.
    private func unfinishedWarning(_ plan: VerifyPlan) -> String {
        unfinishedHandshake.map { Message.warning("\(plan.name(of: self)): \($0.message)", hint: $0.hint) } ?? ""
    }

    /// A message with the warnings about a chain that matches.
    func chainWarnings(_ plan: VerifyPlan) -> String {
        let alternative =
            detour.map { Message.warning("\(plan.name(of: self)): \($0.reason)", hint: $0.step) } ?? ""
        return alternative + unfinishedWarning(plan)
    }

    /// The reason why clients with OpenSSL reject a chain that matches; nil for any other chain.
    var detour: CertificateChain.Detour? { verdict == .match ? chain?.detour : nil }

    var nearMisses: [PinEvaluation.NearMiss] {
        guard case .evaluated(let evaluation, _) = finding, case .mismatch(let misses) = evaluation.verdict else {
            return []
        }
        return misses
    }

    /// The pins that can match, of which one must.
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
