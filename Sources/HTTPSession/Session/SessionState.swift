internal import Authentication
internal import Fetching
internal import KeyFiles
internal import OpenSSL
internal import Pinning

/// What the tasks of a session share. Only the thread of the session uses it.
final class SessionState {
    let configuration: SessionConfiguration
    let handler: any ChallengeHandler
    let resolver = Resolver()
    /// The settings of TLS connections to proxies; nil if no proxy needs one.
    let proxyTLS: ProxyTLS?
    let trust: TrustPolicy
    private let validators: [ChainValidator]
    private let contextWithoutIdentity: ContextBox
    private let ftpContextWithoutIdentity: ContextBox
    private var anchors: [Int: TrustAnchors] = [:]

    /// The servers that the client trusts, with the chains for which that was decided.
    var trustedServers: [ProtectionSpace: [[[UInt8]]]] = [:]
    /// The answers to requests for client certificates, each with its TLS settings; a nil value means no certificate.
    var identities: [ProtectionSpace: (identity: ClientIdentity, context: ContextBox)?] = [:]
    /// The answers to challenges of methods that are not supported.
    var rejectedSpaces: Set<ProtectionSpace> = []
    /// The last accepted logins, for further requests to the same server.
    var logins: [LoginSide: ActiveLogin] = [:]
    /// Connections that wait for the next request.
    var idleConnections: [OpenConnection.Key: OpenConnection] = [:]

    /// TLS settings. A class, because a dictionary cannot contain noncopyable values.
    final class ContextBox {
        let context: ClientContext

        init(_ settings: ClientContext.Settings) throws(OpenSSLError) { context = try ClientContext(settings) }
    }

    init(_ configuration: SessionConfiguration, _ handler: any ChallengeHandler) throws(SessionError) {
        self.configuration = configuration
        self.handler = handler
        if let trust = configuration.trust {
            self.trust = trust
        } else if let anchors = configuration.anchors {
            trust = TrustPolicy(TrustSource(anchors: anchors))
        } else {
            trust = TrustPolicy(try SystemAnchors.source())
        }
        do throws(OpenSSLError) {
            var validators: [ChainValidator] = []
            for source in trust.sources { validators.append(try ChainValidator(source, at: configuration.time)) }
            self.validators = validators
            contextWithoutIdentity = try ContextBox(Self.settings(configuration, .https, nil))
            ftpContextWithoutIdentity = try ContextBox(Self.settings(configuration, .ftp, nil))
            if let rules = configuration.options.proxies {
                proxyTLS = try ProxyTLS(rules)
            } else {
                proxyTLS = nil
            }
        } catch {
            throw SessionError(.configuration, "OpenSSL rejects these settings: \(error.text)")
        }
    }

    private static func settings(
        _ configuration: SessionConfiguration, _ serverProtocol: ProtectionSpace.ServerProtocol,
        _ identity: ClientIdentity?
    ) -> ClientContext.Settings {
        var settings = configuration.options.settings(accepting: configuration.options.keyTypes.accepted)
        settings.carriesApplicationData = true
        // A server aborts the handshake if it supports none of the offered protocols (RFC 7301, section 3.2), and FTP needs none.
        settings.applicationProtocols = serverProtocol == .ftp ? [] : ["http/1.1"]
        settings.credential = identity.map {
            ClientContext.Credential(certificates: $0.certificates.map(\.der), key: $0.credential.key)
        }
        return settings
    }

    /// The time at which pins must not have expired.
    var now: Timestamp { configuration.time ?? SystemClock.now }

    /// The TLS settings for a server, with the client certificate that was chosen for it.
    ///
    /// - Parameter sendsIdentity: false for the settings without a certificate.
    func context(for space: ProtectionSpace, sendsIdentity: Bool) -> ContextBox {
        if sendsIdentity, case (_, let context)?? = identities[space] { return context }
        return space.protocol == .ftp ? ftpContextWithoutIdentity : contextWithoutIdentity
    }

    /// Remembers a client certificate for a server.
    func use(_ identity: ClientIdentity, for space: ProtectionSpace) throws(SessionError) {
        do throws(OpenSSLError) {
            identities[space] = (identity, try ContextBox(Self.settings(configuration, space.protocol, identity)))
        } catch {
            throw SessionError(.configuration, "OpenSSL rejects the client certificate: \(error.text)", space)
        }
    }

    func validator(for target: Target) -> ChainValidator { validators[trust.sourceIndex(for: target)] }

    /// The default trust anchors for a server, for handlers.
    func anchors(for target: Target) -> TrustAnchors {
        let index = trust.sourceIndex(for: target)
        if let known = anchors[index] { return known }
        let source = trust.sources[index]
        let system = source.bundle?()?.anchors ?? []
        let found = TrustAnchors(anchors: (source.anchors?.anchors ?? []) + system)
        anchors[index] = found
        return found
    }
}
