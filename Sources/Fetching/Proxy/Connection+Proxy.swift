internal import Authentication
internal import Encodings
internal import OpenSSL
internal import Pinning
package import PlaintextProtocols

/// A connection through a proxy to a host.
package struct Tunnel {
    let proxy: Proxy
    /// The host that the proxy connects to.
    let host: Target.Host
    let port: UInt16
    /// The settings for an HTTPS proxy.
    let tls: ProxyTLS?
    /// The address of the host; nil if the proxy resolves the name.
    let endpoint: Endpoint?

    package init(_ proxy: Proxy, to host: Target.Host, port: UInt16, tls: ProxyTLS?) {
        (self.proxy, self.host, self.port, self.tls) = (proxy, host, port, tls)
        endpoint = nil
    }

    /// A tunnel to an address.
    init?(_ proxy: Proxy, to endpoint: Endpoint, tls: ProxyTLS?) {
        guard let address = IPAddress(bytes: endpoint.address) else { return nil }
        (self.proxy, host, port, self.tls) = (proxy, .address(address, zone: nil), endpoint.port, tls)
        self.endpoint = endpoint
    }

    /// The host and the port, as HTTP CONNECT names them.
    var authority: String { Target(host: host, port: port).requestAuthority }

    /// The target and the proxy, for messages.
    package var peer: String { "\(authority) (through \(proxy))" }

    /// An error of the connection after the proxy has made it.
    package func error(_ error: FetchError) -> FetchError {
        .throughProxy(proxy.label, peer: peer, endpoint, error)
    }
}

extension Target.Host {
    /// This host in a request to a SOCKS proxy, which has no field for a zone.
    package var socksDestination: SOCKSDestination {
        switch self {
        case .name(let name): .name(name)
        case .address(let address, _): .address(address)
        }
    }
}

/// The proxy step of the pipeline.
extension Connection {
    /// The outcome of one connection to a proxy.
    private enum Attempt {
        case done(HandshakeResult)
        /// The proxy closed the connection after its challenge; the scheme for the next connection.
        case again(HTTPScheme)
    }

    /// Maximum number of connections to an HTTP proxy for one target: without a credential, with one, and with a renewed nonce.
    private static let maximumProxyConnections = 3

    /// Fetches the chain from the first of these addresses that the proxy can connect to.
    func fetch(
        at endpoints: [Endpoint], through proxy: Proxy, _ tls: ProxyTLS?,
        with context: borrowing ClientContext, validator: ChainValidator, resolver: Resolver,
        on loop: isolated EventLoop
    ) async throws(FetchError) -> HandshakeResult {
        var failure = FetchError.connect([])
        for endpoint in Dialer.candidates(endpoints) {
            guard let tunnel = Tunnel(proxy, to: endpoint, tls: tls) else { continue }
            do {
                return try await fetch(
                    through: tunnel, with: context, validator: validator, resolver: resolver, on: loop)
            } catch {
                failure = error
                guard error.isAboutAddressBehindProxy else { throw error }
            }
        }
        throw failure
    }

    /// Fetches the chain through a proxy.
    func fetch(
        through tunnel: Tunnel, with context: borrowing ClientContext, validator: ChainValidator, resolver: Resolver,
        on loop: isolated EventLoop
    ) async throws(FetchError) -> HandshakeResult {
        let proxy = tunnel.proxy
        let endpoints: [Endpoint]
        do {
            endpoints = try await resolve(
                proxy.host, port: proxy.port, family: proxy.kind.resolvesNames ? options.family : .any, by: resolver,
                on: loop)
        } catch {
            throw .proxy(proxy.label, error)
        }
        var scheme: HTTPScheme?
        for _ in 0..<Self.maximumProxyConnections {
            let attempt = try await attempt(
                tunnel, at: endpoints, answering: scheme, with: context, validator: validator, on: loop)
            switch attempt {
            case .done(let result): return result
            case .again(let next): scheme = next
            }
        }
        guard let endpoint = endpoints.first, let scheme else { throw .connect([]) }
        let failure = ProxyFailure.credentialRefused(scheme: scheme.name)
        throw .proxy(proxy.label, .negotiation(.proxy(proxy.kind.name), endpoint, .proxy(failure)))
    }

    private func attempt(
        _ tunnel: Tunnel, at endpoints: [Endpoint], answering scheme: HTTPScheme?,
        with context: borrowing ClientContext, validator: ChainValidator, on loop: isolated EventLoop
    ) async throws(FetchError) -> Attempt {
        let proxy = tunnel.proxy
        let socket: Socket
        do {
            socket = try await Dialer(deadline: deadline, timeout: timeout).connect(to: endpoints, on: loop)
        } catch {
            throw .proxy(proxy.label, error)
        }
        let descriptor = socket.descriptor
        defer { loop.forget(descriptor) }
        guard proxy.kind == .https, let tls = tunnel.tls else {
            return try await fetch(
                tunnel, over: socket, answering: scheme, with: context, validator: validator, on: loop)
        }
        let session: ClientSession
        do {
            session = try await handshake(with: proxy, tls, over: socket, on: loop)
        } catch {
            throw .proxy(proxy.label, error)
        }
        let stream = TLSStream(session, over: socket)
        return try await fetch(tunnel, over: stream, answering: scheme, with: context, validator: validator, on: loop)
    }

    /// Runs the handshake with an HTTPS proxy and validates its chain. No request is sent before that.
    func handshake(
        with proxy: Proxy, _ tls: ProxyTLS, over socket: borrowing Socket, on loop: isolated EventLoop
    ) async throws(FetchError) -> ClientSession {
        let session: ClientSession
        do {
            session = try ClientSession(tls.context, serverName: proxy.target.identity.serverNameIndication)
        } catch {
            throw .handshake(socket.endpoint, error)
        }
        try await Handshake(deadline: deadline, timeout: timeout).run(session, over: socket, on: loop)
        guard let served = session.peerChain else { throw .noCertificate(socket.endpoint) }
        do {
            try tls.validate(served, of: proxy)
        } catch {
            throw .negotiation(.proxy(proxy.kind.name), socket.endpoint, .proxy(error))
        }
        return session
    }

    /// Requests the connection over a stream to the proxy, then fetches the chain over it.
    private func fetch<Stream: ByteStream & ~Copyable>(
        _ tunnel: Tunnel, over stream: borrowing Stream, answering scheme: HTTPScheme?,
        with context: borrowing ClientContext, validator: ChainValidator, on loop: isolated EventLoop
    ) async throws(FetchError) -> Attempt {
        let received: [UInt8]
        do throws(FetchError) {
            switch try await request(tunnel, over: stream, answering: scheme, keepsRest: true, on: loop) {
            case .connected(let rest):
                if !rest.isEmpty, isInjected(rest) {
                    throw .negotiation(
                        .proxy(tunnel.proxy.kind.name), stream.endpoint, .injectedText(count: rest.count))
                }
                received = rest
            case .again(let next): return .again(next)
            }
        } catch {
            throw .proxy(tunnel.proxy.label, error)
        }
        do throws(FetchError) {
            if target.startTLS == nil, !received.isEmpty {
                // The greeting of a protocol with STARTTLS, for example. The error names the protocol.
                let start = AnswerExcerpt.bytes(of: received)
                throw .notTLS(stream.endpoint, firstBytes: start, target: target)
            }
            var result = try await fetch(over: stream, after: received, with: context, validator: validator, on: loop)
            result.endpoint = tunnel.endpoint
            result.proxy = tunnel.proxy.description
            return .done(result)
        } catch {
            throw tunnel.error(error)
        }
    }

    /// Whether bytes that arrived before the first ones of the client are not a greeting of the server: before the TLS handshake, and in
    /// some protocols with STARTTLS, it waits for the client.
    private func isInjected(_ bytes: [UInt8]) -> Bool {
        guard let startTLS = target.startTLS else { return TLSRecordStart.matches(bytes) }
        var negotiation = startTLS.negotiation(domain: identity.text)
        return !negotiation.begin().isEmpty && !negotiation.peerMaySpeakFirst
    }

    /// The answer of a proxy to the request for a connection.
    enum ProxyAnswer {
        /// The proxy is connected to the server, whose first bytes may have arrived with the answer.
        case connected([UInt8])
        /// The proxy requires another connection; the scheme of its challenge.
        case again(HTTPScheme)
    }

    /// Requests the connection over a stream to the proxy.
    ///
    /// - Parameter keepsRest: whether bytes after the proxy's answer are the result, and no error.
    func request<Stream: ByteStream & ~Copyable>(
        _ tunnel: Tunnel, over stream: borrowing Stream, answering scheme: HTTPScheme?, keepsRest: Bool = false,
        on loop: isolated EventLoop
    ) async throws(FetchError) -> ProxyAnswer {
        let proxy = tunnel.proxy
        let exchange = PlaintextExchange(deadline: deadline, timeout: timeout)
        let step = PlaintextStep.proxy(proxy.kind.name)
        switch proxy.kind {
        case .http, .https:
            var connect = HTTPConnect(
                to: tunnel.authority, credential: proxy.credential,
                clientNonce: Self.clientNonce(), answering: scheme)
            do {
                return .connected(
                    try await exchange.run(&connect, as: step, keepsRest: keepsRest, over: stream, on: loop))
            } catch {
                switch error {
                case .negotiation(_, _, .proxy(.needsNewConnection(let next))): return .again(next)
                // A proxy may close a connection that it had promised to keep open.
                case .negotiation(_, _, .closed) where scheme == nil && connect.awaitsAnswerToCredential:
                    guard let next = connect.scheme else { throw error }
                    return .again(next)
                default: throw error
                }
            }
        case .socks4, .socks4a:
            let request: SOCKS4Request
            do {
                request = try SOCKS4Request(
                    to: tunnel.host.socksDestination, port: tunnel.port, user: proxy.credential?.user ?? "")
            } catch {
                throw .negotiation(step, stream.endpoint, .proxy(error))
            }
            return .connected(try await exchange.run(request, as: step, keepsRest: keepsRest, over: stream, on: loop))
        case .socks5, .socks5h:
            let negotiation = SOCKS5Negotiation(
                to: tunnel.host.socksDestination, port: tunnel.port, credential: proxy.credential)
            return .connected(
                try await exchange.run(negotiation, as: step, keepsRest: keepsRest, over: stream, on: loop))
        }
    }

    /// 18 random bytes in base64.
    static func clientNonce() -> String {
        var generator = SystemRandomNumberGenerator()
        return Base64.encode((0..<18).map { _ in UInt8.random(in: 0...255, using: &generator) })
    }
}

extension FetchError {
    /// Whether a proxy could not connect to an address, so that another address of the host may work.
    package var isAboutAddressBehindProxy: Bool {
        switch self {
        case .proxy(_, .negotiation(_, _, .proxy(.socks4))), .proxy(_, .negotiation(_, _, .proxy(.needsIPv4))): true
        case .proxy(_, .negotiation(_, _, .proxy(.socks5(let code)))): (3...6).contains(code) || code == 1 || code == 8
        default: false
        }
    }
}
