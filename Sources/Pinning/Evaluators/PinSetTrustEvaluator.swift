/// Accepts a valid chain that matches a pin set, by host, role, state and date.
public struct PinSetTrustEvaluator: ServerTrustEvaluator {
    private let pins: PinSet
    private let anchors: [String: TrustAnchors]

    /// - Parameter anchors: the contents of the anchor files. The keys are the paths that the entries of the set contain under
    ///   `anchors`. A host whose entry names files trusts only their anchors. If one of the files is missing here, the evaluator
    ///   refuses the host.
    public init(_ pins: PinSet, anchors: [String: TrustAnchors] = [:]) {
        (self.pins, self.anchors) = (pins, anchors)
    }

    /// Refuses a host without an entry, and a host whose entry has expired. Accepts a mismatch if the entry is not enforced.
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
