public import PinSetCodec
internal import Pinning

/// Chromium's `transport_security_state_static.json`: names, each with a list of good pins.
///
/// The closest name decides, even where it does not include subdomains. One good pin anywhere in the chain is enough; a set
/// has no bad ones. Chromium ignores a list older than ten weeks; the list is assumed to be newer.
enum ChromiumRules: PlatformRules {
    static let takesAddresses = false

    static func ruling(on connection: PlatformConnection) -> PlatformRuling {
        guard !connection.isAddress else {
            return PlatformRuling(.notPinned, "the list has no IP addresses")
        }
        switch ClosestPins(on: connection) {
        case .entry(let entry):
            let name = connection.shown(entry, subdomains: "include_subdomains_for_pinning")
            return connection.rulingAnywhere(
                entry.matchingPins, of: "the closest entry of a fresh list, \(name),")
        case .hidden(let entry):
            return PlatformRuling(
                .notPinned, "the closest entry, \(entry.name), decides, and does not include subdomains")
        case .none: return PlatformRuling(.notPinned, "no entry covers this host")
        }
    }
}

extension Platform {
    /// Chromium's list of static pins.
    public static let chromium = Platform("chromium", ChromiumRules.self)
}
