internal import Encodings

/// A server's certificates, put in order and judged.
public struct CertificateChain: Sendable {
    /// Where a certificate came from.
    public enum Source: String, Sendable {
        /// The server sent it.
        case served
        /// It was taken from the trust store.
        case store
    }

    public struct Entry: Sendable {
        public let certificate: Certificate
        public let role: Role
        /// Distance from the leaf, which is 0.
        public let position: Int
        public let source: Source

        package init(certificate: Certificate, role: Role, position: Int, source: Source) {
            (self.certificate, self.role, self.position, self.source) = (certificate, role, position, source)
        }
    }

    /// The path from the leaf up. In a chain that validates it ends with the trust anchor, whether the server sent that
    /// or not; in one that does not, it goes as far as it could be built.
    public let entries: [Entry]
    /// What the server sent beside the path, in its order.
    public let unused: [Certificate]
    /// Why the chain does not validate; empty where it does.
    public let failures: [TrustFailure]

    public var isTrusted: Bool { failures.isEmpty }

    /// The trust anchor that vouches for the leaf; nil in a chain that does not validate.
    public var anchor: Certificate? { isTrusted ? entries.last?.certificate : nil }

    /// - Parameters:
    ///   - path: from the leaf up.
    ///   - served: what the server sent, in its order.
    package init(path: [Certificate], served: [Certificate], failures: [TrustFailure]) {
        entries = path.enumerated().map { position, certificate in
            Entry(
                certificate: certificate,
                role: Self.role(of: certificate, at: position, in: path, isTrusted: failures.isEmpty),
                position: position,
                source: served.contains(certificate) ? .served : .store
            )
        }
        unused = served.filter { !path.contains($0) }
        self.failures = failures
    }

    private static func role(of certificate: Certificate, at position: Int, in path: [Certificate], isTrusted: Bool)
        -> Role
    {
        if position == 0 { return .leaf }
        guard position == path.count - 1 else { return .intermediate }
        return isTrusted || certificate.isSelfIssued ? .root : .intermediate
    }
}
