internal import Encodings

extension PinSetReader {
    /// What of a private key the pins of a list contain together, for example its lines as one string each; nil if they contain nothing.
    static func privateKeyKind(in pins: [JSONValue]) -> PrivateKeyKind? {
        let spellings = pins.compactMap { value in
            let digest: JSONValue? =
                if case .object(let members) = value.content {
                    members.first { $0.key == "sha256" }?.value
                } else {
                    value
                }
            guard case .string(let spelling)? = digest?.content else { return nil as Substring? }
            return spelling.without(prefix: "sha256/") ?? spelling[...]
        }
        return spellings.joined(separator: ",").privateKeyKind
    }
}

extension PinSetError {
    /// Whether the error quotes a text in place of a pin.
    var isAboutPin: Bool { if case .pin = reason { true } else { false } }
}
