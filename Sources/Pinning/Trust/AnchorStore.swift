internal import Encodings
internal import OpenSSL

/// Validates chains with the anchors of folders and of a bundle.
///
/// The result for a chain does not depend on the chains that were validated before.
final class AnchorStore {
    private let parameters: VerifyParameters
    private let hasFolders: Bool
    private let prefersBundle: Bool
    private let lookup: AnchorLookup
    private var stores: PreparedStores
    private var cache = ValidationCache()
    /// Whether the current validation found a path whose name constraints permit only some hosts.
    private var dependsOnHost = false

    /// - Parameters:
    ///   - hashedDirectories: folders in which OpenSSL looks up issuers.
    ///   - anchors: returns the anchors. It is called if a chain needs an anchor that is not in the folders, or if anchors have
    ///     trust settings.
    ///   - haveTrustSettings: returns whether anchors have trust settings. If there are folders, it is called before the first
    ///     chain is validated.
    ///   - prefersBundle: whether the bundle and the folders can contain different CAs with one name.
    init(
        hashedDirectories: [String] = [], anchors: @escaping @Sendable () -> TrustAnchors?,
        haveTrustSettings: @escaping @Sendable () -> Bool = { false }, prefersBundle: Bool = false,
        parameters: VerifyParameters
    ) throws(OpenSSLError) {
        hasFolders = !hashedDirectories.isEmpty
        self.prefersBundle = prefersBundle && hasFolders
        lookup = AnchorLookup(folders: hashedDirectories, bundle: anchors, haveTrustSettings: haveTrustSettings)
        stores = try PreparedStores(lookup)
        self.parameters = parameters
    }

    /// - Parameters:
    ///   - certificates: those of `served`.
    ///   - host: a DNS name that the leaf is valid for, and that the name constraints of the path must permit; nil to skip this
    ///     check.
    ///   - maximumEffort: the processor time after which no other path than the first is tried.
    func validate(
        _ served: borrowing PeerChain, _ certificates: [Certificate], for host: String?, within maximumEffort: Duration
    ) throws(CertificateError) -> ValidatedPath {
        var parameters = parameters
        let moment = parameters.secondsSince1970 ?? SystemTime.secondsSince1970
        parameters.secondsSince1970 = moment
        if let known = cache.result(for: certificates, host: host, at: moment) { return known }
        dependsOnHost = false
        var isComplete = true
        let path = try search(served, certificates, for: host, within: maximumEffort, parameters, &isComplete)
        guard isComplete else { return path }
        cache.add(path, for: certificates, host: dependsOnHost ? .only(host) : .any, at: moment)
        return path
    }

    /// - Parameter isComplete: becomes false if the effort ended the search.
    private func search(
        _ served: borrowing PeerChain, _ certificates: [Certificate], for host: String?, within maximumEffort: Duration,
        _ parameters: VerifyParameters, _ isComplete: inout Bool
    ) throws(CertificateError) -> ValidatedPath {
        let first: AnchorLookup.Sources = prefersBundle ? .bundleFirst : hasFolders ? .folders : .sameBytes
        var store = stores.store(for: certificates, in: first)
        var path = try validate(served, certificates, for: host, in: store, omitting: [], parameters)
        guard path.failure != nil else { return path }
        // Before the effort begins, because reading a bundle is not the server's work.
        let larger = AnchorLookup.Sources.ascending.map { stores.store(for: certificates, in: $0) }
        let effort = ValidationEffort(maximumEffort)
        for next in larger where path.failure != nil && next.count > store.count && !effort.isSpent {
            store = next
            path = try validate(served, certificates, for: host, in: store, omitting: [], parameters)
        }
        // OpenSSL would have read the same anchors in the first place, unless it prefers those of the bundle.
        if prefersBundle, path.failure == nil { path.detour = .trustAnchor }
        guard path.failure != nil else { return path }
        path = try PathSearch(certificates, within: effort).run(after: path) { omitted throws(CertificateError) in
            try validate(served, certificates, for: host, in: store, omitting: omitted, parameters)
        }
        if path.failure == nil { path.detour = .servedCertificate }
        if path.failure != nil, let other = alternative(to: path, certificates, for: host, within: effort) {
            path = other
        }
        isComplete = path.failure == nil || !effort.isSpent
        return path
    }

    /// A valid path, if a CA of the failed path has several anchors with its name, one that is an intermediate, or one for which the server
    /// sent another certificate. Without key identifiers, OpenSSL takes the first anchor, which may have another key, and it prefers an
    /// anchor that has expired or has another defect to a certificate of the server.
    private func alternative(
        to path: ValidatedPath, _ certificates: [Certificate], for host: String?, within effort: ValidationEffort
    ) -> ValidatedPath? {
        let hasOthers = path.certificates.contains { certificate in
            let named = anchors(named: certificate.issuerName)
            return named.count > 1
                || named.contains { anchor in
                    !anchor.certificate.isSelfIssued
                        || certificates.contains { anchor.certificate.hasSameKeyAndName(as: $0) }
                }
        }
        guard hasOthers else { return nil }
        var enumeration = PathEnumeration(certificates, for: host, in: self, within: effort, maximum: 1)
        enumeration.run()
        guard let found = enumeration.paths.first else { return nil }
        if found.dropFirst().contains(where: { (try? NameConstraints(of: $0)) != nil }) { dependsOnHost = true }
        return ValidatedPath(certificates: found, failure: nil, detour: .trustAnchor)
    }

    private func validate(
        _ served: borrowing PeerChain, _ certificates: [Certificate], for host: String?,
        in store: PreparedStores.Store, omitting omitted: Set<Int>, _ parameters: VerifyParameters
    ) throws(CertificateError) -> ValidatedPath {
        let path = try verify(served, certificates, for: host, in: store, omitting: omitted, parameters)
        // If the path ends in a named intermediate, and a named root is above it, the longer path is used.
        guard parameters.acceptsAnyAnchor, path.failure == nil, path.certificates.last?.isSelfIssued == false else {
            return path
        }
        var parameters = parameters
        parameters.acceptsAnyAnchor = false
        let longer = try verify(served, certificates, for: host, in: store, omitting: omitted, parameters)
        return longer.failure == nil ? longer : path
    }

    /// Validates the path that OpenSSL chooses.
    private func verify(
        _ served: borrowing PeerChain, _ certificates: [Certificate], for host: String?,
        in store: PreparedStores.Store, omitting omitted: Set<Int>, _ parameters: VerifyParameters
    ) throws(CertificateError) -> ValidatedPath {
        let path = try verify(served, certificates, in: store, omitting: omitted, parameters)
        guard path.failure == nil else { return path }
        if path.certificates.dropFirst().contains(where: { (try? NameConstraints(of: $0)) != nil }) {
            dependsOnHost = true
        }
        return ValidatedPath(
            certificates: path.certificates, failure: TrustFailure(nameConstraintsOf: path.certificates, for: host))
    }

    /// Validates without regard to a host.
    private func verify(
        _ served: borrowing PeerChain, _ certificates: [Certificate], in store: PreparedStores.Store,
        omitting omitted: Set<Int>, _ parameters: VerifyParameters
    ) throws(CertificateError) -> ValidatedPath {
        let result = served.verify(against: store.trustStore, parameters: parameters, omitting: omitted)
        var path: [Certificate] = []
        for der in result.path {
            // Later comparisons of the path with the served certificates are faster if both have the same objects.
            let served = certificates.first { $0.der.hasSameBytes(as: der) }
            if let served { path.append(served) } else { path.append(try Certificate(der: der)) }
        }
        if path.isEmpty { path = certificates }
        return ValidatedPath(certificates: path, failure: result.failure.map { TrustFailure($0, in: path) })
    }

    // MARK: All paths

    /// The anchors with a name.
    func anchors(named name: ArraySlice<UInt8>) -> [TrustAnchor] {
        lookup.anchors(named: name, in: .sameName).map(\.anchor)
    }

    /// Whether trust settings of this store reject a certificate for TLS servers.
    func rejects(_ certificate: Certificate) -> Bool {
        lookup.anchors(named: certificate.subjectName, in: .folders).contains {
            $0.anchor.certificate == certificate && $0.anchor.rejectsServers
        }
    }

    enum Verdict {
        /// OpenSSL accepts exactly this path.
        case valid
        /// OpenSSL does not build it, because of key identifiers. Otherwise it is valid: its signatures and dates, and the rights of its CAs.
        case unbuilt
        case invalid
    }

    /// Validates a path with its last certificate as the only anchor.
    ///
    /// - Parameter host: a DNS name that the name constraints of the path must permit; nil to check none.
    func verdict(on path: [Certificate], endingIn anchor: TrustAnchor, for host: String?) -> Verdict {
        // A rejection in the store also applies to the certificates below the anchor. Settings that trust one would end the path there.
        let settings = path.dropLast().flatMap { certificate in
            anchors(named: certificate.subjectName).filter { $0.certificate == certificate && $0.rejectsServers }
        }
        let below = path.count == 1 ? path : Array(path.dropLast())
        do throws(OpenSSLError) {
            let only = try TrustStore()
            for anchor in [anchor] + settings {
                try only.add(TrustedCertificate(anchor.certificate.der, trustSettings: anchor.trustSettings))
            }
            guard let peers = try PeerChain.saved(below.map(\.der)) else { return .invalid }
            let result = peers.verify(against: only, parameters: parameters)
            guard TrustFailure(nameConstraintsOf: path, for: host) == nil else { return .invalid }
            let isThisPath = result.path == path.map(\.der)
            if isThisPath, result.failure == nil { return .valid }
            let isRejected = anchor.rejectsServers || !settings.isEmpty
            let now = parameters.secondsSince1970 ?? SystemTime.secondsSince1970
            guard !isThisPath, result.failure != nil, !isRejected, IssuedPath.isIssued(path.map(\.der), at: now) else {
                return .invalid
            }
            return .unbuilt
        } catch {
            return .invalid
        }
    }
}

extension Certificate {
    /// Whether another certificate is for the same CA.
    fileprivate func hasSameKeyAndName(as other: Certificate) -> Bool {
        self != other && subjectName == other.subjectName && pin == other.pin
    }
}
