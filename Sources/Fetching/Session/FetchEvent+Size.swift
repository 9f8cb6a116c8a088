internal import Pinning

extension FetchEvent {
    /// Size of the certificates and other bytes of servers, for limits of memory.
    var size: Int { if case .result(let result) = self { result.size } else { 0 } }
}

extension FetchResult {
    /// Size of the certificates and other bytes of servers, for limits of memory. Certificates that occur several times count several
    /// times, although they may be in memory once.
    package var size: Int {
        addresses.isEmpty ? Self.size(of: outcome) : addresses.reduce(0) { $0 + Self.size(of: $1.outcome) }
    }

    private static func size(of outcome: Result<HandshakeResult, FetchError>) -> Int {
        switch outcome {
        case .success(let handshake): handshake.size
        case .failure(let error): error.size
        }
    }
}

extension HandshakeResult {
    /// Size of the certificates and other bytes of the server, for limits of memory.
    package var size: Int {
        var size = chain.certificateSize + (stapledResponse?.count ?? 0)
        size += servedCertificates.reduce(0) { $0 + $1.der.count }
        size += (clientCertificate?.authorities ?? []).reduce(0) { $0 + $1.count }
        for case .success(let certificates) in issuerFetches.map(\.outcome) {
            size += certificates.reduce(0) { $0 + $1.der.count }
        }
        guard let otherChains else { return size }
        return otherChains.results.reduce(size + (otherChains.failure?.size ?? 0)) { $0 + $1.size }
    }
}

extension FetchError {
    fileprivate var size: Int {
        switch self {
        case .alertAfterCertificate(_, _, let certificates), .wrongKey(_, _, let certificates):
            certificates.reduce(0) { $0 + $1.der.count }
        case .proxy(_, let error), .throughProxy(_, _, _, let error), .keyTypes(_, let error): error.size
        default: 0
        }
    }
}
