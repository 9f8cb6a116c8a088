package import Fetching
package import Pinning

/// The handshake result of one address of a target.
package struct AddressHandshake {
    package let target: Target
    /// Nil if name resolution failed.
    package let endpoint: Endpoint?
    package private(set) var result: Result<HandshakeResult, FetchError>

    package var chain: CertificateChain? { try? result.get().chain }
    /// The other chains of the address; nil if they were not searched.
    package var otherChains: OtherChains? { try? result.get().otherChains }
    /// Whether nothing authenticated the handshake (``HandshakeResult/isUnfinished``).
    package var isUnfinished: Bool { (try? result.get().isUnfinished) == true }
    /// The URL of the proxy, without its credential; nil for a direct connection.
    package var proxy: String? {
        switch result {
        case .success(let handshake): handshake.proxy
        case .failure(let error): error.proxy
        }
    }
    package var name: String { endpoint?.description ?? target.description }

    /// Replaces the chain and the other chains of the address.
    package mutating func mapChains(_ transform: (CertificateChain) -> CertificateChain) {
        result = result.map { $0.mapChains(transform) }
    }

    /// Whether this machine has no route to the address.
    private var isUnroutable: Bool { if case .failure(let error) = result { error.isUnroutable } else { false } }

    /// The results of all addresses of a target.
    ///
    /// - Returns: The addresses that were contacted, and those that were skipped. An address is skipped if this machine has a route
    ///   to no address of its family but to an address of the other family. Any other address without a route counts as contacted,
    ///   because a router or a shortage of local ports may hide one of several servers.
    package static func all(of result: FetchResult) -> (contacted: [AddressHandshake], skipped: [AddressHandshake]) {
        let addresses = result.addresses.map {
            AddressHandshake(target: result.target, endpoint: $0.endpoint, result: $0.outcome)
        }
        guard !addresses.isEmpty else {
            return ([AddressHandshake(target: result.target, endpoint: nil, result: result.outcome)], [])
        }
        let routable = Set(addresses.filter { !$0.isUnroutable }.compactMap(\.endpoint?.isIPv6))
        guard !routable.isEmpty else { return (addresses, []) }
        func isSkipped(_ address: AddressHandshake) -> Bool {
            address.endpoint.map { !routable.contains($0.isIPv6) } ?? false
        }
        return (addresses.filter { !isSkipped($0) }, addresses.filter(isSkipped))
    }
}
