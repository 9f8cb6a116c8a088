package import Encodings

extension PinSet {
    /// A pin with its properties in the set.
    public struct PinnedKey: Hashable, Sendable {
        public let pin: Pin
        /// The positions in the chain where the pin may match.
        public let role: AllowedRole
        public let state: State
        /// A description for people.
        public let label: String?
        /// The label for reports, without users and passwords of URLs.
        package var shownLabel: String? { label?.withoutUserInfoInURLs }
        /// The end of validity of this key's certificate, if the set contains it. People and lint use it; it has no effect on
        /// matching.
        public let notAfter: Timestamp?
        /// The time when a refresh added the key, if the set contains it. Only the next refresh uses it.
        public let added: Timestamp?
        /// The time since which refreshes have not found the key in the host's chain, if the set contains it. Only the next refresh
        /// uses it; it has no effect on matching.
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

    /// The positions in a validated chain where a pin may match.
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
        /// The key is in use.
        case active
        /// The key is not yet in use. The pin matches like an active pin.
        case backup
        /// The key is no longer in use. The pin never matches.
        case retired
    }
}
