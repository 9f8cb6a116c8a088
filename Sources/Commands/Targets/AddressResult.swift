internal import Fetching
internal import Pinning

/// The handshake result of one address of a target.
struct AddressResult {
    let target: Target
    /// Nil where name resolution failed.
    let endpoint: Endpoint?
    let result: Result<HandshakeResult, FetchError>

    var chain: Chain? { try? result.get().chain }
    var name: String { endpoint?.description ?? target.description }

    /// The results of all addresses of a target. One to which this machine has no way is left out where another answered: most
    /// networks still lack one of the two families.
    static func all(of result: FetchResult) -> [AddressResult] {
        let addresses = result.addresses.map {
            AddressResult(target: result.target, endpoint: $0.endpoint, result: $0.outcome)
        }
        let routable = addresses.filter { address in
            if case .failure(let error) = address.result { !error.isUnroutable } else { true }
        }
        guard routable.isEmpty else { return routable }
        guard addresses.isEmpty else { return addresses }
        return [AddressResult(target: result.target, endpoint: nil, result: result.outcome)]
    }
}
