package import KeyFiles
package import OpenSSL
package import Pinning

/// Connection settings that apply to every host of a run.
package struct ConnectionOptions: Sendable {
    /// The server name to send and to validate, instead of the target's host name.
    package var serverName: ServerIdentity?
    /// The host to connect to instead of the target. If it has no port, the target's port is used.
    package var connectTo: (host: Target.Host, port: UInt16?)?
    package var family = AddressFamily.any
    /// Whether to connect to every address of a name, up to ``AddressLimits/maximumAddresses``. Otherwise the first address that
    /// answers is enough.
    package var asksEveryAddress = false
    /// Time limit for one attempt at a host, covering name resolution, connection and handshake of all its addresses.
    package var timeout = Duration.seconds(10)
    package var minimumVersion: TLSVersion?
    package var maximumVersion: TLSVersion?
    /// Application protocols to offer, in order of preference (RFC 7301). If there are none, the extension is not sent.
    package var applicationProtocols: [String] = []
    /// Whether to offer every version and cipher suite that OpenSSL implements, from TLS 1.0 on, and to accept small keys.
    package var allowsWeak = false
    /// The proxies to connect through; nil to connect directly.
    package var proxies: ProxyRules?
    package var keyTypes = KeyTypeSelection.any
    /// The curves of ECDSA keys to accept; nil for all. Without ``maximumVersion`` TLS 1.2 or lower, a server that selects such a
    /// version can ignore the restriction.
    package var curves: Set<ServerKeyCurve>?
    /// Whether the limits of OpenSSL's configuration file do not apply. The connections for further chains of ``KeyTypeSelection/all``
    /// never apply them.
    package var ignoresConfiguration = false
    /// The addresses of targets that an earlier run resolved. They are not looked up again.
    package var knownEndpoints: [Target: [Endpoint]] = [:]

    /// Whether to fetch issuers that a server did not send, from the `http` URLs in the certificates below them.
    package var fetchesIssuers = false
    /// Whether to end each handshake at the server's Certificate message, before the server proves that it has the key.
    package var readsCertificateOnly = false
    /// Whether to request a stapled OCSP response.
    package var requestsStatus = false
    /// Whether to search all valid paths of each trusted chain.
    package var findsAllPaths = false
    /// The certificate and key with which to answer a certificate request; nil to send no certificate.
    package var clientCredential: ClientCredential?

    package init() {}

    package func settings(accepting keyTypes: Set<ServerKeyType>) -> ClientContext.Settings {
        var settings = ClientContext.Settings()
        settings.minimumVersion = minimumVersion?.wireNumber
        settings.maximumVersion = maximumVersion?.wireNumber
        settings.applicationProtocols = applicationProtocols
        settings.allowsWeak = allowsWeak
        settings.requestsStatus = requestsStatus
        settings.stopsAtCertificate = readsCertificateOnly
        settings.keyTypes = Set(keyTypes.map(\.contextType))
        settings.ignoresConfiguration =
            ignoresConfiguration || self.keyTypes == .all && keyTypes != KeyTypeSelection.all.accepted
        settings.curves = curves.map { Set($0.map(\.contextCurve)) }
        settings.credential = clientCredential.map {
            ClientContext.Credential(certificates: $0.certificates.map(\.der), key: $0.key)
        }
        return settings
    }
}

extension ServerKeyCurve {
    fileprivate var contextCurve: ClientContext.Curve {
        switch self {
        case .p256: .p256
        case .p384: .p384
        case .p521: .p521
        }
    }
}

extension ServerKeyType {
    fileprivate var contextType: ClientContext.KeyType {
        switch self {
        case .ecdsa: .ecdsa
        case .rsa: .rsa
        case .rsaPSS: .rsaPSS
        case .ed25519: .ed25519
        case .ed448: .ed448
        case .dsa: .dsa
        }
    }
}
