package import Fetching
package import Pinning

/// A target, the name that its certificate must contain, and the pin set entry that covers it.
package struct TargetCheck {
    /// The target's index in the input, from 0.
    package let index: Int
    package let target: Target
    /// The server name that the certificate must match; it also selects the entry.
    package let identity: ServerIdentity
    /// Nil if no entry of the set covers the host.
    package let entry: PinSet.Entry?

    package init(index: Int, target: Target, identity: ServerIdentity, entry: PinSet.Entry?) {
        self.index = index
        self.target = target
        self.identity = identity
        self.entry = entry
    }
}
