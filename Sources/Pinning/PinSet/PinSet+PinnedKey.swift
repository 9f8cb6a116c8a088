package import Encodings

extension PinSet {
    /// A pin and what the set says of it.
    public struct PinnedKey: Hashable, Sendable {
        public let pin: Pin
        /// Where in the chain it may match.
        public let role: AllowedRole
        public let state: State
        /// For people.
        public let label: String?
        /// When the certificate of this key ends, where the set says so. For people and for checks of the set: it does not
        /// change what matches.
        public let notAfter: Timestamp?
        /// When a refresh put the key into the set, where the set says so. A note for the next refresh, like `goneSince`.
        public let added: Timestamp?
        /// Since when a refresh no longer finds the key in the host's chain, where the set says so. A note for the next refresh:
        /// it does not change what matches.
        public let goneSince: Timestamp?

        /// Of the pin in the file; nil for one made in code.
        package let position: SourcePosition?
        /// Keys that mean nothing here, with their values.
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

    /// Where in a validated chain a pin may match.
    public enum AllowedRole: String, Hashable, Sendable, CaseIterable {
        /// Position 0.
        case leaf
        /// Between the leaf and the root.
        case intermediate
        /// The trust anchor that ends the chain.
        case root
        /// Position 1 and up.
        case ca
        /// Anywhere.
        case any

        /// Whether a certificate in this place may match.
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

    /// What a pin is there for.
    public enum State: String, Hashable, Sendable, CaseIterable {
        /// In use.
        case active
        /// Held ready; it matches as an active one does.
        case backup
        /// Kept for the record: it never matches.
        case retired
    }
}
