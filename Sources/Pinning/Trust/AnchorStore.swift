internal import Encodings
internal import OpenSSL

/// A trust store that contains only the anchors that the validated chains needed so far.
final class AnchorStore {
    private let store: TrustStore
    private let parameters: VerifyParameters
    private let hasDirectories: Bool
    private let load: @Sendable () -> TrustAnchors?
    private let haveTrustSettings: @Sendable () -> Bool
    private var hasAppliedTrustSettings = false
    private lazy var lookup = load().map { AnchorLookup($0, hasFolders: hasDirectories) }
    private var cache = ValidationCache()
    /// A number that changes when anchors are added.
    private(set) var generation = 0
    /// Whether the current validation found a path whose name constraints permit only some hosts.
    private var dependsOnHost = false

    /// - Parameters:
    ///   - hashedDirectories: folders in which OpenSSL looks up issuers.
    ///   - anchors: returns the anchors. It is called if a chain needs an anchor that is not in the folders, or if anchors have
    ///     trust settings.
    ///   - haveTrustSettings: returns whether anchors have trust settings. If there are folders, it is called before the first
    ///     chain is validated.
    init(
        hashedDirectories: [String] = [], anchors: @escaping @Sendable () -> TrustAnchors?,
        haveTrustSettings: @escaping @Sendable () -> Bool = { false }, parameters: VerifyParameters
    ) throws(OpenSSLError) {
        store = try TrustStore()
        for path in hashedDirectories { try store.addHashedDirectory(path) }
        hasDirectories = !hashedDirectories.isEmpty
        load = anchors
        self.haveTrustSettings = haveTrustSettings
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
        applyTrustSettings()
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
        if !hasDirectories { addAnchors(issuersOf: certificates, comparing: .exactly) }
        var path = try validate(served, certificates, for: host, omitting: [], parameters)
        // The first validation may read the anchors, which is not the server's work.
        let effort = ValidationEffort(maximumEffort)
        for comparison in AnchorLookup.Comparison.allCases where path.failure != nil && !effort.isSpent {
            guard addAnchors(issuersOf: certificates, comparing: comparison) else { continue }
            path = try validate(served, certificates, for: host, omitting: [], parameters)
        }
        guard path.failure != nil else { return path }
        path = try PathSearch(certificates, within: effort).run(after: path) { omitted throws(CertificateError) in
            try validate(served, certificates, for: host, omitting: omitted, parameters)
        }
        isComplete = path.failure == nil || !effort.isSpent
        return path
    }

    private func validate(
        _ served: borrowing PeerChain, _ certificates: [Certificate], for host: String?, omitting omitted: Set<Int>,
        _ parameters: VerifyParameters
    ) throws(CertificateError) -> ValidatedPath {
        let path = try verify(served, certificates, for: host, omitting: omitted, parameters)
        // If the path ends in a named intermediate, and a named root is above it, the longer path is used.
        guard parameters.acceptsAnyAnchor, path.failure == nil, path.certificates.last?.isSelfIssued == false else {
            return path
        }
        var parameters = parameters
        parameters.acceptsAnyAnchor = false
        let longer = try verify(served, certificates, for: host, omitting: omitted, parameters)
        return longer.failure == nil ? longer : path
    }

    /// Validates the path that OpenSSL chooses.
    private func verify(
        _ served: borrowing PeerChain, _ certificates: [Certificate], for host: String?, omitting omitted: Set<Int>,
        _ parameters: VerifyParameters
    ) throws(CertificateError) -> ValidatedPath {
        let path = try verify(served, certificates, omitting: omitted, parameters)
        guard path.failure == nil else { return path }
        if path.certificates.dropFirst().contains(where: { (try? NameConstraints(of: $0)) != nil }) {
            dependsOnHost = true
        }
        return ValidatedPath(
            certificates: path.certificates, failure: TrustFailure(nameConstraintsOf: path.certificates, for: host))
    }

    /// Validates without regard to a host.
    private func verify(
        _ served: borrowing PeerChain, _ certificates: [Certificate], omitting omitted: Set<Int>,
        _ parameters: VerifyParameters
    ) throws(CertificateError) -> ValidatedPath {
        let result = served.verify(against: store, parameters: parameters, omitting: omitted)
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
    ///
    /// - Parameter certificate: the certificate that has the name as subject or as issuer.
    func anchors(
        named name: ArraySlice<UInt8>, for certificate: Certificate
    ) throws(CertificateError) -> [TrustAnchor] {
        applyTrustSettings()
        for comparison in AnchorLookup.Comparison.allCases {
            addAnchors(issuersOf: [certificate], comparing: comparison)
        }
        return storedAnchors(named: name)
    }

    /// The anchors with a name in the store and its folders.
    private func storedAnchors(named name: ArraySlice<UInt8>) -> [TrustAnchor] {
        store.certificates(named: name).compactMap { bytes in
            var reader = DERReader(bytes)
            guard let end = try? reader.next(.sequence).range.upperBound,
                let certificate = try? Certificate(der: Array(bytes[..<end]))
            else { return nil }
            return (try? TrustAnchor(certificate, trustSettings: Array(bytes[end...]))) ?? .rejected(certificate)
        }
    }

    /// Whether trust settings of this store reject a certificate for TLS servers.
    func rejects(_ certificate: Certificate) -> Bool {
        guard hasDirectories || haveTrustSettings() else { return false }
        addAnchorsWithTrustSettings()
        store.addRejectedCopies(named: certificate.subjectName)
        return storedAnchors(named: certificate.subjectName).contains {
            $0.certificate == certificate && $0.rejectsServers
        }
    }

    /// Whether OpenSSL accepts exactly this path, with its last certificate as the only anchor.
    ///
    /// - Parameter host: a DNS name that the name constraints of the path must permit; nil to check none.
    func isValid(
        _ path: [Certificate], endingIn anchor: TrustAnchor, for host: String?
    ) throws(CertificateError) -> Bool {
        // The trust settings of the store also apply to the certificates below the anchor.
        var settings: [TrustAnchor] = []
        for certificate in path.dropLast() {
            settings += try anchors(named: certificate.subjectName, for: certificate)
                .filter { $0.certificate == certificate && !$0.trustSettings.isEmpty }
        }
        let below = path.count == 1 ? path : Array(path.dropLast())
        do throws(OpenSSLError) {
            let only = try TrustStore()
            for anchor in [anchor] + settings {
                try only.add(anchor.certificate.der, trustSettings: anchor.trustSettings)
            }
            guard let peers = try PeerChain.saved(below.map(\.der)) else { return false }
            let result = peers.verify(against: only, parameters: parameters)
            return result.failure == nil && result.path == path.map(\.der)
                && TrustFailure(nameConstraintsOf: path, for: host) == nil
        } catch {
            return false
        }
    }

    /// Adds the anchors with trust settings before OpenSSL finds copies without settings in the folders, because OpenSSL keeps the
    /// first copy.
    private func applyTrustSettings() { if hasDirectories { addAnchorsWithTrustSettings() } }

    private func addAnchorsWithTrustSettings() {
        guard !hasAppliedTrustSettings else { return }
        hasAppliedTrustSettings = true
        guard haveTrustSettings() else { return }
        lookup?.addAnchorsWithTrustSettings(to: store)
        cache.removeAll()
    }

    /// - Returns: whether an anchor was added.
    @discardableResult
    private func addAnchors(issuersOf certificates: [Certificate], comparing comparison: AnchorLookup.Comparison)
        -> Bool
    {
        let hasMore = lookup?.add(issuersOf: certificates, to: store, comparing: comparison) ?? false
        if hasMore {
            cache.removeAll()
            generation += 1
        }
        return hasMore
    }
}
