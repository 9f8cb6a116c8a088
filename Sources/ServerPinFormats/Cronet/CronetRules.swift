internal import Encodings
public import PinSetCodec
internal import Pinning

/// `addPublicKeyPins` of Cronet's engine, and of Android's HttpEngine.
enum CronetRules: PlatformRules {
    static func model(of set: PinSet) -> any PlatformModel {
        if let ruling = set.retiredEntry(takesAddresses: false) { return UnwritableModel(ruling) }
        var warnings = ConversionWarnings()
        return CronetModel((try? CronetFormat.writable(set, &warnings)) ?? [])
    }

    static func model(ofFile file: PlatformFile) throws(PinSetFormatError) -> (any PlatformModel)? {
        guard file.format == .cronet else { return nil }
        for warning in try CronetFormat.read(file.bytes, with: file.inputs).warnings {
            guard case .hostRejected(_, let reason, _) = warning.reason else { continue }
            let host = warning.host?.nameExcerpt ?? ""
            return UnwritableModel(
                PlatformRuling(
                    .refusesConfig, "\(host) \(reason): the builder throws an exception, and the app stops"))
        }
        return nil
    }
}

/// The hosts of `addPublicKeyPins` calls (Chromium, net/http/transport_security_state.cc, GetDynamicPKPState).
/// As everywhere in Chromium's network stack, only the closest entry applies. It applies even if it does not include subdomains,
/// and hides an entry of a parent domain that does. Expired entries are skipped.
struct CronetModel: PlatformModel {
    private let entries: [String: WritableEntry]

    init(_ entries: [WritableEntry]) {
        var byHost: [String: WritableEntry] = [:]
        for entry in entries { byHost[entry.host] = entry }
        self.entries = byHost
    }

    func ruling(on connection: PlatformConnection) -> PlatformRuling {
        guard !connection.isAddress else {
            return PlatformRuling(.notPinned, "addPublicKeyPins does not support IP addresses")
        }
        let candidates = ([connection.host] + connection.parents).compactMap { entries[$0] }
        // At the time of expiry itself the pins still apply: Chromium compares with "later than".
        let closest = candidates.first { entry in entry.expires.map { connection.now <= $0 } ?? true }
        guard let entry = closest else {
            let covering = candidates.first { $0.host == connection.host || $0.subdomains != .none }
            guard let expired = covering, let expires = expired.expires else {
                return PlatformRuling(.notPinned, "no entry covers this host")
            }
            return PlatformRuling(
                .notPinned,
                "the pins of \(expired.host) expired at \(expires): Chromium compares no pins and reports nothing")
        }
        guard entry.host == connection.host || entry.subdomains != .none else {
            return PlatformRuling(
                .notPinned, "only the closest pinned host, \(entry.host), applies, and it does not include subdomains")
        }
        let name = connection.shown(entry.host, subdomains: "includeSubdomains")
        return connection.rulingAnywhere(Set(entry.pins.map(\.pin)), of: "the closest pinned host, \(name),")
    }
}

extension Platform {
    /// `addPublicKeyPins` of Cronet and of Android's HttpEngine.
    public static let cronet = Platform("cronet", CronetRules.self)
}
