internal import OpenSSL

/// Finds all paths from a leaf to the anchors of a store.
///
/// OpenSSL builds one path and tries no other. So the enumeration follows the names of issuers, in the served certificates and in the
/// store, and lets OpenSSL validate each path that ends in an anchor alone, with that anchor as the only one.
struct PathEnumeration {
    /// Maximum number of paths that are validated.
    static let maximumPaths = 64
    /// Maximum number of certificates that are tried as the issuer of another.
    static let maximumSteps = 4096
    /// Maximum number of certificates in a path.
    static let maximumLength = 16

    private let served: [Certificate]
    private let host: String?
    private let store: AnchorStore
    private var steps = 0
    private var validations = 0
    private(set) var isComplete = true
    private(set) var paths: [[Certificate]] = []

    /// - Parameters:
    ///   - served: leaf first.
    ///   - host: a DNS name that the name constraints of a path must permit; nil to check none.
    init(_ served: [Certificate], for host: String?, in store: AnchorStore) {
        (self.served, self.host, self.store) = (served, host, store)
    }

    mutating func run() throws(CertificateError) {
        guard let leaf = served.first else { return }
        try extend([leaf])
    }

    private mutating func extend(_ path: [Certificate]) throws(CertificateError) {
        guard let last = path.last else { return }
        let trusted = try store.anchors(named: last.subjectName, for: last).first { $0.certificate == last }
        // A path goes on from an anchor that another CA signed, but not from a root.
        if trusted == nil || !last.isSelfIssued {
            // A CA that is in the path already would only make it longer (RFC 4158, section 2.4.2).
            for issuer in try issuers(of: last) where !path.contains(where: { Self.isSameAuthority($0, issuer) }) {
                guard path.count < Self.maximumLength, steps < Self.maximumSteps else {
                    isComplete = false
                    return
                }
                steps += 1
                try extend(path + [issuer])
            }
        }
        // An anchor that is not self-signed ends a path only where no other anchor does.
        guard let trusted, last.isSelfIssued || !paths.contains(where: { $0.starts(with: path) }) else { return }
        guard validations < Self.maximumPaths else {
            isComplete = false
            return
        }
        validations += 1
        if try store.isValid(path, endingIn: trusted, for: host) { paths.append(path) }
    }

    /// Whether two certificates have one name and one key.
    private static func isSameAuthority(_ one: Certificate, _ other: Certificate) -> Bool {
        one.subjectName == other.subjectName && one.subjectPublicKeyInfo == other.subjectPublicKeyInfo
    }

    /// The certificates with the name of the issuer, without duplicates. Those of the store are first, because the search may reach
    /// its limit.
    private func issuers(of certificate: Certificate) throws(CertificateError) -> [Certificate] {
        var found = try store.anchors(named: certificate.issuerName, for: certificate).map(\.certificate)
        let name = DistinguishedNameHash.canonical(certificate.issuerName)
        for other in served.dropFirst()
        where other.subjectName == certificate.issuerName
            || name != nil && DistinguishedNameHash.canonical(other.subjectName) == name
        {
            if !found.contains(other) { found.append(other) }
        }
        return found
    }
}
