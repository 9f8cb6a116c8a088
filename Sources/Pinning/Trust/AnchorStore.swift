internal import OpenSSL

/// A trust store that contains the anchors which the chains so far needed.
final class AnchorStore {
    private let store: TrustStore
    private let parameters: VerifyParameters
    private let hasDirectories: Bool
    private let load: @Sendable () -> TrustAnchors?
    private lazy var lookup = load().map { AnchorLookup($0) }

    /// - Parameters:
    ///   - hashedDirectories: folders in which OpenSSL looks up issuers.
    ///   - anchors: called when a chain needs an anchor that is not in the folders.
    init(
        hashedDirectories: [String] = [], anchors: @escaping @Sendable () -> TrustAnchors?, parameters: VerifyParameters
    ) throws(OpenSSLError) {
        store = try TrustStore()
        for path in hashedDirectories { try store.addHashedDirectory(path) }
        hasDirectories = !hashedDirectories.isEmpty
        load = anchors
        self.parameters = parameters
    }

    /// - Parameter certificates: those of `served`.
    func verify(_ served: borrowing PeerChain, _ certificates: [Certificate]) -> VerifyResult {
        if !hasDirectories { lookup?.add(issuersOf: certificates, to: store) }
        var result = served.verify(against: store, parameters: parameters)
        for comparison in AnchorLookup.Comparison.allCases where result.failure != nil {
            guard lookup?.add(issuersOf: certificates, to: store, comparing: comparison) ?? false else { continue }
            result = served.verify(against: store, parameters: parameters)
        }
        return result
    }
}
