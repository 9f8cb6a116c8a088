/// All paths from a leaf to a trust anchor that validate.
///
/// Servers and trust stores often contain cross-signed certificates, so that a chain can end in several roots. Each client builds
/// one of these paths. A pin works for all clients only if each path contains it.
///
/// RFC 5280, section 6.1, does not use key identifiers, and section 4.2.1.1 has them only to find the issuer. OpenSSL rejects an issuer whose
/// identifier does not fit, and takes a certificate without one for self-signed if its two names are equal. Java builds
/// such paths, and NSS and GnuTLS some of them, so they are included.
package struct ValidPaths: Sendable {
    /// The paths, each leaf first. The first one is the path of ``CertificateChain/entries``. Those that OpenSSL does not build are last.
    package let paths: [[CertificateChain.Entry]]
    /// The number of paths that OpenSSL builds.
    package let builtCount: Int
    /// Whether the search found all paths; false if it reached a limit.
    package let isComplete: Bool

    /// Whether each path contains a certificate. If paths are unknown, this is certain of the leaf only.
    package func haveInCommon(_ certificate: Certificate) -> Bool {
        guard isComplete else { return paths.first?.first?.certificate == certificate }
        return !paths.isEmpty && paths.allSatisfy { $0.contains { $0.certificate == certificate } }
    }

    /// A key that each path contains.
    package struct CommonKey: Sendable {
        package let pin: Pin
        /// The certificate with this key in the first path.
        package let certificate: Certificate
        /// The roles of the key in the paths, leaf first.
        package let roles: [Role]
    }

    /// The keys that each path contains, in the order of the first path. Cross-signed certificates of a CA have the same key. If paths are
    /// unknown, only the key of the leaf is certain.
    package var commonKeys: [CommonKey] {
        var known: Set<Pin> = []
        return (paths.first ?? []).prefix(isComplete ? .max : 1).compactMap { entry in
            let pin = entry.certificate.pin
            guard known.insert(pin).inserted else { return nil }
            let found = paths.map { path in path.filter { $0.certificate.pin == pin } }
            guard found.allSatisfy({ !$0.isEmpty }) else { return nil }
            let roles = Set(found.flatMap { $0 }.map(\.role))
            return CommonKey(pin: pin, certificate: entry.certificate, roles: Role.allCases.filter(roles.contains))
        }
    }
}
