package import Fetching
package import Pinning

/// Requests the chains that servers send to other clients than those of the run.
///
/// A server can select its certificate by the versions, the cipher suites, the application protocols, and the signature algorithms and
/// groups that the client offers. A pin of such a certificate is in use, although no client like pinctl sees it.
package struct OtherClientSearch {
    /// One address of a target. The endpoint is nil if a proxy resolves the name.
    private struct Server: Hashable {
        let target: Target
        let endpoint: Endpoint?

        init(_ target: Target, _ endpoint: Endpoint?) { (self.target, self.endpoint) = (target, endpoint) }
    }

    /// Why a server may have another chain.
    package enum Failure {
        case unanswered(OtherClient, FetchError)
        case interrupted
    }

    /// What a server sends to other clients.
    package struct Findings {
        package fileprivate(set) var chains: [(chain: CertificateChain, client: OtherClient)] = []
        /// Why the server may have another chain; nil if it has none.
        package fileprivate(set) var failure: Failure?
        /// Whether one of the handshakes is unfinished (``HandshakeResult/isUnfinished``), also one that repeated a chain.
        package fileprivate(set) var includesUnfinished = false

        /// The chains that differ from those that an address sent before, and from each other.
        package func newChains(of address: AddressHandshake) -> [(chain: CertificateChain, client: OtherClient)] {
            var known = [address.chain].compactMap(\.self) + (address.otherChains?.results.map(\.chain) ?? [])
            return chains.filter { found in
                guard !known.contains(where: { $0.hasSameCertificates(as: found.chain) }) else { return false }
                known.append(found.chain)
                return true
            }
        }
    }

    /// What servers send to a kind of client; empty for a server that rejects it.
    private typealias Answers = [Server: [HandshakeResult]]

    private let settings: RunSettings
    private var found: [Server: Findings] = [:]
    /// The lists of certificates that servers have sent.
    private var known: [Server: [Set<Certificate>]] = [:]

    /// What an address sends to other clients; nil if it was not asked.
    package func findings(of address: AddressHandshake) -> Findings? { found[Server(address.target, address.endpoint)] }

    /// Searches the other chains of servers that answered.
    ///
    /// - Parameter settings: The settings of the run that needs the chains.
    package init(of addresses: [AddressHandshake], by settings: RunSettings) throws(CommandError) {
        self.settings = settings
        var answers: Answers = [:]
        for address in addresses {
            guard case .success(let result) = address.result else { continue }
            let server = Server(address.target, address.endpoint)
            answers[server] = Self.results(of: result)
            known[server] = Self.results(of: result).map(\.chain.served)
        }
        if settings.options.areLimitedByConfiguration {
            let unlimited = try ask(Array(answers.keys), as: OtherClient())
            answers.merge(unlimited) { $1 + $0 }
        }
        try search(answers, as: OtherClient())
        let names = Set(settings.options.applicationProtocols)
        // A server prefers one of several protocols, so each is also offered alone.
        let alone = names.count > 1 ? names.sorted().map { [$0] } : []
        for protocols in (names.isEmpty ? [] : [[]]) + alone {
            let client = OtherClient(applicationProtocols: protocols)
            try search(ask(Array(answers.keys), as: client), as: client)
        }
        try searchWebClients(Array(answers.keys), besides: [settings.options.applicationProtocols] + alone)
    }

    /// Searches the chains for apps and browsers: a load balancer can select the certificate by the protocols.
    ///
    /// - Parameter asked: the lists of protocols that the search has already offered.
    private mutating func searchWebClients(_ servers: [Server], besides asked: [[String]]) throws(CommandError) {
        for protocols in OtherClient.webProtocols where !asked.contains(protocols) {
            let client = OtherClient(applicationProtocols: protocols)
            let known = known
            // Servers of other protocols may close a connection that offers those of HTTP.
            let answers = try ask(servers.filter(\.target.isUsuallyHTTPS), as: client)
            // A server that sends the same chain does not select it by the protocols.
            let others = answers.filter { server, results in
                results.contains { !(known[server] ?? []).contains($0.chain.served) }
            }
            try search(others, as: client)
        }
    }

    private static func results(of first: HandshakeResult) -> [HandshakeResult] {
        [first] + (first.otherChains?.results ?? [])
    }

    /// Searches the chains for clients that differ from those that got these answers in the version or the curves.
    private mutating func search(_ answers: Answers, as client: OtherClient) throws(CommandError) {
        try searchCurves(of: answers, as: client)
        let options = settings.options
        guard options.minimumVersion.map({ $0 <= .tls12 }) ?? true,
            options.maximumVersion.map({ $0 > .tls12 }) ?? true
        else { return }
        // A server that selects TLS 1.2 can also have a chain for clients that do not offer TLS 1.3: a load balancer reads the offer.
        var old = client
        old.offersOldVersions = true
        try searchCurves(of: ask(Array(answers.keys), as: old), as: old)
    }

    /// Searches ECDSA certificates with other curves, until each server has no other one.
    private mutating func searchCurves(of answers: Answers, as client: OtherClient) throws(CommandError) {
        /// The clients to connect as next.
        var waiting: [OtherClient: [Server]] = [:]
        for (server, results) in answers {
            guard let known = results.first(where: { $0.keyType == .ecdsa }) else { continue }
            var next = client
            // The groups select the curve only if the client offers no TLS 1.3.
            next.offersOldVersions = next.offersOldVersions || !known.usesTLS13
            next.curves = Set(ServerKeyCurve.allCases).subtracting([known.curve].compactMap(\.self))
            waiting[next, default: []].append(server)
        }
        while let (next, servers) = waiting.popFirst() {
            for (server, results) in try ask(servers, as: next) {
                guard let curve = results.first?.curve, let accepted = next.curves, accepted.contains(curve) else {
                    continue
                }
                var following = next
                following.curves = accepted.subtracting([curve])
                if following.curves?.isEmpty == false { waiting[following, default: []].append(server) }
            }
        }
    }

    /// Connects to servers as a kind of client, and notes the chains.
    ///
    /// - Returns: The answers of the servers, without those that may have another chain.
    private mutating func ask(_ servers: [Server], as client: OtherClient) throws(CommandError) -> Answers {
        guard !servers.isEmpty else { return [:] }
        var options = client.options(from: settings.options)
        let targets = Dictionary(grouping: servers, by: \.target)
        options.knownEndpoints = targets.mapValues { $0.compactMap(\.endpoint) }.filter { !$0.value.isEmpty }
        let fetcher = try settings.with(options).fetcher(for: Array(targets.keys))
        var outcomes: [Server: Result<HandshakeResult, FetchError>] = [:]
        while let result = fetcher.nextResult() {
            for server in targets[result.target] ?? [] {
                // Without addresses, a proxy resolved the name or no address was contacted.
                outcomes[server] =
                    result.addresses.isEmpty
                    ? result.outcome : result.addresses.first { $0.endpoint == server.endpoint }?.outcome
            }
        }
        var answers: Answers = [:]
        for server in servers {
            switch outcomes[server] {
            case nil: note(.interrupted, of: server)
            case .failure(let error)?:
                // The server has no chain for such a client. It rejects only protocols that were offered.
                if error.rulesOutCertificates(otherThan: known[server] ?? []) || error.isVersionRejection
                    || !options.applicationProtocols.isEmpty && error.isApplicationProtocolRefusal
                {
                    answers[server] = []
                } else {
                    note(.unanswered(client, error), of: server)
                }
            case .success(let result)?:
                answers[server] = Self.results(of: result)
                known[server, default: []] += Self.results(of: result).map(\.chain.served)
                for result in Self.results(of: result) {
                    found[server, default: Findings()].chains.append((result.chain, client))
                }
                if result.includesUnfinished { found[server, default: Findings()].includesUnfinished = true }
                guard let failure = result.otherChains?.failure else { continue }
                note(.unanswered(client, failure), of: server)
            }
        }
        return answers
    }

    private mutating func note(_ failure: Failure, of server: Server) {
        if found[server]?.failure == nil { found[server, default: Findings()].failure = failure }
    }
}

extension HandshakeResult {
    /// The curve of the server's ECDSA key; nil for another type of key or another curve.
    fileprivate var curve: ServerKeyCurve? {
        chain.entries.first?.certificate.key.curve.flatMap(ServerKeyCurve.init)
    }
}
