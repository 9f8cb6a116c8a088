/// Accepts a chain that validates and that a pin set accepts: by host, role, state and date.
public struct PinSetTrustEvaluator: ServerTrustEvaluator {
    private let pins: PinSet
    private let anchors: [String: TrustAnchors]

    /// - Parameter anchors: the authorities in the files that entries of the set name under `anchors`, each under the name that
    ///   the set uses. For a host whose entry names files they count alone, and one that is not here refuses the host.
    public init(_ pins: PinSet, anchors: [String: TrustAnchors] = [:]) {
        (self.pins, self.anchors) = (pins, anchors)
    }

    /// A host without an entry is refused, and so is one whose entry has expired. A mismatch with an entry that is not enforced
    /// is accepted.
    public func evaluate(_ trust: ServerTrust, forHost host: String) throws(ServerTrustError) {
        guard let entry = pins.entry(for: host) else { throw ServerTrustError(self, host, .pinSet(.noPins)) }
        var own: [TrustAnchor] = []
        for name in entry.anchors {
            guard let found = anchors[name] else { throw ServerTrustError(self, host, .missingAnchors(name)) }
            own += found.anchors
        }
        let chain = try trust.validated(
            for: self, host, to: entry.anchors.isEmpty ? nil : TrustAnchors(anchors: own), validateHost: true
        )
        let verdict = PinEvaluation(of: chain.pins, by: entry, at: trust.time).verdict
        switch verdict {
        case .match: return
        case .mismatch where !entry.enforce: return
        case .mismatch, .expired, .noPins: throw ServerTrustError(self, host, .pinSet(verdict))
        }
    }
}
