internal import CertificateProbe
internal import OpenSSL
package import Pinning
package import PlaintextProtocols

/// Fetches the chain of one host: resolves the name, connects, does the handshake, and validates the chain.
package struct Connection {
    let target: Target
    let deadline: MonotonicTime
    /// The time limit that ``deadline`` ends, for messages.
    private(set) var timeout: Duration
    private let shared: SharedOptions
    /// The chains of all connections to the host; nil if it has only one connection.
    private let chains: HostChains?

    var options: ConnectionOptions { shared.options }

    /// The options of all connections of a run. A class, because each host in flight has copies of its connection.
    final class SharedOptions: Sendable {
        let options: ConnectionOptions

        init(_ options: ConnectionOptions) { self.options = options }
    }

    init(
        to target: Target, _ shared: SharedOptions, sharing chains: HostChains? = nil, on loop: isolated EventLoop
    ) {
        (self.target, self.shared, self.chains) = (target, shared, chains)
        timeout = shared.options.timeout
        deadline = loop.now + timeout
    }

    package init(to target: Target, _ options: ConnectionOptions, deadline: MonotonicTime) {
        (self.target, self.deadline, shared, chains) = (target, deadline, SharedOptions(options), nil)
        timeout = options.timeout
    }

    /// This connection for an address that waited until now; nil if no time is left.
    func withRemainingTime(on loop: isolated EventLoop) -> Connection? {
        let milliseconds = loop.now.milliseconds(until: deadline)
        guard milliseconds > 0 else { return nil }
        var other = self
        other.timeout = min(timeout, .milliseconds(milliseconds))
        return other
    }

    /// Fetches the chain from the first of these addresses that accepts the connection.
    ///
    /// - Parameters:
    ///   - endpoints: empty if a proxy resolves the name.
    ///   - probe: the settings of a probe that reads the certificates of direct connections; nil to use OpenSSL only.
    func fetch(
        at endpoints: [Endpoint],
        with context: borrowing ClientContext,
        probe: CertificateProbe.Settings?,
        validator: ChainValidator,
        resolver: Resolver,
        proxyTLS: ProxyTLS?,
        on loop: isolated EventLoop
    ) async throws(FetchError) -> HandshakeResult {
        if let proxy, proxy.kind.resolvesNames {
            return try await fetch(
                through: Tunnel(proxy, to: host, port: port, tls: proxyTLS), with: context, validator: validator,
                resolver: resolver, on: loop)
        }
        if let proxy {
            return try await fetch(
                at: endpoints, through: proxy, proxyTLS, with: context, validator: validator, resolver: resolver,
                on: loop)
        }
        var endpoints = endpoints
        if let probe, target.startTLS == nil {
            switch try await self.probe(at: endpoints, with: probe, validator: validator, on: loop) {
            case .result(let result): return result
            case .unsuitable(let endpoint): endpoints = [endpoint]
            }
        }
        let socket = try await Dialer(deadline: deadline, timeout: timeout).connect(to: endpoints, on: loop)
        let descriptor = socket.descriptor
        defer { loop.willClose(descriptor) }
        return try await fetch(over: socket, with: context, validator: validator, on: loop)
    }

    /// Fetches the chain over a stream that is connected to the target: STARTTLS, handshake and validation.
    ///
    /// - Parameter received: the first bytes of a server with STARTTLS, which arrived together with the answer of a proxy.
    func fetch<Stream: ByteStream & ~Copyable>(
        over stream: borrowing Stream,
        after received: [UInt8] = [],
        with context: borrowing ClientContext,
        validator: ChainValidator,
        on loop: isolated EventLoop
    ) async throws(FetchError) -> HandshakeResult {
        let endpoint = stream.endpoint
        if let startTLS = target.startTLS {
            let negotiation = startTLS.negotiation(domain: identity.text)
            try await negotiate(negotiation, as: .startTLS(startTLS), after: received, over: stream, on: loop)
        }
        let session: ClientSession
        do {
            session = try ClientSession(context, serverName: identity.serverNameIndication)
        } catch {
            throw .handshake(endpoint, error)
        }
        var alert: TLSAlert?
        do {
            let handshake = Handshake(deadline: deadline, timeout: timeout)
            if target.startTLS == .mssql {
                try await handshake.run(session, over: stream, in: TDSFraming(), on: loop)
            } else {
                try await handshake.run(session, over: stream, closing: true, on: loop)
            }
        } catch {
            if case .notTLS(endpoint, let bytes, target: nil) = error {
                throw .notTLS(endpoint, firstBytes: bytes, target: target)
            }
            let served = session.peerChain?.certificates
            func certificates() -> [Certificate] { (try? served?.map { try Certificate(der: $0) }) ?? [] }
            if case .handshake(_, let cause) = error, cause.isWrongKeyType {
                throw .wrongKey(endpoint, cause, certificates())
            }
            // A server that requires a client certificate sends its own chain first, and proves that it has the key.
            guard case .alert(_, let sent) = error else { throw error }
            guard session.wasAskedForClientCertificate, session.hasProvedPossession else {
                // The key exchange with RSA gives no proof before the alert.
                guard served != nil else { throw error }
                throw .alertAfterCertificate(endpoint, sent, certificates())
            }
            alert = sent
        }
        guard let served = session.peerChain else { throw .noCertificate(endpoint) }
        let isProven = !options.readsCertificateOnly
        var request: ClientCertificateRequest?
        if isProven {
            request = await ClientCertificateAnswer(deadline: deadline, readsAfterHandshake: target.startTLS != .mssql)
                .request(session, over: stream, after: alert, on: loop)
            // In other sessions the alert was sent with the last message of the handshake.
            if alert == nil, request?.outcome != ClientCertificateRequest.Outcome.none, target.startTLS != .mssql {
                Handshake.sendCloseNotify(of: session, over: stream)
            }
        }
        let chain = try chain(of: served.certificates, at: endpoint) { () throws(CertificateError) in
            try validator.validate(served, for: identity)
        }
        return HandshakeResult(
            endpoint: endpoint,
            serverName: identity.serverNameIndication,
            protocolVersion: session.protocolVersion,
            cipherSuite: session.cipherSuite,
            applicationProtocol: session.applicationProtocol,
            isProven: isProven,
            clientCertificate: request,
            stapledResponse: session.stapledResponse,
            chain: chain,
            servedCertificates: chain.isTrusted || !options.fetchesIssuers
                ? [] : served.certificates.compactMap { try? Certificate(der: $0) }
        )
    }

    /// The chain of the certificates that an address sent, validated unless another connection to the host did this before.
    func chain<Failure: Error>(
        of list: @autoclosure () -> [[UInt8]], at endpoint: Endpoint,
        validating validate: () throws(Failure) -> CertificateChain
    ) throws(FetchError) -> CertificateChain {
        let chain: CertificateChain?
        do {
            chain = if let chains { try chains.chain(of: list(), validating: validate) } else { try validate() }
        } catch {
            throw .badCertificate(endpoint, "\(error)")
        }
        guard let chain else { throw .excessCertificates(hostText, endpoint) }
        return chain
    }

    /// Runs a negotiation in plain text over a stream, within the deadline of the connection.
    ///
    /// - Parameters:
    ///   - received: the first bytes of the peer, which arrived together with the end of the negotiation before.
    ///   - keepsRest: whether bytes after the end of the negotiation belong to another one in plain text. Otherwise they are an error.
    /// - Returns: the bytes after the end of the negotiation.
    @discardableResult
    package func negotiate<Negotiation: PlaintextNegotiation, Stream: ByteStream & ~Copyable>(
        _ negotiation: Negotiation, as step: PlaintextStep, after received: [UInt8] = [], keepsRest: Bool = false,
        over stream: borrowing Stream, on loop: isolated EventLoop
    ) async throws(FetchError) -> [UInt8] {
        try await PlaintextExchange(deadline: deadline, timeout: timeout)
            .run(negotiation, as: step, after: received, keepsRest: keepsRest, over: stream, on: loop)
    }

    /// Runs a negotiation whose state the caller needs afterwards, even if it fails.
    package func negotiate<Negotiation: PlaintextNegotiation, Stream: ByteStream & ~Copyable>(
        _ negotiation: inout Negotiation, as step: PlaintextStep, keepsRest: Bool, over stream: borrowing Stream,
        on loop: isolated EventLoop
    ) async throws(FetchError) -> [UInt8] {
        try await PlaintextExchange(deadline: deadline, timeout: timeout)
            .run(&negotiation, as: step, keepsRest: keepsRest, over: stream, on: loop)
    }

    /// The host that the certificate must be valid for.
    var identity: ServerIdentity { target.serverName ?? options.serverName ?? target.identity }

    /// The addresses to connect to; none if a proxy resolves the name.
    func resolve(by resolver: Resolver, on loop: isolated EventLoop) async throws(FetchError) -> [Endpoint] {
        if let proxy, proxy.kind.resolvesNames { return [] }
        if let known = options.knownEndpoints[target] { return known }
        if let proxy, proxy.kind == .socks4, options.family == .any, case .name = host {
            return try await resolve(host, port: port, family: .ipv4, by: resolver, on: loop)
        }
        return try await resolve(host, port: port, family: options.family, by: resolver, on: loop)
    }

    /// The text of the host to connect to, without its port.
    var hostText: String { Target(host: host, port: port).hostText }

    /// The host to connect to.
    private var host: Target.Host { options.connectTo?.host ?? target.host }
    private var port: UInt16 { options.connectTo?.port ?? target.port }

    /// The proxy for the target; nil for a direct connection.
    private var proxy: Proxy? { options.proxies?.proxy(for: target) }

    /// The addresses of a host.
    package func resolve(
        _ host: Target.Host, port: UInt16, family: AddressFamily, by resolver: Resolver, on loop: isolated EventLoop
    ) async throws(FetchError) -> [Endpoint] {
        let name: String
        switch host {
        case .address(let address, _) where family == (address.isV4 ? .ipv6 : .ipv4):
            throw .family(address: address.description, wanted: family)
        case .address(let address, zone: nil):
            return Endpoint(address: address.bytes, port: port).map { [$0] } ?? []
        case .address(let address, let zone?): name = "\(address)%\(zone)"
        case .name(let text): name = text
        }
        let query = Resolver.Query(name: name, port: port, family: family)
        switch await resolver.resolve(query, until: deadline, on: loop) {
        case nil: throw .timeout(.resolving(name: name), after: timeout)
        case .failure(let failure)?: throw .resolve(name: name, failure)
        case .success(let endpoints)?: return endpoints
        }
    }
}

extension ServerIdentity {
    /// The name to send in the server name extension; nil for an address, which the extension does not allow (RFC 6066, section 3).
    package var serverNameIndication: String? {
        switch self {
        case .name(let name): name
        case .address: nil
        }
    }
}
