internal import OpenSSL
package import Pinning

/// Connection settings that apply to every host of a run.
package struct ConnectionOptions: Sendable {
    /// The server name to send and to validate, in place of the target's host name.
    package var serverName: ServerIdentity?
    /// The host to connect to in place of the target; without a port, the target's port is used.
    package var connectTo: (host: Target.Host, port: UInt16?)?
    package var family = AddressFamily.any
    /// Whether to connect to every address of a name, instead of to the first one that answers.
    package var asksEveryAddress = false
    /// Time limit for one host, covering name resolution, connection and handshake. With ``asksEveryAddress``, each address
    /// has this limit.
    package var timeout = Duration.seconds(10)
    package var minimumVersion: TLSVersion?
    package var maximumVersion: TLSVersion?
    /// Application protocols to offer, in order of preference (RFC 7301); empty to leave the extension out.
    package var applicationProtocols: [String] = []
    /// Offers every version and cipher suite that OpenSSL implements, from TLS 1.0 on, and accepts small keys.
    package var allowsWeak = false
    /// The types of server keys to accept.
    package var keyTypes = ServerKeyTypes.all

    package init() {}

    var settings: ClientContext.Settings {
        var settings = ClientContext.Settings()
        settings.minimumVersion = minimumVersion?.wireNumber
        settings.maximumVersion = maximumVersion?.wireNumber
        settings.applicationProtocols = applicationProtocols
        settings.allowsWeak = allowsWeak
        settings.keyTypes =
            switch keyTypes {
            case .all: .all
            case .onlyRSA: .onlyRSA
            case .exceptRSA: .exceptRSA
            }
        return settings
    }
}
