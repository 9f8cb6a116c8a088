public import PinSetCodec
internal import Pinning

/// OkHttp's `CertificatePinner`.
///
/// `none` is written as `host`, `one` as `host` and `*.host`, `all` as `**.host`, which covers the host as well. The pins of
/// every pattern that matches are pooled, and one anywhere in the chain is enough. A pin has no role, and nothing expires.
enum OkHttpRules: PlatformRules {
    static func ruling(on connection: PlatformConnection) -> PlatformRuling {
        var patterns: [(text: String, pins: [PinSet.PinnedKey])] = []
        if let entry = connection.ownEntry {
            patterns.append((entry.subdomains == .all ? "**.\(entry.name)" : entry.name, entry.matchingPins))
        }
        for (entry, depth) in connection.parents {
            switch entry.subdomains {
            case .all: patterns.append(("**.\(entry.name)", entry.matchingPins))
            case .one where depth == 1: patterns.append(("*.\(entry.name)", entry.matchingPins))
            case .one, .none: break
            }
        }
        guard !patterns.isEmpty else { return PlatformRuling(.notPinned, "no pattern matches this host") }
        let names = patterns.map(\.text).joined(separator: " and ")
        let decider = patterns.count == 1 ? "the one pattern that matches, \(names)," : "the pool of \(names)"
        return connection.rulingAnywhere(patterns.flatMap(\.pins), of: decider)
    }
}

extension Platform {
    /// `CertificatePinner` of OkHttp.
    public static let okhttp = Platform("okhttp", OkHttpRules.self)
}
