package import OpenSSL

/// Builds the path from a leaf to a trust anchor and validates it.
///
/// One validator can validate many chains, one after another, and keeps the anchors that it decoded. Only one thread may use it.
package final class ChainValidator {
    /// The anchors that the user named. A chain may end in any of them, self-signed or not.
    private let named: AnchorStore?
    /// The anchors of ``named``.
    private let namedAnchors: TrustAnchors?
    /// The system's anchors. A chain can end in one of them only if it is self-signed, or if its trust settings trust it for
    /// servers.
    private let system: AnchorStore?

    private let findsAllPaths: Bool
    private let maximumEffort: Duration
    private let recentChains = RecentChains()
    private var recentCertificates = RecentCertificates()

    /// - Parameters:
    ///   - time: the moment to validate at; nil for now.
    ///   - findsAllPaths: whether to search all valid paths of each valid chain.
    package convenience init(
        _ source: TrustSource, at time: Timestamp? = nil, findingAllPaths findsAllPaths: Bool = false
    ) throws(OpenSSLError) {
        try self.init(
            source, at: time, findingAllPaths: findsAllPaths, maximumEffort: ValidationEffort.maximum)
    }

    /// - Parameter maximumEffort: the processor time after which no other path of a chain is tried.
    init(
        _ source: TrustSource, at time: Timestamp?, findingAllPaths findsAllPaths: Bool, maximumEffort: Duration
    ) throws(OpenSSLError) {
        self.findsAllPaths = findsAllPaths
        self.maximumEffort = maximumEffort
        var parameters = VerifyParameters()
        parameters.secondsSince1970 = time?.secondsSince1970
        system =
            source.anchors != nil && !source.hasSystemAnchors
            ? nil
            : try AnchorStore(
                hashedDirectories: source.hashedDirectories, anchors: source.bundle ?? { nil },
                haveTrustSettings: source.bundleHasTrustSettings, prefersBundle: source.prefersBundle,
                parameters: parameters
            )
        parameters.acceptsAnyAnchor = true
        namedAnchors = source.anchors
        if let anchors = source.anchors {
            named = try AnchorStore(anchors: { anchors }, parameters: parameters)
        } else {
            named = nil
        }
    }

    /// Validates a chain.
    ///
    /// - Parameters:
    ///   - served: the certificates in the server's order.
    ///   - identity: the host that the leaf must be valid for; nil to check no name.
    ///   - fetched: the certificates among `served` that the server did not send.
    /// - Throws: ``CertificateError`` for a served certificate that is not DER, although OpenSSL decodes it.
    package func validate(
        _ served: borrowing PeerChain, for identity: ServerIdentity?, fetched: [Certificate] = []
    ) throws(CertificateError) -> CertificateChain {
        let certificates = try recentCertificates.certificates(of: served.certificates)
        let isMatch = identity.map { Self.leaf(of: served, isFor: $0) } ?? true
        return try validate(served, certificates, for: identity, isMatch: isMatch, fetched: fetched)
    }

    /// Validates a chain in DER. A recent chain is not decoded again, because servers of one operator often send the same chain.
    ///
    /// - Parameters:
    ///   - der: the certificates in the server's order, at least one.
    ///   - identity: the host that the leaf must be valid for; nil to check no name.
    /// - Throws: if a certificate cannot be decoded.
    package func validate(der: [[UInt8]], for identity: ServerIdentity?) throws -> CertificateChain {
        let chain = try recentChains.chain(of: der)
        let isMatch = identity.map { Self.leaf(of: chain, isFor: $0) } ?? true
        return try validate(chain.served, chain.certificates, for: identity, isMatch: isMatch, fetched: [])
    }

    /// - Parameter isMatch: whether the leaf is valid for the host.
    private func validate(
        _ served: borrowing PeerChain, _ certificates: [Certificate], for identity: ServerIdentity?, isMatch: Bool,
        fetched: [Certificate]
    ) throws(CertificateError) -> CertificateChain {
        var host: String?
        if case .name(let name) = identity, isMatch { host = name }
        let path = try validPath(served, certificates, for: host)
        var failures = path.failure.map { [$0] } ?? []
        if let identity, let leaf = certificates.first, !isMatch {
            failures.append(.nameMismatch(leaf, expected: identity.text))
        }
        var chain = CertificateChain(
            path: path.certificates, served: certificates.filter { !fetched.contains($0) }, fetched: fetched,
            failures: failures)
        chain.detour = chain.isTrusted ? path.detour : nil
        if findsAllPaths {
            chain.validPaths = validPaths(of: chain, certificates, fetched: fetched, for: host)
        }
        return chain
    }

    private func validPaths(
        of chain: CertificateChain, _ served: [Certificate], fetched: [Certificate], for host: String?
    ) -> ValidPaths {
        guard chain.isTrusted else { return ValidPaths(paths: [], builtCount: 0, isComplete: true) }
        var paths = [chain.entries.map(\.certificate)]
        var unbuilt: [[Certificate]] = []
        var isComplete = true
        let effort = ValidationEffort(maximumEffort)
        for store in [named, system].compactMap(\.self) {
            var enumeration = PathEnumeration(served, for: host, in: store, within: effort)
            enumeration.run()
            isComplete = isComplete && enumeration.isComplete
            for path in enumeration.paths where !paths.contains(path) && systemRejection(in: path) == nil {
                paths.append(path)
            }
            for path in enumeration.unbuiltPaths where !unbuilt.contains(path) && systemRejection(in: path) == nil {
                unbuilt.append(path)
            }
        }
        // A path through an anchor of one store can go on to an anchor of the other.
        let longest = paths.filter { path in !paths.contains { $0.count > path.count && $0.starts(with: path) } }
        let others = unbuilt.filter { path in !(paths + unbuilt).contains { $0 != path && $0.starts(with: path) } }
        return ValidPaths(
            paths: (longest + others).map { path in
                CertificateChain.entries(
                    of: path, served: served.filter { !fetched.contains($0) }, fetched: fetched, isValid: true)
            },
            builtCount: longest.count, isComplete: isComplete)
    }

    private static func leaf(of chain: borrowing PeerChain, isFor identity: ServerIdentity) -> Bool {
        switch identity {
        case .name(let name): chain.leafMatches(name: name)
        case .address(let text): chain.leafMatches(ipAddress: text)
        }
    }

    private static func leaf(of chain: RecentChains.Chain, isFor identity: ServerIdentity) -> Bool {
        guard case .address(let text) = identity, let address = IPAddress(text) else {
            return leaf(of: chain.served, isFor: identity)
        }
        return chain.addresses.contains(address.bytes)
    }

    /// Validates the chain with the named anchors. If that fails, also validates it with the system's anchors.
    ///
    /// The two are separate stores, because a chain may end in any named certificate, but not in any certificate of the system's
    /// store.
    private func validPath(
        _ served: borrowing PeerChain, _ certificates: [Certificate], for host: String?
    ) throws(CertificateError) -> ValidatedPath {
        guard let named else {
            // The initializer creates at least one of the two stores.
            return try system?.validate(served, certificates, for: host, within: maximumEffort)
                ?? ValidatedPath(certificates: certificates, failure: .other(TrustFailure.internalFailure))
        }
        var path = try named.validate(served, certificates, for: host, within: maximumEffort)
        guard let system else { return path }
        if path.failure == nil {
            path = ValidatedPath(
                certificates: path.certificates, failure: systemRejection(in: path.certificates),
                detour: path.detour)
        }
        guard let failure = path.failure else { return path }
        // The trust settings of a named certificate take precedence over the system's.
        if case .distrusted = failure { return path }
        let other = try system.validate(served, certificates, for: host, within: maximumEffort)
        // If the chain ends in a named anchor but has another defect, that defect is the reason to report.
        return other.failure == nil || failure.isUnknownAnchor ? other : path
    }

    /// The failure of a path of which the trust settings of the system's store reject a certificate that the user did not name.
    private func systemRejection(in path: [Certificate]) -> TrustFailure? {
        guard let system, let namedAnchors else { return nil }
        for (position, certificate) in path.enumerated() {
            if !namedAnchors.contains(certificate), system.rejects(certificate) {
                return .distrusted(certificate, position: position)
            }
        }
        return nil
    }
}
