internal import Encodings

/// The path that was built from a server's certificates, with the result of its validation.
public struct CertificateChain: Sendable {
    /// The source of a certificate.
    public enum Source: String, Sendable {
        /// The server sent it.
        case served
        /// It was found in the trust store.
        case store
        /// The server did not send it; it was fetched from a URL in another certificate.
        case fetched
    }

    /// A certificate of the path.
    public struct Entry: Sendable {
        public let certificate: Certificate
        public let role: Role
        /// Distance from the leaf, which is 0.
        public let position: Int
        public let source: Source

        /// Whether the certificate is the trust anchor that ends a valid path.
        package let isAnchor: Bool

        package init(certificate: Certificate, role: Role, position: Int, source: Source, isAnchor: Bool = false) {
            (self.certificate, self.role, self.position, self.source) = (certificate, role, position, source)
            self.isAnchor = isAnchor
        }

        /// The role as reports name it. An anchor that is not self-signed is no root.
        package var roleDescription: String {
            isAnchor && !certificate.isSelfIssued ? "anchor (\(role.rawValue))" : role.rawValue
        }
    }

    /// The path, leaf first. If the chain is valid, the path ends with the trust anchor, whether the server sent it or not.
    /// Otherwise it ends where no issuer was found.
    public let entries: [Entry]
    /// The served certificates that are not part of the path, in the server's order.
    public let unused: [Certificate]
    /// The reasons why the chain is not valid; empty if it is valid.
    public let failures: [TrustFailure]

    /// What leads a client to a path that is not valid, if it tries only one.
    package enum Detour: Hashable, Sendable {
        /// A served certificate that the path does not contain.
        case servedCertificate
        /// A trust anchor that the path does not contain.
        case trustAnchor
    }

    /// The reason why OpenSSL rejects the certificates as the server sends them, because it tries only one path; nil if it accepts them.
    package internal(set) var detour: Detour?

    /// All valid paths; nil if they were not searched.
    package internal(set) var validPaths: ValidPaths?

    /// The certificates that the server sent.
    package var served: Set<Certificate> {
        Set(entries.filter { $0.source == .served }.map(\.certificate)).union(unused)
    }

    /// The keys of all certificates that the server sent, of the path, and of the other valid paths as far as they are known.
    package var keys: Set<Pin> {
        let paths = [entries] + (validPaths?.paths ?? [])
        return Set(paths.joined().map(\.certificate.pin)).union(unused.map(\.pin))
    }

    /// Whether a search for all valid paths reached its limit.
    package var hasUnknownPaths: Bool { validPaths?.isComplete == false }

    /// Total size of the certificates in bytes.
    package var certificateSize: Int {
        unused.reduce(entries.reduce(0) { $0 + $1.certificate.der.count }) { $0 + $1.der.count }
    }

    /// Whether the chain is valid.
    public var isTrusted: Bool { failures.isEmpty }

    /// The trust anchor; nil if the chain is not valid.
    public var anchor: Certificate? { isTrusted ? entries.last?.certificate : nil }

    /// - Parameters:
    ///   - path: the path, leaf first.
    ///   - served: all certificates that the server sent, in its order.
    ///   - fetched: certificates that the server did not send.
    package init(
        path: [Certificate], served: [Certificate], fetched: [Certificate] = [], failures: [TrustFailure]
    ) {
        entries = Self.entries(of: path, served: served, fetched: fetched, isValid: failures.isEmpty)
        unused = served.filter { !path.contains($0) }
        self.failures = failures
    }

    static func entries(
        of path: [Certificate], served: [Certificate], fetched: [Certificate], isValid: Bool
    ) -> [Entry] {
        path.enumerated().map { position, certificate in
            Entry(
                certificate: certificate,
                role: role(of: certificate, at: position, in: path),
                position: position,
                source: served.contains(certificate) ? .served : fetched.contains(certificate) ? .fetched : .store,
                isAnchor: isValid && position == path.count - 1
            )
        }
    }

    private static func role(of certificate: Certificate, at position: Int, in path: [Certificate]) -> Role {
        if position == 0 { return .leaf }
        return position == path.count - 1 && certificate.isSelfIssued ? .root : .intermediate
    }
}
