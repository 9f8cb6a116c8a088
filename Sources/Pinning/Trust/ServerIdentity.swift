/// The host that a server's certificate must be valid for (RFC 9525).
public enum ServerIdentity: Hashable, Sendable {
    /// A DNS name in A-labels, lower case, without a trailing dot.
    case name(String)
    /// An IP address as text, without brackets.
    case address(String)

    public var text: String {
        switch self {
        case .name(let text), .address(let text): text
        }
    }
}
