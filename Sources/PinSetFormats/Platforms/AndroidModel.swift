internal import Encodings
internal import PinSetCodec
internal import Pinning
internal import XMLDocuments

/// A `network_security_config.xml` as Android reads it (AOSP, frameworks/base, core/java/android/security/net/config, 2024).
///
/// `ApplicationConfig.getConfigForHostname` selects the configuration of the host itself, with or without pins. Otherwise
/// it selects that of the longest parent domain with `includeSubdomains`. `NetworkSecurityTrustManager.checkPins` compares nothing
/// if that configuration has no pins or if they have expired.
struct AndroidModel: PlatformModel {
    /// A `<domain>` with the settings that its `<domain-config>` contains or inherits.
    struct Domain {
        /// The text without white space around it.
        let text: String
        /// The name as Android compares it: in lower case, otherwise as written.
        let name: String
        let includesSubdomains: Bool
        /// The pins; empty if nothing is pinned.
        let pins: Set<Pin>
        /// Midnight at the start of the day in `expiration`.
        let expires: Timestamp?
        /// Whether there are no pins because a `<pin-set>` has none.
        let hasEmptyPinSet: Bool
        /// Whether some trust anchors of the configuration skip the pins.
        let hasOverridingAnchors: Bool
        let offset: Int
    }

    let document: XMLDocument
    private(set) var domains: [Domain] = []
    private(set) var indices: [ExactText: Int] = [:]
    /// The reason why Android rejects the file; nil if it accepts it.
    private(set) var failure: AndroidModelReader.Failure?
    private(set) var misread: [PlatformTrap] = []

    init(_ document: XMLDocument) {
        self.document = document
        var reader = AndroidModelReader(document)
        do throws(AndroidModelReader.Failure) {
            try reader.read()
        } catch {
            failure = error
        }
        domains = reader.domains
        misread = reader.traps
        for (index, domain) in domains.enumerated() { indices[ExactText(domain.name)] = index }
    }

    func refusal(of _: PlatformConnection) -> PlatformRuling? {
        failure.map { PlatformRuling(.refusesConfig, "\($0.message): the app stops when it first connects") }
    }

    func ruling(on connection: PlatformConnection) -> PlatformRuling {
        guard let domain = domain(for: connection) else {
            return PlatformRuling(.notPinned, "no domain-config covers this host")
        }
        let config = connection.shown(domain.text, subdomains: "includeSubdomains")
        guard !domain.pins.isEmpty else {
            return PlatformRuling(
                .notPinned, "the longest domain-config that covers the host, \(config), has no pins and inherits none")
        }
        let expiry = AndroidExpiry(of: domain.expires, at: connection.now)
        if expiry.isOver { return PlatformRuling(.notPinned, expiry.sentence) }
        let anchors = domain.hasOverridingAnchors ? "; chains under the anchors with overridePins skip the pins" : ""
        return connection.rulingAnywhere(
            domain.pins, of: "the longest domain-config that covers the host, \(config),", note: expiry.note + anchors)
    }

    /// The domain that applies to a connection.
    func domain(for connection: PlatformConnection) -> Domain? {
        if let index = indices[ExactText(connection.host)] { return domains[index] }
        return connection.parents.lazy.compactMap { indices[ExactText($0)] }.map { domains[$0] }.first(
            where: \.includesSubdomains)
    }
}

/// Whether a pin-set has expired on a device. The time zone of the device is unknown, so the result assumes UTC.
struct AndroidExpiry {
    let isOver: Bool
    /// The sentence that explains why the platform compares no pins.
    let sentence: String
    /// A note for a day that has begun only in some time zones; otherwise empty.
    let note: String

    /// The time zones in which midnight comes first (UTC+14) and last (UTC-12), in seconds from UTC.
    private static let first: Int64 = 14 * 3600
    private static let last: Int64 = 12 * 3600

    init(of day: Timestamp?, at now: Timestamp) {
        guard let day else {
            (isOver, sentence, note) = (false, "", "")
            return
        }
        // At midnight itself the pins still apply: Android compares with "later than".
        isOver = now > day
        let differs = now.isPast(day, by: -Self.first) && !now.isPast(day, by: Self.last)
        let ends = "the pin-set expires at the start of \(day.date) in the device's time zone (here UTC)"
        sentence =
            "\(ends): Android compares no pins and reports nothing"
            + (differs ? "; in some time zones the pins still apply" : "")
        note = differs ? "; \(ends), which has already passed in some time zones" : ""
    }
}

extension Timestamp {
    /// Whether the time is later than `day` plus a number of seconds.
    fileprivate func isPast(_ day: Timestamp, by seconds: Int64) -> Bool {
        let (moment, overflows) = day.secondsSince1970.addingReportingOverflow(seconds)
        return !overflows && secondsSince1970 > moment
    }
}
