internal import OpenSSL
internal import Pinning

/// Fetches the chain of one host: resolves the name, connects, does the handshake, and validates the chain.
struct Connection {
    let target: Target
    let options: ConnectionOptions
    let deadline: MonotonicTime

    init(to target: Target, _ options: ConnectionOptions, on loop: isolated EventLoop) {
        self.target = target
        self.options = options
        deadline = loop.now + options.timeout
    }

    /// Fetches the chain from the first of these addresses that accepts the connection.
    func fetch(
        at endpoints: [Endpoint],
        with context: borrowing ClientContext,
        validator: ChainValidator,
        on loop: isolated EventLoop
    ) async throws(FetchError) -> HandshakeResult {
        let socket = try await Dialer(deadline: deadline, timeout: options.timeout).connect(to: endpoints, on: loop)
        let descriptor = socket.descriptor
        defer { loop.forget(descriptor) }
        // The proxy step comes here. `endpoints` are then those of the proxy, and a negotiation runs over the socket (see
        // `negotiate`). For an HTTPS proxy, a handshake runs over the socket first, then a negotiation over a `TLSStream`, which
        // replaces the socket in the next line.
        return try await fetch(over: socket, with: context, validator: validator, on: loop)
    }

    /// Fetches the chain over a stream that is connected to the target: STARTTLS, handshake and validation.
    private func fetch<Stream: ByteStream & ~Copyable>(
        over stream: borrowing Stream,
        with context: borrowing ClientContext,
        validator: ChainValidator,
        on loop: isolated EventLoop
    ) async throws(FetchError) -> HandshakeResult {
        let endpoint = stream.endpoint
        let identity = target.serverName ?? options.serverName ?? target.identity
        if let startTLS = target.startTLS {
            let negotiation = startTLS.negotiation(domain: identity.text)
            try await negotiate(negotiation, as: .startTLS(startTLS), over: stream, on: loop)
        }
        let session: ClientSession
        do {
            session = try ClientSession(context, serverName: identity.serverNameIndication)
        } catch {
            throw .handshake(endpoint, error)
        }
        var demandsCertificate = false
        do {
            let handshake = Handshake(deadline: deadline, timeout: options.timeout)
            if target.startTLS == .mssql {
                try await handshake.run(session, over: stream, in: TDSFraming(), on: loop)
            } else {
                try await handshake.run(session, over: stream, on: loop)
            }
        } catch {
            if case .notTLS(endpoint, let bytes, target: nil) = error {
                throw .notTLS(endpoint, firstBytes: bytes, target: target)
            }
            // A server that requires a client certificate sends its own chain first, and proves that it has the key.
            guard case .alert = error, session.wasAskedForClientCertificate, session.hasProvedPossession else {
                throw error
            }
            demandsCertificate = true
        }
        guard let served = session.peerChain else { throw .noCertificate(endpoint) }
        if !demandsCertificate, target.startTLS != .mssql { Handshake.sendCloseNotify(of: session, over: stream) }
        do {
            return HandshakeResult(
                endpoint: endpoint,
                serverName: identity.serverNameIndication,
                protocolVersion: session.protocolVersion,
                cipherSuite: session.cipherSuite,
                applicationProtocol: session.applicationProtocol,
                clientCertificate: demandsCertificate
                    ? .demanded : session.wasAskedForClientCertificate ? .requested : .none,
                chain: try validator.validate(served, for: identity)
            )
        } catch {
            throw .badCertificate(endpoint, "\(error)")
        }
    }

    /// Runs a negotiation in plain text over a stream, within the deadline of the connection.
    func negotiate<Negotiation: PlaintextNegotiation, Stream: ByteStream & ~Copyable>(
        _ negotiation: Negotiation, as step: PlaintextStep, over stream: borrowing Stream, on loop: isolated EventLoop
    ) async throws(FetchError) {
        try await PlaintextExchange(deadline: deadline, timeout: options.timeout)
            .run(negotiation, as: step, over: stream, on: loop)
    }

    /// The addresses to connect to.
    func resolve(by resolver: Resolver, on loop: isolated EventLoop) async throws(FetchError) -> [Endpoint] {
        let host = options.connectTo?.host ?? target.host
        let port = options.connectTo?.port ?? target.port
        let name: String
        switch host {
        case .address(let address, _) where options.family == (address.isV4 ? .ipv6 : .ipv4):
            throw .family(address: address.description, wanted: options.family)
        case .address(let address, zone: nil):
            return Endpoint(address: address.bytes, port: port).map { [$0] } ?? []
        case .address(let address, let zone?): name = "\(address)%\(zone)"
        case .name(let text): name = text
        }
        let query = Resolver.Query(name: name, port: port, family: options.family)
        switch await resolver.resolve(query, until: deadline, on: loop) {
        case nil: throw .timeout(.resolving(name: name), after: options.timeout)
        case .failure(let failure)?: throw .resolve(name: name, failure)
        case .success(let endpoints)?: return endpoints
        }
    }
}

extension ServerIdentity {
    /// The name to send in the server name extension; nil for an address, which the extension does not allow (RFC 6066, section 3).
    fileprivate var serverNameIndication: String? {
        switch self {
        case .name(let name): name
        case .address: nil
        }
    }
}
