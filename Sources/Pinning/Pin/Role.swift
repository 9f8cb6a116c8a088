/// What a certificate is in its chain.
public enum Role: String, Sendable, CaseIterable {
    /// The server's own certificate: position 0.
    case leaf
    /// Anything between the leaf and the root.
    case intermediate
    /// The trust anchor that ends a validated chain; in a chain that does not validate, a self-signed last certificate.
    case root
}
