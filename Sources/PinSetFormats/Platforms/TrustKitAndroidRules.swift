public import PinSetCodec
internal import Pinning

/// TrustKit for Android: the platform's configuration with `<trustkit-config enforcePinning="…">`.
///
/// Hosts, dates and pins are as on Android. An entry that enforces needs two pins, and no host is an IP address; otherwise the
/// whole configuration is refused. The default of `enforcePinning` is false, so a converter writes what the set says.
enum TrustKitAndroidRules: PlatformRules {
    static func refusal(of connection: PlatformConnection) -> PlatformRuling? {
        if let ruling = connection.retiredEntry(among: connection.set.entries) { return ruling }
        for entry in connection.set.entries {
            if entry.isAddress {
                return PlatformRuling(.refusesConfig, "a domain must be a name, and \(entry.name) is an IP address")
            }
            if entry.enforce, entry.countOfPins < 2 {
                return PlatformRuling(
                    .refusesConfig,
                    "an entry that enforces needs two pins, and \(entry.name) has one: the app stops at start")
            }
        }
        return nil
    }

    static func ruling(on connection: PlatformConnection) -> PlatformRuling {
        let ruling = AndroidRules.ruling(on: connection)
        guard ruling.verdict == .rejects, connection.longestEntry?.enforce == false else { return ruling }
        return PlatformRuling(.accepts, "\(ruling.rule), which enforcePinning=\"false\" only reports")
    }
}

extension Platform {
    /// TrustKit for Android.
    public static let trustkitAndroid = Platform("trustkit-android", TrustKitAndroidRules.self)
}
