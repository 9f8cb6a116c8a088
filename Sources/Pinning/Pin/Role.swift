/// The role of a certificate in its chain.
public enum Role: String, Sendable, CaseIterable {
    /// The server's own certificate: position 0.
    case leaf
    /// A certificate above the leaf that is not the root. A chain can end in it if it is a trust anchor.
    case intermediate
    /// The last certificate of the chain, if it is self-issued. In a valid chain it is the trust anchor.
    case root
}
