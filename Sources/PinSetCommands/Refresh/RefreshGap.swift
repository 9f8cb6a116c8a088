internal import CommandSupport

/// Why a pin that was not seen may be in use.
struct RefreshGap {
    /// A clause: "-4 leaves out the IPv6 addresses".
    let reason: String
    let hint: String
}
