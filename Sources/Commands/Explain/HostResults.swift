internal import CommandSupport
internal import Fetching
internal import Pinning

/// Everything that the addresses of a host send to the clients that pinctl connects as.
struct HostResults {
    /// A chain, and the clients that receive it.
    struct ServedChain {
        let chain: CertificateChain
        let clients: Clients
    }

    enum Clients {
        /// Clients like those of the run.
        case usual
        /// Clients that accept only keys of the type of the chain's leaf.
        case otherKeyType
        case other(OtherClient)
    }

    /// An address that answered.
    struct Address {
        /// The chain for usual clients, and then those for other clients.
        let chains: [ServedChain]
    }

    /// Maximum number of ``gaps``. Each address can have one.
    private static let maximumGaps = 4

    /// The result for the host, with the addresses that later look-ups found.
    let result: FetchResult
    /// The addresses that answered.
    let addresses: [Address]
    /// Number of addresses that did not answer, without those to which this machine has no route.
    let unansweredCount: Int
    /// Number of addresses to which this machine has no route.
    let unroutableCount: Int
    /// Whether an address that clients elsewhere can use did not answer.
    let hasSilentAddress: Bool
    /// Why the addresses that answered may have another chain, and why the host may have another address, as clauses.
    let gaps: [String]
    /// Whether the host may have a chain that is not known. Then no conclusion from a key that was not found is certain.
    var isIncomplete: Bool { hasSilentAddress || !gaps.isEmpty }

    /// What this machine or a proxy hides, as a clause; nil if it hides nothing.
    let limit: String?

    /// The results of all hosts, with the searches for further addresses, and for the chains that servers send to other clients.
    ///
    /// - Parameter results: The results of the first connections.
    static func all(
        _ results: [FetchResult], by settings: RunSettings
    ) throws(CommandError) -> [Target: HostResults] {
        let found = results.map(AddressHandshake.all)
        let lookUps = try LookUpCheck(settings).findings(for: found.flatMap { $0.contacted + $0.skipped })
        let completed = results.map(lookUps.completed)
        let search: OtherClientSearch? =
            // --key-type limits the chains that a person wants to compare.
            settings.options.keyTypes == .all
            ? try OtherClientSearch(of: completed.flatMap { AddressHandshake.all(of: $0).contacted }, by: settings)
            : nil
        var all: [Target: HostResults] = [:]
        for result in completed {
            all[result.target] = HostResults(result, lookUps.problems[result.target], search)
        }
        return all
    }

    private init(_ result: FetchResult, _ problem: LookUpProblem?, _ search: OtherClientSearch?) {
        self.result = result
        let contacted = AddressHandshake.all(of: result).contacted
        var addresses: [Address] = []
        var gaps: [String] = []
        for handshake in contacted {
            guard let chains = Self.chains(of: handshake, search) else { continue }
            addresses.append(Address(chains: chains))
            gaps += Self.gaps(of: handshake, chains, search?.findings(of: handshake))
        }
        self.addresses = addresses
        let errors = result.addresses.compactMap { if case .failure(let error) = $0.outcome { error } else { nil } }
        unroutableCount = errors.count(where: \.isUnroutable)
        unansweredCount = errors.count - unroutableCount
        // On this machine, a server often uses one of the two IP versions.
        let usable = AddressHandshake.all(of: result.withoutUnusableAddresses).contacted
        hasSilentAddress = usable.contains { $0.endpoint != nil && $0.chain == nil }
        switch problem?.cause {
        case nil: limit = nil
        case .setting, .proxy: limit = problem?.reason
        case .failure, .notContacted, .tooManyAddresses:
            limit = nil
            if let reason = problem?.reason { gaps.append(reason) }
        }
        var known: Set<String> = []
        let distinct = gaps.filter { known.insert($0).inserted }
        let rest = distinct.count - Self.maximumGaps
        self.gaps =
            rest > 0 ? distinct.prefix(Self.maximumGaps) + ["there are \(rest) more such reasons"] : distinct
    }

    /// - Returns: Nil if the address did not answer.
    private static func chains(of handshake: AddressHandshake, _ search: OtherClientSearch?) -> [ServedChain]? {
        guard let chain = handshake.chain else { return nil }
        return [ServedChain(chain: chain, clients: .usual)]
            + (handshake.otherChains?.results ?? []).map { ServedChain(chain: $0.chain, clients: .otherKeyType) }
            + (search?.findings(of: handshake)?.newChains(of: handshake) ?? []).map {
                ServedChain(chain: $0.chain, clients: .other($0.client))
            }
    }

    private static func gaps(
        of handshake: AddressHandshake, _ chains: [ServedChain], _ findings: OtherClientSearch.Findings?
    ) -> [String] {
        var gaps: [String] = []
        if let failure = handshake.otherChains?.failure {
            gaps.append("the host may have another chain for other types of keys: \(failure.message)")
        }
        switch findings?.failure {
        case nil: break
        case .unanswered(let client, let error)?:
            gaps.append("the host may have another chain for \(client): \(error.message)")
        case .interrupted?:
            gaps.append("the search for other chains of the host was interrupted")
        }
        if (try? handshake.result.get().includesUnfinished) == true || findings?.includesUnfinished == true {
            gaps.append("\(UnfinishedHandshake.reason(at: handshake.name)) (\(UnfinishedHandshake.step))")
        }
        for served in chains.dropFirst() where !served.chain.isTrusted {
            gaps.append("the chain of the host for \(served.clientText) is not trusted: \(served.chain.reason)")
        }
        return gaps
    }
}

extension HostResults.ServedChain {
    /// "clients that offer no TLS 1.3".
    var clientText: String {
        switch clients {
        case .usual: "clients like pinctl"
        case .otherKeyType:
            "clients that accept only keys of the type \(chain.entries.first?.certificate.key.type ?? "of this chain")"
        case .other(let client): client.description
        }
    }

    /// The clients; nil for those like pinctl.
    var otherClientText: String? { if case .usual = clients { nil } else { clientText } }

    /// The chain in a sentence: "the chain of the host for clients that offer no TLS 1.3".
    var title: String { otherClientText.map { "the chain of the host for \($0)" } ?? "the first chain of the host" }

    /// Whether two chains are for usual clients, so that they are those of different addresses.
    func differsByAddress(from other: Self) -> Bool { otherClientText == nil && other.otherClientText == nil }

    /// Whether the path contains one of these keys.
    func hasKey(of keys: some Sequence<Pin>) -> Bool { !Set(chain.pins.map(\.pin)).isDisjoint(with: keys) }

    func hasSamePath(as other: CertificateChain?) -> Bool {
        chain.entries.map(\.certificate) == other?.entries.map(\.certificate)
    }
}
