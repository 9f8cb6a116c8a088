internal import Encodings

/// The members of one object of a pin set. A reader removes the keys that it knows. The remaining keys are unknown.
struct PinSetFields {
    /// The members that have not been removed, in source order.
    private(set) var rest: [JSONMember]

    init(_ members: [JSONMember]) { rest = members }

    /// Removes a member and returns its value; nil if no member has this key.
    mutating func take(_ key: String) -> JSONValue? {
        guard let index = rest.firstIndex(where: { $0.key == key }) else { return nil }
        return rest.remove(at: index).value
    }
}
