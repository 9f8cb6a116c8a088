package import Pinning

/// What is known about a host besides the log.
package struct HostEvidence: Sendable {
    package enum Live: Sendable {
        /// pinctl did not connect, because it was not asked to or does not know the host.
        case notAsked
        /// The connection failed, with this reason.
        case unreachable(String)
        case chain(CertificateChain)

        package var chain: CertificateChain? { if case .chain(let chain) = self { chain } else { nil } }
    }

    package let live: Live
    /// The pins of the program: those in the log, or those of the set that was given.
    package let expected: [Pin]
    /// The pins of the set that was given, for the host. An interceptor can have written those in the log, but not these.
    package let setPins: [Pin]
    /// The pins of the set that a person retired. `refresh` never accepts a chain with one of them.
    package let withdrawnPins: Set<Pin>
    /// Name of the chain's trust anchor if it is in the system's trust store but is no public CA and was not named by the user: it
    /// can be the CA of an interceptor between this machine and the host. Otherwise nil.
    package let unlistedAnchor: String?
    /// A key of the log that the set or a trust anchor names, as a noun phrase: it can be an older key of the host, or that of another
    /// server. Otherwise nil.
    package let knownKey: String?
    /// The common names of the trust anchors that a person named.
    package let anchorNames: Set<String>
    /// Whether the host serves a pinned key in another chain.
    package let hasPinnedKeyElsewhere: Bool
    /// A certificate of the chain for a path that does not validate here; nil without one.
    package let crossCertificate: Certificate?
    /// The rule by which the program's platform rejects the chain; nil if it accepts it or is unknown.
    package let refusal: PlatformRefusal?
    /// Whether the host is that of the nearest URL in the log, which an interceptor can have written.
    package let isGuess: Bool
    /// Whether a set was given that has no entry for the host.
    package let lacksEntry: Bool

    package init(
        _ live: Live, expected: [Pin], setPins: [Pin] = [], withdrawnPins: Set<Pin> = [],
        unlistedAnchor: String? = nil, knownKey: String? = nil, anchorNames: Set<String> = [],
        hasPinnedKeyElsewhere: Bool = false, crossCertificate: Certificate? = nil,
        refusal: PlatformRefusal? = nil, isGuess: Bool = false, lacksEntry: Bool = false
    ) {
        (self.live, self.expected, self.setPins, self.withdrawnPins) = (live, expected, setPins, withdrawnPins)
        (self.hasPinnedKeyElsewhere, self.crossCertificate) = (hasPinnedKeyElsewhere, crossCertificate)
        (self.unlistedAnchor, self.knownKey, self.anchorNames) = (unlistedAnchor, knownKey, anchorNames)
        (self.refusal, self.isGuess, self.lacksEntry) = (refusal, isGuess, lacksEntry)
    }

    var chain: CertificateChain? { live.chain }
}

extension HostEvidence {
    /// Whether the host's chain ends in a public CA.
    var hasPublicAnchor: Bool {
        chain?.anchor.flatMap { KnownAuthorities.name(of: $0.pin) } != nil
    }
}
