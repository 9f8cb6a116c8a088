/// Limits of a ``PlaintextNegotiation``.
package enum NegotiationLimits {
    /// Maximum number of bytes that a peer may send in one negotiation.
    ///
    /// Real answers, even those of a directory or a verbose greeting, are shorter than 4 KiB.
    package static let maximumBytes = 65_536
}
