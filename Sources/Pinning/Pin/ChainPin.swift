/// The pin of one certificate of a chain, and its place there.
public struct ChainPin: Hashable, Sendable {
    public let role: Role
    /// 0 is the leaf.
    public let position: Int
    public let pin: Pin

    public init(role: Role, position: Int, pin: Pin) {
        self.role = role
        self.position = position
        self.pin = pin
    }
}
