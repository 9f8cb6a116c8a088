package import Pinning

/// The host to which a SOCKS proxy connects (DST.ADDR in RFC 1928, section 4).
package enum SOCKSDestination: Hashable, Sendable {
    /// A name, which the proxy resolves.
    case name(String)
    case address(IPAddress)
}
