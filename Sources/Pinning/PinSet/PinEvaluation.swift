/// What a pin set says of a chain.
///
/// The chain must be the validated one, its anchor included. What a server merely sent proves nothing: it can append any
/// certificate it likes (CVE-2016-2402). Whether the chain validates is for the caller to find out first.
public struct PinEvaluation: Hashable, Sendable {
    /// The entry that decided; nil where the set has none for the host. Whether a mismatch is a failure stands there:
    /// `enforce`.
    public let entry: PinSet.Entry?
    /// What was judged.
    public let seen: [ChainPin]
    public let verdict: Verdict

    public enum Verdict: Hashable, Sendable {
        /// Some pin stands in a place where it may. One at least, in the order of the set; where one pin stands in several
        /// places, the leaf's side first.
        case match([Match])
        /// None does. What came close, if anything, explains why.
        case mismatch([NearMiss])
        /// The entry holds no more since this instant, whatever the chain.
        case expired(on: Timestamp)
        /// The set has no entry for the host.
        case noPins
    }

    /// A pin of the set and the certificate that has it.
    public struct Match: Hashable, Sendable {
        public let key: PinSet.PinnedKey
        public let certificate: ChainPin
    }

    /// A pin of the set that is in the chain and yet does not match.
    public struct NearMiss: Hashable, Sendable {
        public let key: PinSet.PinnedKey
        public let certificate: ChainPin
        public let reason: Reason

        public enum Reason: Hashable, Sendable {
            /// The set says that the pin is retired.
            case retired
            /// The certificate stands where the pin's role does not allow it.
            case role
        }
    }

    /// Judges a validated chain.
    ///
    /// A retired pin never matches; active and backup ones match alike, at the positions that their role allows.
    ///
    /// - Parameters:
    ///   - entry: of the host, by `PinSet.entry(for:)`.
    ///   - chain: leaf first.
    ///   - now: decides whether the entry has expired.
    public init(of chain: [ChainPin], by entry: PinSet.Entry?, at now: Timestamp) {
        self.entry = entry
        seen = chain
        guard let entry else {
            verdict = .noPins
            return
        }
        if let expires = entry.expires, entry.isExpired(at: now) {
            verdict = .expired(on: expires)
            return
        }
        var matches: [Match] = []
        var nearMisses: [NearMiss] = []
        for key in entry.pins {
            for certificate in chain where certificate.pin == key.pin {
                if key.state == .retired {
                    nearMisses.append(NearMiss(key: key, certificate: certificate, reason: .retired))
                } else if key.role.allows(certificate.role, at: certificate.position) {
                    matches.append(Match(key: key, certificate: certificate))
                } else {
                    nearMisses.append(NearMiss(key: key, certificate: certificate, reason: .role))
                }
            }
        }
        verdict = matches.isEmpty ? .mismatch(nearMisses) : .match(matches)
    }

    /// The pins of which one should have been there: those of the entry that are not retired.
    public var expected: [PinSet.PinnedKey] {
        entry?.pins.filter { $0.state != .retired } ?? []
    }
}

extension PinEvaluation.NearMiss {
    /// What is to be said of it: `the intermediate's pin is in the set, but only as root`.
    public var message: String {
        let pin = "the \(certificate.role.rawValue)'s pin is in the set, but"
        return switch reason {
        case .retired: "\(pin) marked retired"
        case .role: "\(pin) only as \(key.role.rawValue)"
        }
    }
}
