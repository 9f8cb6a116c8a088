internal import Authentication
internal import OpenSSL
internal import Pinning
internal import PlaintextProtocols

/// The download of one `http` URL through a proxy.
///
/// An HTTP proxy gets a GET request with the whole URL, because many allow CONNECT only to port 443. It gets the credential only after
/// it has asked for one, and an HTTPS proxy only after its certificate was validated.
struct ProxiedDownload {
    let url: HTTPURL
    let proxy: Proxy
    let tls: ProxyTLS?
    let download: IssuerDownload

    /// Maximum number of requests: without a credential, with one, and with a renewed nonce.
    private static let maximumRequests = 3
    private static let proxyAuthenticationRequired = 407

    /// - Parameter connection: a connection to the host of the URL, whose options name no proxy.
    func response(
        by connection: Connection, on loop: isolated EventLoop
    ) async throws(IssuerFetch.Failure) -> HTTPResponse {
        let tunnels: [Tunnel]
        let endpoints: [Endpoint]
        do throws(FetchError) {
            tunnels = try await self.tunnels(by: connection, on: loop)
            endpoints = try await connection.resolve(
                proxy.host, port: proxy.port, family: proxy.kind.resolvesNames ? connection.options.family : .any,
                by: download.resolver, on: loop)
        } catch {
            throw .connection(.proxy(proxy.label, error))
        }
        var failure = IssuerFetch.Failure.connection(.connect([]))
        for tunnel in tunnels {
            do throws(IssuerFetch.Failure) {
                return try await response(through: tunnel, at: endpoints, by: connection, on: loop)
            } catch {
                failure = error
                guard case .connection(let error) = error, error.isAboutAddressBehindProxy else { throw failure }
            }
        }
        throw failure
    }

    /// The tunnels to try: one for each address if pinctl resolves the name.
    private func tunnels(
        by connection: Connection, on loop: isolated EventLoop
    ) async throws(FetchError) -> [Tunnel] {
        guard !proxy.kind.resolvesNames else { return [Tunnel(proxy, to: url.host, port: url.port, tls: tls)] }
        let isIPv4Only = proxy.kind == .socks4 && connection.options.family == .any
        let found = try await connection.resolve(
            url.host, port: url.port, family: isIPv4Only ? .ipv4 : connection.options.family, by: download.resolver,
            on: loop)
        return Dialer.candidates(found).compactMap { Tunnel(proxy, to: $0, tls: tls) }
    }

    private func response(
        through tunnel: Tunnel, at endpoints: [Endpoint], by connection: Connection, on loop: isolated EventLoop
    ) async throws(IssuerFetch.Failure) -> HTTPResponse {
        var scheme: HTTPScheme?
        for count in 1...Self.maximumRequests {
            let (response, endpoint) = try await answer(
                through: tunnel, at: endpoints, by: connection, answering: scheme, on: loop)
            // Through a SOCKS proxy, the response is that of the server.
            guard response.status == Self.proxyAuthenticationRequired, proxy.kind == .http || proxy.kind == .https
            else {
                return response
            }
            do throws(ProxyFailure) {
                scheme = try next(after: scheme, response.proxyChallenges, isLast: count == Self.maximumRequests)
            } catch {
                throw .connection(
                    .proxy(proxy.label, .negotiation(.proxy(proxy.kind.name), endpoint, .proxy(error))))
            }
        }
        throw .status(Self.proxyAuthenticationRequired)
    }

    /// Sends the request once, over a new connection.
    private func answer(
        through tunnel: Tunnel, at endpoints: [Endpoint], by connection: Connection, answering scheme: HTTPScheme?,
        on loop: isolated EventLoop
    ) async throws(IssuerFetch.Failure) -> (HTTPResponse, Endpoint) {
        let socket: Socket
        do throws(FetchError) {
            socket = try await Dialer(deadline: connection.deadline, timeout: connection.options.timeout)
                .connect(to: endpoints, on: loop)
        } catch {
            throw .connection(.proxy(proxy.label, error))
        }
        let endpoint = socket.endpoint
        let descriptor = socket.descriptor
        defer { loop.forget(descriptor) }
        guard proxy.kind == .https, let tls else {
            return (
                try await answer(through: tunnel, over: socket, by: connection, answering: scheme, on: loop), endpoint
            )
        }
        let stream: TLSStream<Socket>
        do throws(FetchError) {
            let session = try await connection.handshake(with: proxy, tls, over: socket, on: loop)
            stream = TLSStream(session, over: socket)
        } catch {
            throw .connection(.proxy(proxy.label, error))
        }
        return (try await answer(through: tunnel, over: stream, by: connection, answering: scheme, on: loop), endpoint)
    }

    private func answer<Stream: ByteStream & ~Copyable>(
        through tunnel: Tunnel, over stream: borrowing Stream, by connection: Connection,
        answering scheme: HTTPScheme?, on loop: isolated EventLoop
    ) async throws(IssuerFetch.Failure) -> HTTPResponse {
        switch proxy.kind {
        case .http, .https:
            let request = url.proxyRequest(authorization: authorization(scheme))
            return try await download.response(to: request, over: stream, on: loop)
        case .socks4, .socks4a, .socks5, .socks5h:
            do throws(FetchError) {
                _ = try await connection.request(tunnel, over: stream, answering: nil, on: loop)
            } catch {
                throw .connection(.proxy(proxy.label, error))
            }
            return try await download.response(to: url.request, over: stream, on: loop)
        }
    }

    private func authorization(_ scheme: HTTPScheme?) -> [UInt8]? {
        guard let credential = proxy.credential, let scheme else { return nil }
        return scheme.authorization(
            credential,
            for: DigestScheme.Request(
                method: "GET", target: url.description, clientNonce: Connection.clientNonce(), count: 1))
    }

    /// The scheme of the next request.
    ///
    /// - Parameter last: the scheme of the last request; nil if it had no credential.
    private func next(
        after last: HTTPScheme?, _ values: [[UInt8]], isLast: Bool
    ) throws(ProxyFailure) -> HTTPScheme {
        guard let challenges = try? HTTPChallengeParser.challenges(in: values), !challenges.isEmpty else {
            throw .invalidChallenge
        }
        let names = challenges.map(\.scheme)
        guard let credential = proxy.credential else { throw .credentialsRequired(schemes: names) }
        guard let next = HTTPScheme.strongest(of: challenges) else { throw .noUsableScheme(names) }
        if let last {
            // A stale nonce is replaced once (RFC 7616, section 3.3).
            guard case .digest(let digest) = next, case .digest(let former) = last, digest.isStale,
                digest.realm == former.realm, !isLast
            else { throw .credentialRefused(scheme: last.name) }
        }
        if case .basic = next, !BasicScheme.canTransport(credential) {
            throw .credentialNotTransportable(scheme: next.name)
        }
        return next
    }
}
