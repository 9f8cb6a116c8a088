internal import CommandSupport
internal import Encodings
internal import Fetching
internal import PinSetCodec
internal import Pinning

/// The reasons for a verdict as sentences in lower case, without a full stop.
extension Verification {
    func reasons(by plan: VerifyPlan) -> [String] {
        switch finding {
        case .noPins: return ["\(plan.pins.name) has no entry that covers this host"]
        case .unreachable(let error): return [error.message]
        case .untrusted(let chain):
            return chain.failures.map(\.reason) + ["no pin was compared, because this chain is not trusted"]
        case .evaluated(let evaluation, let chain):
            switch evaluation.verdict {
            case .match, .noPins: return []
            case .mismatch(let misses): return [mismatchSentence(chain, by: plan)] + misses.map(\.message)
            case .expired(let date):
                return [
                    "the pins of \((check.entry?.host ?? "").quoted) expired on \(date.date)", expirySentence,
                ]
            }
        }
    }

    func mismatchSentence(_ chain: CertificateChain, by plan: VerifyPlan) -> String {
        let finding = expected.isEmpty ? "all pins of its entry are retired" : "no pin matches"
        return "the chain is valid\(plan.authority(of: chain, check)) but \(finding)"
    }

    /// Whether the expired pins would match.
    var expirySentence: String {
        wouldMatch
            ? "the chain is valid, and the expired pins would match"
            : "the chain is valid, but the expired pins would not match"
    }
}
