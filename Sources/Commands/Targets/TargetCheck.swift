internal import Fetching
internal import Pinning

/// A target, the name that its certificate must be for, and the pin set entry that covers it.
struct TargetCheck {
    /// The target's index in the input, from 0.
    let index: Int
    let target: Target
    /// The server name that the certificate must match; it also selects the entry.
    let identity: ServerIdentity
    /// Nil where no entry of the set covers the host.
    let entry: PinSet.Entry?
}
