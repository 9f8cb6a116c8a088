public import PinSetCodec
internal import Pinning

/// `network_security_config.xml` (Android Developers, "Network security configuration").
///
/// The domain-config of the host itself decides, or else the longest above it with `includeSubdomains`, at any depth. One pin
/// anywhere in the chain is enough. A pin has no role, and after the day of `expiration`, which begins at midnight in the
/// device's own zone, nothing is compared.
enum AndroidRules: PlatformRules {
    static func ruling(on connection: PlatformConnection) -> PlatformRuling {
        guard let entry = connection.longestEntry else {
            return PlatformRuling(.notPinned, "no domain-config covers this host")
        }
        let zone = AndroidExpiry(of: entry, at: connection.now)
        if zone.isOver { return PlatformRuling(.notPinned, zone.sentence) }
        let config = connection.shown(entry, subdomains: "includeSubdomains")
        return connection.rulingAnywhere(
            entry.matchingPins, of: "the longest domain-config that covers the host, \(config),", note: zone.note)
    }
}

/// Whether a pin-set has expired on a device. The device's time zone is unknown and assumed to be UTC.
struct AndroidExpiry {
    let isOver: Bool
    /// Why the platform compares no pins: the entry expired.
    let sentence: String
    /// A note on a day that has begun in some time zones only; otherwise empty.
    let note: String

    /// The zones of the world, in seconds from UTC: UTC+14 has midnight first, UTC-12 last.
    private static let first: Int64 = 14 * 3600
    private static let last: Int64 = 12 * 3600

    init(of entry: PinSet.Entry, at now: Timestamp) {
        guard let day = entry.expiryDay else {
            (isOver, sentence, note) = (false, "", "")
            return
        }
        isOver = now >= day
        let differs = now.isPast(day, by: -Self.first) && !now.isPast(day, by: Self.last)
        let ends = "the pin-set ends at midnight, as \(day.date) begins in the device's zone (taken as UTC)"
        sentence = "\(ends): pinning is silently off" + (differs ? ", though not yet in every zone" : "")
        note = differs ? "; \(ends), which in zones far enough ahead has come already" : ""
    }
}

extension Timestamp {
    /// Whether the time is past `day` plus a number of seconds.
    fileprivate func isPast(_ day: Timestamp, by seconds: Int64) -> Bool {
        let (moment, overflows) = day.secondsSince1970.addingReportingOverflow(seconds)
        return !overflows && secondsSince1970 >= moment
    }
}

extension Platform {
    /// `network_security_config.xml`.
    public static let android = Platform("android", AndroidRules.self)
}
