/// The pin of one certificate of a chain, with its role and position.
public struct ChainPin: Hashable, Sendable {
    public let role: Role
    /// Distance from the leaf, which is 0.
    public let position: Int
    public let pin: Pin

    public init(role: Role, position: Int, pin: Pin) {
        self.role = role
        self.position = position
        self.pin = pin
    }
}
