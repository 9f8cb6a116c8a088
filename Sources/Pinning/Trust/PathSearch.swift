internal import OpenSSL

/// Searches the served certificates for a valid path, because OpenSSL tries only one.
///
/// A server may send two certificates of one CA, for example while it migrates to another root. OpenSSL chooses the first one that
/// has the name and the key of the issuer. If that one leads to no anchor, OpenSSL rejects the chain, although the other one leads
/// to an anchor. So for each certificate of the failed path, the search validates the chain again without that certificate. It
/// continues with the new paths in the same way; paths with fewer omissions come first.
struct PathSearch: ~Copyable {
    /// Maximum number of paths.
    static let maximumPaths = 16
    /// Maximum of the number of paths multiplied by the number of served certificates, because OpenSSL compares all of them for
    /// each path.
    static let maximumCertificates = 1600

    private let maximum: Int
    private let certificates: [Certificate]
    private let effort: ValidationEffort
    private var queue: [Set<Int>] = []
    private var seen: Set<Set<Int>> = [[]]

    /// - Parameter certificates: the served certificates, leaf first.
    init(_ certificates: [Certificate], within effort: ValidationEffort) {
        self.certificates = certificates
        self.effort = effort
        maximum = min(Self.maximumPaths, Self.maximumCertificates / max(1, certificates.count))
    }

    /// - Parameters:
    ///   - first: the path that OpenSSL chooses.
    ///   - validate: validates the chain, omitting the served certificates at these positions.
    /// - Returns: the first valid path. If no path is valid, the first one that ends in a trust anchor, because its failure is the
    ///   one to fix. If there is no such path either, `first`.
    consuming func run(
        after first: ValidatedPath, _ validate: (Set<Int>) throws(CertificateError) -> ValidatedPath
    ) throws(CertificateError) -> ValidatedPath {
        guard var failure = first.failure, !failure.isIndependentOfThePath else { return first }
        var best = first
        addPaths(besides: first, without: [])
        var count = 1
        var next = queue.startIndex
        while count < maximum, queue.indices.contains(next), !effort.isSpent {
            let omitted = queue[next]
            next += 1
            count += 1
            let path = try validate(omitted)
            guard let other = path.failure, !other.isIndependentOfThePath else { return path }
            if failure.isUnknownAnchor, !other.isUnknownAnchor { (best, failure) = (path, other) }
            addPaths(besides: path, without: omitted)
        }
        return best
    }

    private mutating func addPaths(besides path: ValidatedPath, without omitted: Set<Int>) {
        for certificate in path.certificates.dropFirst() {
            // All copies are omitted, because OpenSSL would use the next copy.
            let copies = certificates.indices.dropFirst().filter { certificates[$0] == certificate }
            let more = omitted.union(copies)
            if more != omitted, seen.insert(more).inserted { queue.append(more) }
        }
    }
}

/// A path from a leaf towards a trust anchor, with the result of its validation.
struct ValidatedPath {
    /// The path, leaf first, as far as it could be built.
    let certificates: [Certificate]
    /// The reason why the path is not valid; nil if it is valid.
    let failure: TrustFailure?
    /// The reason why OpenSSL does not find the path; nil if it finds it.
    var detour: CertificateChain.Detour?
}

extension TrustFailure {
    /// Whether another path cannot help: the failure is in the leaf, or the administrator's trust settings reject a certificate.
    fileprivate var isIndependentOfThePath: Bool {
        switch self {
        case .expired(_, position: 0), .notYetValid(_, position: 0), .weakKey(_, position: 0),
            .weakSignature(_, position: 0),
            .wrongPurpose(_, position: 0), .selfSigned, .distrusted, .revoked:
            true
        default: false
        }
    }
}
