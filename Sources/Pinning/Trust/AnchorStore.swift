internal import OpenSSL

/// A trust store that contains the anchors which the chains so far needed.
final class AnchorStore {
    private let store: TrustStore
    private let parameters: VerifyParameters
    private let searchesAnchorsFirst: Bool
    private let load: @Sendable () -> TrustAnchors?
    private lazy var lookup = load().map { AnchorLookup($0) }

    /// - Parameters:
    ///   - hashedDirectories: folders in which OpenSSL looks up issuers.
    ///   - anchorsFirst: whether the anchors are searched before the folders. Otherwise they are needed only for a chain that is
    ///     not valid without them.
    ///   - anchors: returns the anchors.
    init(
        hashedDirectories: [String] = [], anchorsFirst: Bool = false,
        anchors: @escaping @Sendable () -> TrustAnchors?, parameters: VerifyParameters
    ) throws(OpenSSLError) {
        store = try TrustStore()
        for path in hashedDirectories { try store.addHashedDirectory(path) }
        searchesAnchorsFirst = anchorsFirst || hashedDirectories.isEmpty
        load = anchors
        self.parameters = parameters
    }

    /// - Parameter certificates: those of `served`.
    func verify(_ served: borrowing PeerChain, _ certificates: [Certificate]) -> VerifyResult {
        if searchesAnchorsFirst { lookup?.add(issuersOf: certificates, to: store) }
        var result = served.verify(against: store, parameters: parameters)
        for comparison in AnchorLookup.Comparison.allCases where result.failure != nil {
            guard lookup?.add(issuersOf: certificates, to: store, comparing: comparison) ?? false else { continue }
            result = served.verify(against: store, parameters: parameters)
        }
        return result
    }
}
