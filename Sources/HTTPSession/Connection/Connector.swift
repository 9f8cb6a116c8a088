internal import Authentication
internal import Encodings
internal import Fetching
internal import OpenSSL
internal import Pinning
internal import PlaintextProtocols

/// Opens connections for one URL: direct, through a tunnel, or to a proxy that forwards requests; then TLS and its challenges.
struct Connector {
    let url: RequestURL
    let run: TaskRun
    let state: SessionState
    let proxy: Proxy?

    init(_ url: RequestURL, _ run: TaskRun) {
        (self.url, self.run, state) = (url, run, run.state)
        let rules = run.state.configuration.options.proxies
        // A protocol other than HTTPS excludes a proxy that is for HTTPS only.
        proxy =
            switch url.scheme {
            case .https: rules?.proxy(for: url.target)
            case .http: rules?.proxy(forPlainHTTP: url.target)
            case .ftp: rules?.proxy(for: url.target.with(startTLS: .ftp))
            }
    }

    /// The HTTP proxy to which requests are sent with the whole URL (RFC 9112, section 3.2.2); nil for other connections.
    var forwardingProxy: Proxy? {
        guard url.scheme == .http, let proxy, proxy.kind == .http || proxy.kind == .https else { return nil }
        // A proxy that forwards requests connects to the host of the URL, so another one needs a tunnel.
        guard !isFirst || state.configuration.options.connectTo == nil else { return nil }
        return proxy
    }

    /// Whether the connection goes through a proxy.
    var usesProxy: Bool { proxy != nil }

    private var key: OpenConnection.Key {
        if let proxy = forwardingProxy {
            return OpenConnection.Key(scheme: .http, target: proxy.target, proxy: proxy.description)
        }
        return OpenConnection.Key(scheme: url.scheme, target: url.target, proxy: proxy?.description)
    }

    var timeout: Duration { state.configuration.timeout }

    /// A connection over which a request can be sent.
    func connection(on loop: isolated EventLoop) async throws(SessionError) -> OpenConnection {
        if let idle = state.idleConnections.removeValue(forKey: key) { return idle }
        if let proxy = forwardingProxy { return try await connect(toProxy: proxy, on: loop) }
        guard url.scheme == .https else { return try await plainConnection(on: loop) }
        return try await TLSHandshake(self).connection(on: loop)
    }

    /// A connection to the server without TLS.
    func plainConnection(on loop: isolated EventLoop) async throws(SessionError) -> OpenConnection {
        guard let proxy else { return try await connect(to: host, port: port, on: loop) }
        switch proxy.kind {
        case .http, .https: return try await tunnel(through: proxy, on: loop)
        case .socks4, .socks4a, .socks5, .socks5h: return try await SOCKSConnector(self, proxy).connection(on: loop)
        }
    }

    func keep(_ connection: OpenConnection) { state.idleConnections[key] = connection }

    func close(_ connection: OpenConnection, on loop: isolated EventLoop) { loop.forget(connection.descriptor) }

    // MARK: Sockets

    /// Whether this is the server of the task's URL, for which the user may have chosen another address or name.
    private var isFirst: Bool { url.hasSameOrigin(as: run.first) }

    var host: Target.Host { isFirst ? state.configuration.options.connectTo?.host ?? url.host : url.host }
    var port: UInt16 { isFirst ? state.configuration.options.connectTo?.port ?? url.port : url.port }

    /// The server with the name that the user may have chosen for it. It selects the trust anchors.
    var target: Target {
        Target(
            host: url.host, port: url.port, serverName: isFirst ? state.configuration.options.serverName : nil)
    }

    /// The name or the address that the certificate must be valid for, and that selects the pins.
    var identity: ServerIdentity { target.identity }

    func endpoints(
        of host: Target.Host, port: UInt16, family: AddressFamily, on loop: isolated EventLoop
    ) async throws(FetchError) -> [Endpoint] {
        try await Connection(to: url.target, state.configuration.options, deadline: run.deadline)
            .resolve(host, port: port, family: family, by: state.resolver, on: loop)
    }

    private func connect(
        to host: Target.Host, port: UInt16, on loop: isolated EventLoop
    ) async throws(SessionError) -> OpenConnection {
        do throws(FetchError) {
            let endpoints = try await endpoints(
                of: host, port: port, family: state.configuration.options.family, on: loop)
            let socket = try await Dialer(deadline: run.deadline, timeout: timeout).connect(to: endpoints, on: loop)
            let descriptor = socket.descriptor
            return OpenConnection(stream: ErasedStream(socket), descriptor: descriptor)
        } catch {
            throw SessionError(error)
        }
    }

    /// A connection to a proxy, with TLS for an HTTPS proxy.
    func connect(toProxy proxy: Proxy, on loop: isolated EventLoop) async throws(SessionError) -> OpenConnection {
        do throws(FetchError) {
            let endpoints = try await endpoints(
                of: proxy.host, port: proxy.port,
                family: proxy.kind.resolvesNames ? state.configuration.options.family : .any, on: loop)
            let socket = try await Dialer(deadline: run.deadline, timeout: timeout).connect(to: endpoints, on: loop)
            let descriptor = socket.descriptor
            let stream = ErasedStream(socket)
            guard proxy.kind == .https, let tls = state.proxyTLS else {
                return OpenConnection(stream: stream, descriptor: descriptor)
            }
            do throws(FetchError) {
                return OpenConnection(
                    stream: try await secure(stream, for: proxy, tls, on: loop), descriptor: descriptor)
            } catch {
                loop.forget(descriptor)
                throw error
            }
        } catch {
            throw SessionError(.proxy(proxy.label, error))
        }
    }

    /// Runs the handshake with an HTTPS proxy and validates its chain. No request is sent before that.
    private func secure(
        _ stream: ErasedStream, for proxy: Proxy, _ tls: ProxyTLS, on loop: isolated EventLoop
    ) async throws(FetchError) -> ErasedStream {
        let session: ClientSession
        do throws(OpenSSLError) {
            session = try ClientSession(tls.context, serverName: proxy.target.identity.serverNameIndication)
        } catch {
            throw .handshake(stream.endpoint, error)
        }
        try await Handshake(deadline: run.deadline, timeout: timeout).run(session, over: stream, on: loop)
        guard let served = session.peerChain else { throw .noCertificate(stream.endpoint) }
        do throws(ProxyFailure) {
            try tls.validate(served, of: proxy)
        } catch {
            throw .negotiation(.proxy(proxy.kind.name), stream.endpoint, .proxy(error))
        }
        return ErasedStream(TLSStream(session, over: stream))
    }

    // MARK: Tunnels

    /// Maximum number of CONNECT requests for one connection.
    private static let maximumTunnelRequests = 16

    /// Requests a tunnel (RFC 9110, section 9.3.6), and answers the challenges of the proxy.
    private func tunnel(through proxy: Proxy, on loop: isolated EventLoop) async throws(SessionError) -> OpenConnection
    {
        let login = LoginNegotiation(with: proxy, for: url, run)
        let firstRecord = run.records.count
        let authority = Target(host: host, port: port).requestAuthority
        var current: OpenConnection?
        for _ in 0..<Self.maximumTunnelRequests {
            let connection: OpenConnection
            if let current { connection = current } else { connection = try await connect(toProxy: proxy, on: loop) }
            current = nil
            var request = Array("CONNECT \(authority) HTTP/1.1\r\nHost: \(authority)\r\nUser-Agent: pinctl\r\n".utf8)
            request += login.field(method: "CONNECT", target: authority) ?? []
            request += Array("\r\n".utf8)
            let response: HTTPExchange.Response
            do throws(HTTPExchange.Failure) {
                response = try await HTTPExchange(
                    deadline: run.deadline, maximumBodyLength: 1 << 16, keepsRest: url.scheme == .ftp
                ).response(to: request, method: "CONNECT", over: connection.stream, on: loop)
            } catch {
                close(connection, on: loop)
                if connection.isReused, case .closedBeforeResponse = error { continue }
                throw sessionError(for: error, of: proxy, connection)
            }
            let isRepeated: Bool
            do throws(SessionError) {
                isRepeated = try await login.receive(response, on: loop)
            } catch {
                close(connection, on: loop)
                throw error
            }
            if (200..<300).contains(response.head.status) {
                var tunnel = connection
                tunnel.isReused = false
                tunnel.received = response.rest
                tunnel.tunnel = Tunnel(proxy, to: host, port: port, tls: state.proxyTLS)
                return tunnel
            }
            guard isRepeated else {
                close(connection, on: loop)
                throw refusal(by: proxy, response.head, run.records[firstRecord...], at: connection.stream.endpoint)
            }
            if response.keepsConnection {
                current = connection
                current?.isReused = true
            } else {
                close(connection, on: loop)
            }
        }
        throw SessionError(failureOf: proxy, "it did not accept or refuse the login")
    }
}
