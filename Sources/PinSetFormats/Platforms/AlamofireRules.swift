internal import Encodings
public import PinSetCodec
internal import Pinning

/// Alamofire's `ServerTrustManager`, with a `PublicKeysTrustEvaluator` for each host of the set, as `convert` writes it (Alamofire
/// 5.12.0, Source/Features/ServerTrustEvaluation.swift, Source/Core/SessionDelegate.swift).
///
/// Alamofire looks up the exact host. Pins do not expire. The rules assume that the certificates from which the evaluator takes its
/// keys are available.
enum AlamofireRules: PlatformRules {
    static func model(of set: PinSet) -> any PlatformModel {
        if let ruling = set.retiredEntry() { return UnwritableModel(ruling) }
        var warnings = ConversionWarnings()
        let entries = try? AlamofireFormat.traits.capabilities.writable(set, as: AlamofireFormat.format, &warnings)
        return AlamofireModel(entries ?? [])
    }
}

/// The evaluators of a `ServerTrustManager`.
struct AlamofireModel: PlatformModel {
    private let entries: [String: WritableEntry]

    init(_ entries: [WritableEntry]) {
        var byHost: [String: WritableEntry] = [:]
        for entry in entries { byHost[entry.host] = entry }
        self.entries = byHost
    }

    func ruling(on connection: PlatformConnection) -> PlatformRuling {
        if let entry = entries[connection.host] {
            return connection.rulingAnywhere(Set(entry.pins.map(\.pin)), of: "the evaluator of \(entry.host)")
        }
        let isBelow = connection.parents.contains { entries[$0].map { $0.entry.subdomains != .none } ?? false }
        let reason = "this host is not listed" + (isBelow ? ", because evaluators are for exact hosts" : "")
        return AlamofireFormat.evaluatesAllHosts
            ? PlatformRuling(.rejects, "\(reason), and allHostsMustBeEvaluated is true")
            : PlatformRuling(.notPinned, "\(reason), and convert writes allHostsMustBeEvaluated: false")
    }
}

extension Platform {
    /// `ServerTrustManager` with a `PublicKeysTrustEvaluator` for each host.
    public static let alamofire = Platform("alamofire", AlamofireRules.self)
}
