/// Limits for a name with many addresses. A zone can give each of its names thousands of addresses.
package enum AddressLimits {
    /// Maximum number of addresses of a name to which a run connects.
    package static let maximumAddresses = 256
    /// Maximum number of connections to the addresses of a name at the same time.
    package static let maximumConnections = 16
}
