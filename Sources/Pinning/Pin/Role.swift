/// The role of a certificate in its chain.
public enum Role: String, Sendable, CaseIterable {
    /// The server's own certificate: position 0.
    case leaf
    /// A certificate between the leaf and the root.
    case intermediate
    /// The trust anchor of a validated chain. In a chain that is not valid, the last certificate if it is self-issued.
    case root
}
