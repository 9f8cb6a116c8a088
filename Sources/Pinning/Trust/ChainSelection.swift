/// Which certificates of a chain are wanted.
public enum ChainSelection: Hashable, Sendable {
    case all
    case role(Role)
    /// Distance from the leaf, which is 0.
    case position(Int)

    /// Reads `all`, a role's name, or a position in decimal.
    public init?(_ text: String) {
        if text == "all" {
            self = .all
        } else if let role = Role(rawValue: text) {
            self = .role(role)
        } else if let position = Int(text), position >= 0, text.allSatisfy(\.isNumber) {
            self = .position(position)
        } else {
            return nil
        }
    }

    public func includes(_ entry: CertificateChain.Entry) -> Bool {
        switch self {
        case .all: true
        case .role(let role): entry.role == role
        case .position(let position): entry.position == position
        }
    }

    /// Whether no chain has more than one certificate of this kind.
    public var isSingle: Bool {
        switch self {
        case .role(.leaf), .role(.root), .position: true
        case .all, .role(.intermediate): false
        }
    }
}

extension ChainSelection: CustomStringConvertible {
    public var description: String {
        switch self {
        case .all: "all"
        case .role(let role): role.rawValue
        case .position(let position): String(position)
        }
    }
}
