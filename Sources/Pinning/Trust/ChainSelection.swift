/// A selection of the certificates of a chain.
package enum ChainSelection: Hashable, Sendable {
    case all
    case role(Role)
    /// Distance from the leaf, which is 0.
    case position(Int)

    /// Reads `all`, the name of a role, or a decimal position; nil for other text.
    package init?(_ text: String) {
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

    /// Whether the selection includes a certificate.
    package func includes(_ entry: CertificateChain.Entry) -> Bool {
        switch self {
        case .all: true
        case .role(let role): entry.role == role
        case .position(let position): entry.position == position
        }
    }

    /// Whether the selection includes at most one certificate of each chain.
    package var isSingle: Bool {
        switch self {
        case .role(.leaf), .role(.root), .position: true
        case .all, .role(.intermediate): false
        }
    }
}

extension ChainSelection: CustomStringConvertible {
    package var description: String {
        switch self {
        case .all: "all"
        case .role(let role): role.rawValue
        case .position(let position): String(position)
        }
    }
}
