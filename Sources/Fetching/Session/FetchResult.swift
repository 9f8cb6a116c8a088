/// The outcome of one target: a certificate chain or an error.
package struct FetchResult: Sendable {
    /// Position of the target in the run's input, from 0.
    package let index: Int
    package let target: Target
    package let outcome: Result<HandshakeResult, FetchError>
    /// The outcome of each address, if the run uses every address; in this case ``outcome`` is the first success among them. Empty
    /// if name resolution failed, and if the run uses only the first address that answers.
    package private(set) var addresses: [AddressResult]
    /// The address that this result is about; nil except in the results of ``perAddress``.
    package private(set) var part: Part?

    /// The position of one address among all addresses of a target.
    package struct Part: Sendable {
        /// The number of the address, from 1.
        package let number: Int
        package let count: Int
        /// The address that was connected to.
        package let endpoint: Endpoint

        package var isLast: Bool { number == count }
    }

    init(
        index: Int, target: Target, outcome: Result<HandshakeResult, FetchError>, addresses: [AddressResult] = []
    ) {
        self.index = index
        self.target = target
        self.outcome = outcome
        self.addresses = addresses
    }

    /// This result without the addresses that say nothing about the server, if another address answered. Such addresses have a
    /// family that this machine's network lacks, or are loopback addresses of a family on which the local server does not listen.
    package var withoutUnusableAddresses: FetchResult {
        guard addresses.contains(where: { $0.hasAnswered }) else { return self }
        // The families with an address that must be reported. Then an error of another address of the same family must be reported
        // too.
        let families = Set(addresses.filter { !$0.isUnroutable && !$0.isRefusedLoopback }.map(\.endpoint.isIPv6))
        var result = self
        result.addresses.removeAll { !families.contains($0.endpoint.isIPv6) }
        return result
    }

    /// One result for each address that pinctl contacted; only this result if the run does not use every address.
    package var perAddress: [FetchResult] {
        guard !addresses.isEmpty else { return [self] }
        return addresses.enumerated().map { offset, address in
            var result = FetchResult(index: index, target: target, outcome: address.outcome)
            result.part = Part(number: offset + 1, count: addresses.count, endpoint: address.endpoint)
            return result
        }
    }
}
