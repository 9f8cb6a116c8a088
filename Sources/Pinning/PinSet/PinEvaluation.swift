/// The result of comparing a pin set with a chain.
///
/// The caller must validate the chain first, and pass the validated chain with its anchor: a server can send any additional
/// certificate (CVE-2016-2402).
public struct PinEvaluation: Hashable, Sendable {
    /// The entry that covers the host; nil if the set has no such entry. The entry's `enforce` determines whether a mismatch is a
    /// failure.
    public let entry: PinSet.Entry?
    /// The pins of the chain.
    public let seen: [ChainPin]
    public let verdict: Verdict

    public enum Verdict: Hashable, Sendable {
        /// At least one pin matches in a position that its role allows. The matches are in the order of the set, and for one pin in
        /// the order of the chain.
        case match([Match])
        /// No pin matches. A near miss is a pin that the chain contains, but that is not allowed to match.
        case mismatch([NearMiss])
        /// The entry expired at this moment, so its pins are not compared.
        case expired(on: Timestamp)
        /// The set has no entry for the host.
        case noPins
    }

    /// A pin of the set and the certificate that has it.
    public struct Match: Hashable, Sendable {
        public let key: PinSet.PinnedKey
        public let certificate: ChainPin
    }

    /// A pin of the set that is in the chain, but is not allowed to match.
    public struct NearMiss: Hashable, Sendable {
        public let key: PinSet.PinnedKey
        public let certificate: ChainPin
        public let reason: Reason

        public enum Reason: Hashable, Sendable {
            /// The pin is retired.
            case retired
            /// The pin's role does not allow the certificate's position.
            case role
        }
    }

    /// Compares a validated chain with an entry.
    ///
    /// Active and backup pins match in the positions that their role allows. A retired pin never matches.
    ///
    /// - Parameters:
    ///   - entry: the host's entry, from `PinSet.entry(for:)`.
    ///   - chain: the pins of the chain, leaf first.
    ///   - now: the moment at which expiry is checked.
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

    /// The pins that can match: those of the entry that are not retired.
    public var expected: [PinSet.PinnedKey] {
        entry?.pins.filter { $0.state != .retired } ?? []
    }
}

extension PinEvaluation.NearMiss {
    /// A sentence such as `the intermediate's pin is in the set, but only as root`.
    public var message: String {
        let pin = "the \(certificate.role.rawValue)'s pin is in the set, but"
        return switch reason {
        case .retired: "\(pin) marked retired"
        case .role: "\(pin) only as \(key.role.rawValue)"
        }
    }
}
