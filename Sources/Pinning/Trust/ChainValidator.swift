package import OpenSSL

/// Builds the path from a leaf to a trust anchor and validates it.
///
/// A validator is used for many chains, one after another, because it keeps the anchors that it decoded. It must be used by one
/// thread only.
package final class ChainValidator {
    /// The anchors that were named. A chain may end in any of them, self-signed or not.
    private let named: AnchorStore?
    /// The system's anchors. A chain ends only in one that is self-signed, or that its trust settings trust for servers.
    private let system: AnchorStore?

    /// - Parameter time: the moment to validate at; nil for now.
    package init(_ source: TrustSource, at time: Timestamp? = nil) throws(OpenSSLError) {
        var parameters = VerifyParameters()
        parameters.secondsSince1970 = time?.secondsSince1970
        system =
            source.anchors != nil && !source.hasSystemAnchors
            ? nil
            : try AnchorStore(
                hashedDirectories: source.hashedDirectories, anchors: source.bundle ?? { nil }, parameters: parameters
            )
        parameters.acceptsAnyAnchor = true
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
    /// - Throws: ``CertificateError`` for a served certificate that is not DER, although OpenSSL decodes it.
    package func validate(_ served: borrowing PeerChain, for identity: ServerIdentity?) throws(CertificateError)
        -> CertificateChain
    {
        var certificates: [Certificate] = []
        for der in served.certificates { certificates.append(try Certificate(der: der)) }
        let result = verify(served, certificates)
        var path: [Certificate] = []
        for der in result.path { path.append(try Certificate(der: der)) }
        if path.isEmpty { path = certificates }
        var failures = result.failure.map { [TrustFailure($0, in: path)] } ?? []
        if let identity, let leaf = certificates.first, !Self.leaf(of: served, isFor: identity) {
            failures.append(.nameMismatch(leaf, expected: identity.text))
        }
        return CertificateChain(path: path, served: certificates, failures: failures)
    }

    private static func leaf(of chain: borrowing PeerChain, isFor identity: ServerIdentity) -> Bool {
        switch identity {
        case .name(let name): chain.leafMatches(name: name)
        case .address(let text): chain.leafMatches(ipAddress: text)
        }
    }

    /// Validates to the named anchors, and to the system's anchors if no named one ends the chain.
    ///
    /// The two are separate stores, because a chain may end in any certificate that was named, but not in any certificate that
    /// the system's store contains.
    private func verify(_ served: borrowing PeerChain, _ certificates: [Certificate]) -> VerifyResult {
        guard let result = named?.verify(served, certificates) else {
            return system?.verify(served, certificates) ?? .internalFailure
        }
        // The trust settings of a named certificate take precedence over the system's.
        guard let system, let failure = result.failure, failure.kind != .distrusted else { return result }
        let other = system.verify(served, certificates)
        // If the chain ends in a named anchor but has another defect, that defect is the reason to report.
        return other.failure == nil || failure.kind.isUnknownAnchor ? other : result
    }
}

extension VerifyFailure.Kind {
    /// Whether no trust anchor was found.
    fileprivate var isUnknownAnchor: Bool {
        switch self {
        case .missingIssuer, .selfSignedLeaf, .untrustedRoot: true
        default: false
        }
    }
}
