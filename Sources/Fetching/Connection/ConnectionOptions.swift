internal import OpenSSL
package import Pinning

/// How hosts are connected to; the same for every host of a run.
package struct ConnectionOptions: Sendable {
    /// A version of TLS, as people write it.
    package enum Version: String, CaseIterable, Comparable, Sendable {
        case tls10 = "1.0"
        case tls11 = "1.1"
        case tls12 = "1.2"
        case tls13 = "1.3"

        package static func < (left: Self, right: Self) -> Bool { left.rawValue < right.rawValue }
    }

    /// The name to ask for and to check, instead of the target's own.
    package var serverName: ServerIdentity?
    /// Where to connect to instead of the target; its port stands where it has one.
    package var connectTo: (host: Target.Host, port: UInt16?)?
    package var family = AddressFamily.any
    /// Whether every address of a name is asked for its chain, one after another, and not the first alone that answers.
    package var asksEveryAddress = false
    /// For one host, all its addresses and steps together; where every address is asked, for each of them.
    package var timeout = Duration.seconds(10)
    package var minimumVersion: Version?
    package var maximumVersion: Version?
    /// Application protocols to offer, most wanted first (RFC 7301); none leaves the extension out.
    package var applicationProtocols: [String] = []
    /// Offers everything that OpenSSL still implements, down to TLS 1.0 and small keys: to inspect is not to trust.
    package var allowsWeak = false

    package init() {}

    var settings: ClientContext.Settings {
        var settings = ClientContext.Settings()
        settings.minimumVersion = minimumVersion.flatMap { TLSVersion(rawValue: $0.rawValue) }
        settings.maximumVersion = maximumVersion.flatMap { TLSVersion(rawValue: $0.rawValue) }
        settings.applicationProtocols = applicationProtocols
        settings.allowsWeak = allowsWeak
        return settings
    }
}
