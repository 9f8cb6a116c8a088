internal import Authentication
internal import Fetching
internal import Pinning
internal import PlaintextProtocols

/// Connects through a SOCKS proxy, and presents its login as a challenge of the method `default`.
struct SOCKSConnector {
    private let connector: Connector
    private let proxy: Proxy

    /// Maximum number of logins for one connection.
    private static let maximumLogins = 8

    init(_ connector: Connector, _ proxy: Proxy) { (self.connector, self.proxy) = (connector, proxy) }

    func connection(on loop: isolated EventLoop) async throws(SessionError) -> OpenConnection {
        let hosts: [Target.Host]
        if proxy.kind.resolvesNames {
            hosts = [connector.host]
        } else {
            do throws(FetchError) {
                var family = connector.state.configuration.options.family
                if proxy.kind == .socks4, family == .any, case .name = connector.host { family = .ipv4 }
                let found = try await connector.endpoints(
                    of: connector.host, port: connector.port, family: family, on: loop)
                hosts = Dialer.candidates(found).compactMap { Target.Host($0) }
            } catch {
                throw SessionError(error)
            }
        }
        var failure = SessionError(.connection, "proxy \(proxy): the host has no address")
        for host in hosts {
            do throws(SessionError) {
                return try await connection(to: host, on: loop)
            } catch {
                failure = error
                guard error.fetchError?.isAboutAddressBehindProxy == true else { throw error }
            }
        }
        throw failure
    }

    private func connection(
        to host: Target.Host, on loop: isolated EventLoop
    ) async throws(SessionError) -> OpenConnection {
        // The first attempt has no login, so that the proxy says whether it requires one.
        var credential: Credential?
        var recordIndex: Int?
        for count in 0..<Self.maximumLogins {
            do throws(FetchError) {
                return try await attempt(host, credential, recordIndex, on: loop)
            } catch {
                guard case .proxy(_, .negotiation(_, _, .proxy(let failure))) = error, failure.concernsLogin else {
                    throw SessionError(error)
                }
                let next = try await login(after: credential, count: count, on: loop)
                guard let next else { throw SessionError(.proxy, error.unfilteredMessage, space) }
                credential = next
                recordIndex = connector.run.records.indices.last
            }
        }
        throw SessionError(.proxy, "proxy \(proxy): it refused \(Self.maximumLogins) logins", space)
    }

    private var space: ProtectionSpace {
        ProtectionSpace(
            host: proxy.target.spaceHost, port: proxy.port, protocol: connector.url.spaceProtocol, proxyType: .socks,
            authenticationMethod: .default)
    }

    /// - Returns: the credential for the next attempt; nil for none.
    private func login(
        after last: Credential?, count: Int, on loop: isolated EventLoop
    ) async throws(SessionError) -> Credential? {
        let run = connector.run
        let stored = run.storedCredential(for: space, of: proxy)
        let challenge = Challenge(
            protectionSpace: space, proposedCredential: last ?? stored, previousFailureCount: count,
            error: last.map { _ in ChallengeError("the last credential was refused") })
        var record = ChallengeRecord(
            challenge, scheme: proxy.kind.name, url: connector.url.description, answer: .none, result: .unanswered)
        defer { run.records.append(record) }
        let chosen = try await run.credential(for: challenge, stored, connector.url, recordingIn: &record, on: loop)
        guard let chosen, chosen.hasPassword, proxy.kind.takesPassword else { return nil }
        return chosen
    }

    /// - Parameter index: the index of the credential's record.
    private func attempt(
        _ host: Target.Host, _ credential: Credential?, _ index: Int?, on loop: isolated EventLoop
    ) async throws(FetchError) -> OpenConnection {
        do throws(FetchError) {
            let endpoints = try await connector.endpoints(
                of: proxy.host, port: proxy.port,
                family: proxy.kind.resolvesNames ? connector.state.configuration.options.family : .any, on: loop)
            let socket = try await Dialer(deadline: connector.run.deadline, timeout: connector.timeout)
                .connect(to: endpoints, on: loop)
            let descriptor = socket.descriptor
            let stream = ErasedStream(socket)
            do throws(FetchError) {
                let rest = try await negotiate(host, credential, index, over: stream, on: loop)
                return OpenConnection(
                    stream: stream, descriptor: descriptor, received: rest,
                    tunnel: Tunnel(proxy, to: host, port: connector.port, tls: nil))
            } catch {
                loop.forget(descriptor)
                throw error
            }
        } catch {
            throw .proxy(proxy.label, error)
        }
    }

    private func negotiate(
        _ host: Target.Host, _ credential: Credential?, _ index: Int?, over stream: ErasedStream,
        on loop: isolated EventLoop
    ) async throws(FetchError) -> [UInt8] {
        let keepsRest = connector.url.scheme == .ftp
        let connection = Connection(
            to: connector.url.target, connector.state.configuration.options, deadline: connector.run.deadline)
        let step = PlaintextStep.proxy(proxy.kind.name)
        guard proxy.kind.takesPassword else {
            let request: SOCKS4Request
            do throws(ProxyFailure) {
                request = try SOCKS4Request(
                    to: host.socksDestination, port: connector.port, user: proxy.credential?.user ?? "")
            } catch {
                throw .negotiation(step, stream.endpoint, .proxy(error))
            }
            return try await connection.negotiate(
                request, as: step, keepsRest: keepsRest, over: stream, on: loop)
        }
        var negotiation = SOCKS5Negotiation(
            to: host.socksDestination, port: connector.port, credential: credential?.password)
        do throws(FetchError) {
            let rest = try await connection.negotiate(
                &negotiation, as: step, keepsRest: keepsRest, over: stream, on: loop)
            record(negotiation, nil, credential, index)
            return rest
        } catch {
            record(negotiation, error, credential, index)
            throw error
        }
    }

    /// Completes the record of a credential with what a negotiation did with it.
    private func record(
        _ negotiation: SOCKS5Negotiation, _ error: FetchError?, _ credential: Credential?, _ index: Int?
    ) {
        guard let credential, let index else { return }
        let run = connector.run
        guard negotiation.hasSentPassword else {
            if case .negotiation(_, _, .proxy(.credentialNotTransportable))? = error {
                run.records[index].reason = "SOCKS5 cannot transport a user or a password of more than 255 bytes"
            }
            return
        }
        run.records[index].user = credential.user
        guard negotiation.isPasswordAccepted else {
            let isRefused = if case .negotiation(_, _, .proxy(.credentialRefused))? = error { true } else { false }
            run.records[index].result = isRefused ? .refused : .unknown
            return
        }
        run.records[index].result = .accepted
        do throws(CredentialStorageError) {
            try run.state.configuration.storage.setDefault(credential, for: run.records[index].protectionSpace)
        } catch {
            run.records[index].reason = "the password was not stored: \(error)"
        }
    }
}

extension ProxyFailure {
    /// Whether another login may help.
    fileprivate var concernsLogin: Bool {
        switch self {
        case .noAcceptableMethod(offersPassword: false), .credentialRefused: true
        default: false
        }
    }
}

extension Target.Host {
    fileprivate init?(_ endpoint: Endpoint) {
        guard let address = IPAddress(bytes: endpoint.address) else { return nil }
        self = .address(address, zone: nil)
    }
}
