package import Encodings

extension PinSet {
    /// A pin with its properties in the set.
    public struct PinnedKey: Hashable, Sendable {
        public let pin: Pin
        /// The positions of the chain at which it may match.
        public let role: AllowedRole
        public let state: State
        /// A description for people.
        public let label: String?
        /// The end of validity of this key's certificate, if the set contains it. It is used by people and by checks of the
        /// set; it has no effect on matching.
        public let notAfter: Timestamp?
        /// The time at which a refresh added the key, if the set contains it. It is used by the next refresh, like `goneSince`.
        public let added: Timestamp?
        /// The time since which refreshes do not find the key in the host's chain, if the set contains it. It is used by the
        /// next refresh; it has no effect on matching.
        public let goneSince: Timestamp?

        /// The position of the pin in the file; nil for a pin created in code.
        package let position: SourcePosition?
        /// Unknown keys, with their values.
        package let unknown: [JSONMember]

        public init(
            pin: Pin, role: AllowedRole = .any, state: State = .active, label: String? = nil,
            notAfter: Timestamp? = nil, added: Timestamp? = nil, goneSince: Timestamp? = nil
        ) {
            self.init(
                pin: pin, role: role, state: state, label: label, notAfter: notAfter, added: added,
                goneSince: goneSince, position: nil, unknown: []
            )
        }

        package init(
            pin: Pin, role: AllowedRole, state: State, label: String?, notAfter: Timestamp?,
            added: Timestamp?, goneSince: Timestamp?, position: SourcePosition?, unknown: [JSONMember]
        ) {
            self.pin = pin
            self.role = role
            self.state = state
            self.label = label
            self.notAfter = notAfter
            self.added = added
            self.goneSince = goneSince
            self.position = position
            self.unknown = unknown
        }
    }

    /// The positions of a validated chain at which a pin may match.
    public enum AllowedRole: String, Hashable, Sendable, CaseIterable {
        /// Position 0.
        case leaf
        /// All positions above the leaf except that of the root.
        case intermediate
        /// The self-issued certificate that ends the chain.
        case root
        /// Positions from 1.
        case ca
        /// All positions.
        case any

        /// Whether a certificate with this role and position may match.
        public func allows(_ role: Role, at position: Int) -> Bool {
            switch self {
            case .leaf: position == 0
            case .intermediate: role == .intermediate
            case .root: role == .root
            case .ca: position >= 1
            case .any: true
            }
        }
    }

    /// The state of a pin in the rotation of keys.
    public enum State: String, Hashable, Sendable, CaseIterable {
        /// In use.
        case active
        /// Not yet in use. It matches like an active pin.
        case backup
        /// No longer in use. It never matches.
        case retired
    }
}
