/// The outcome of one target: a certificate chain or an error.
package struct FetchResult: Sendable {
    /// Position of the target in the run's input, from 0.
    package let index: Int
    package let target: Target
    package private(set) var outcome: Result<HandshakeResult, FetchError>
    /// The outcome of each address, if the run uses every address; in this case ``outcome`` is the first success among them. Empty
    /// if name resolution failed, and if the run uses only the first address that answers.
    package private(set) var addresses: [AddressResult]
    /// Which of the target's addresses this result is about, in the results of ``parts``.
    package private(set) var part: Part?
    /// Which of the address's chains this result is about, in the results of ``parts``; nil if only one chain was requested.
    package private(set) var chainPart: ChainPart?

    /// The position of one address among all addresses of a target.
    package struct Part: Sendable {
        /// The number of the address, from 1.
        package let number: Int
        package let count: Int
        /// The address that was connected to.
        package let endpoint: Endpoint

        package var isLast: Bool { number == count }
    }

    /// The position of one chain among all chains of an address.
    package struct ChainPart: Sendable {
        /// From 1.
        package let number: Int
        package let count: Int

        package var isLast: Bool { number == count }
    }

    /// Whether this is the last of ``parts``.
    package var isLastPart: Bool { (part?.isLast ?? true) && (chainPart?.isLast ?? true) }

    init(
        index: Int, target: Target, outcome: Result<HandshakeResult, FetchError>, addresses: [AddressResult] = []
    ) {
        self.index = index
        self.target = target
        self.outcome = outcome
        self.addresses = addresses
    }

    /// This result with further addresses of the same target.
    package func adding(_ others: [AddressResult]) -> FetchResult {
        var result = self
        result.addresses += others
        if case .failure = outcome,
            let success = others.first(where: { if case .success = $0.outcome { true } else { false } })
        {
            result.outcome = success.outcome
        }
        return result
    }

    /// This result without the addresses that say nothing about the server, if another address answered. Such addresses have a
    /// family that this machine's network lacks. If all addresses of the host are loopback addresses, as those of `localhost`, they also
    /// are those of a family on which the local server does not listen.
    package var withoutUnusableAddresses: FetchResult {
        guard addresses.contains(where: { $0.hasAnswered }) else { return self }
        let isLocal = addresses.allSatisfy(\.endpoint.isLoopback)
        // The families with an address that must be reported. Then an error of another address of the same family must be reported
        // too.
        let reported = addresses.filter { !$0.isUnroutable && !(isLocal && $0.isRefused) }
        let families = Set(reported.map(\.endpoint.isIPv6))
        var result = self
        result.addresses.removeAll { !families.contains($0.endpoint.isIPv6) }
        return result
    }

    /// One result for each chain of each contacted address; only this result if one chain of one address was requested. If the
    /// search for other chains failed, its error is the last result of the address.
    package var parts: [FetchResult] { perAddress.flatMap(\.perChain) }

    private var perAddress: [FetchResult] {
        guard !addresses.isEmpty else { return [self] }
        return addresses.enumerated().map { offset, address in
            var result = FetchResult(index: index, target: target, outcome: address.outcome)
            result.part = Part(number: offset + 1, count: addresses.count, endpoint: address.endpoint)
            return result
        }
    }

    private var perChain: [FetchResult] {
        guard case .success(let first) = outcome, let others = first.otherChains else { return [self] }
        let outcomes = [outcome] + others.results.map { .success($0) } + (others.failure.map { [.failure($0)] } ?? [])
        return outcomes.enumerated().map { offset, outcome in
            var result = FetchResult(index: index, target: target, outcome: outcome)
            result.part = part
            result.chainPart = ChainPart(number: offset + 1, count: outcomes.count)
            return result
        }
    }
}
