package import OpenSSL

/// Builds the path from a leaf to a trust anchor and says whether it holds.
///
/// One judge serves many chains, one after another: what it decoded for one it has at hand for the next. It belongs to
/// one thread.
package final class ChainJudge {
    private let store: TrustStore
    private let source: TrustSource
    private let parameters: VerifyParameters
    private let anchors: AnchorLookup?
    private lazy var bundle = source.bundle().map { AnchorLookup($0) }

    /// - Parameter time: the moment to validate at; nil for now.
    package init(_ source: TrustSource, at time: Timestamp? = nil) throws(OpenSSLError) {
        store = try TrustStore()
        for path in source.hashedDirectories { try store.addHashedDirectory(path) }
        self.source = source
        anchors = source.anchors.map { AnchorLookup($0) }
        var parameters = VerifyParameters()
        parameters.secondsSince1970 = time?.secondsSince1970
        // Whoever names an anchor means it, whether it signed itself or not.
        parameters.acceptsAnyAnchor = source.anchors != nil
        self.parameters = parameters
    }

    /// - Parameters:
    ///   - served: the certificates as the server sent them.
    ///   - identity: whom the leaf must be for; nil checks no name.
    /// - Throws: ``CertificateError`` for a served certificate that is no DER, though OpenSSL read it.
    package func judge(_ served: borrowing PeerChain, for identity: ServerIdentity?) throws(CertificateError) -> Chain {
        var certificates: [Certificate] = []
        for der in served.certificates { certificates.append(try Certificate(der: der)) }
        anchors?.add(issuersOf: certificates, to: store)
        var result = served.verify(against: store, parameters: parameters)
        for effort in Effort.allCases where result.failure != nil {
            guard add(for: certificates, effort) else { continue }
            result = served.verify(against: store, parameters: parameters)
        }
        var path: [Certificate] = []
        for der in result.path { path.append(try Certificate(der: der)) }
        if path.isEmpty { path = certificates }
        var failures = result.failure.map { [TrustFailure($0, in: path)] } ?? []
        if let identity, let leaf = certificates.first, !Self.leaf(of: served, isFor: identity) {
            failures.append(.nameMismatch(leaf, expected: identity.text))
        }
        return Chain(path: path, served: certificates, failures: failures)
    }

    private static func leaf(of chain: borrowing PeerChain, isFor identity: ServerIdentity) -> Bool {
        switch identity {
        case .name(let name): chain.leafMatches(name: name)
        case .address(let text): chain.leafMatches(ipAddress: text)
        }
    }

    /// Where to look when a chain does not validate by what the store holds, the cheaper first.
    private enum Effort: CaseIterable {
        case bundle, otherSpellings
    }

    /// - Returns: whether the store holds more than before.
    private func add(for certificates: [Certificate], _ effort: Effort) -> Bool {
        switch effort {
        case .bundle:
            return bundle?.add(issuersOf: certificates, to: store) ?? false
        case .otherSpellings:
            var hasMore = false
            for lookup in [anchors, bundle] {
                if lookup?.add(issuersOf: certificates, to: store, comparing: .canonically) ?? false { hasMore = true }
            }
            return hasMore
        }
    }
}
