internal import Encodings
public import PinSetCodec
internal import Pinning

/// Alamofire's `ServerTrustManager`, with a `PublicKeysTrustEvaluator` for each host of the set.
///
/// Hosts are looked up exactly; an entry's subdomains are lost. A host that is not listed fails, for
/// `allHostsMustBeEvaluated` is true by default. Nothing expires. The certificates from which the evaluator takes
/// its keys are assumed to be available.
enum AlamofireRules: PlatformRules {
    static func refusal(of connection: PlatformConnection) -> PlatformRuling? {
        if let ruling = connection.retiredEntry(among: connection.set.entries) { return ruling }
        // No evaluator exists for the host.
        guard connection.ownEntry == nil else { return nil }
        let isBelow = connection.parents.contains { $0.entry.subdomains != .none }
        return PlatformRuling(
            .rejects,
            "allHostsMustBeEvaluated is the default, and this host is not listed"
                + (isBelow ? ": evaluators are for exact hosts" : ""))
    }

    static func ruling(on connection: PlatformConnection) -> PlatformRuling {
        guard let entry = connection.ownEntry else { return PlatformRuling(.notPinned, "this host is not listed") }
        return connection.rulingAnywhere(entry.matchingPins, of: "the evaluator of \(entry.name)")
    }
}

extension Platform {
    /// `ServerTrustManager` with a `PublicKeysTrustEvaluator` for each host.
    public static let alamofire = Platform("alamofire", AlamofireRules.self)
}
