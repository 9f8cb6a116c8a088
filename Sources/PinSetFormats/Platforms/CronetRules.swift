public import PinSetCodec
internal import Pinning

/// `addPublicKeyPins` of Cronet's engine, and of Android's HttpEngine.
///
/// As in all of Chromium's network stack, the closest entry decides, even if it does not include subdomains and
/// hides one above it that does; expired entries are skipped.
enum CronetRules: PlatformRules {
    static let takesAddresses = false

    static func ruling(on connection: PlatformConnection) -> PlatformRuling {
        guard !connection.isAddress else {
            return PlatformRuling(.notPinned, "addPublicKeyPins takes no IP addresses")
        }
        let closest = ClosestPins(on: connection) { $0.isExpired(at: connection.now) }
        switch closest {
        case .entry(let entry):
            let name = connection.shown(entry, subdomains: "includeSubdomains")
            return connection.rulingAnywhere(entry.matchingPins, of: "the closest pinned host, \(name),")
        case .hidden(let entry):
            return PlatformRuling(
                .notPinned, "the closest pinned host, \(entry.name), decides, and does not include subdomains")
        case .none:
            guard let entry = connection.longestEntry, let expires = entry.expires,
                entry.isExpired(at: connection.now)
            else { return PlatformRuling(.notPinned, "no pinned host covers this one") }
            return PlatformRuling(
                .notPinned, "the pins of \(entry.name) ended at the instant \(expires): they are dropped in silence")
        }
    }
}

/// The entry that decides for a host in Chromium's network stack.
enum ClosestPins {
    case entry(PinSet.Entry)
    /// The closest entry, which does not cover the host.
    case hidden(PinSet.Entry)
    case none

    init(on connection: PlatformConnection, skipping isSkipped: (PinSet.Entry) -> Bool = { _ in false }) {
        if let own = connection.ownEntry, !isSkipped(own) {
            self = .entry(own)
        } else if let parent = connection.parents.first(where: { !isSkipped($0.entry) })?.entry {
            self = parent.subdomains == .none ? .hidden(parent) : .entry(parent)
        } else {
            self = .none
        }
    }
}

extension Platform {
    /// `addPublicKeyPins` of Cronet and of Android's HttpEngine.
    public static let cronet = Platform("cronet", CronetRules.self)
}
