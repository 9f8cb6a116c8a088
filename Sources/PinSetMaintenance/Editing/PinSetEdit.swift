internal import Encodings
internal import PinSetFormats
package import Pinning

/// One change of a pin set. Entries and pins are named by their place in ``PinSet/entries`` and ``PinSet/Entry/pins``; a change
/// of what is not there changes nothing.
package enum PinSetEdit: Hashable, Sendable {
    /// Adds a pin after the others of an entry.
    case add(PinSet.PinnedKey, entry: Int)
    /// Changes one thing that the set says of a pin.
    case change(Field, entry: Int, pin: Int)
    /// Changes the end of an entry; nil takes it away.
    case expires(Timestamp?, entry: Int)

    /// What the set says of a pin; nil takes it away.
    package enum Field: Hashable, Sendable {
        case state(PinSet.State)
        case label(String?)
        case notAfter(Timestamp?)
        case added(Timestamp?)
        case goneSince(Timestamp?)

        var key: String {
            switch self {
            case .state: "state"
            case .label: "label"
            case .notAfter: "notAfter"
            case .added: "added"
            case .goneSince: "goneSince"
            }
        }

        /// The value in JSON; nil where the key is to go.
        var value: String? {
            switch self {
            case .state(let state): JSONText.quoted(state.rawValue)
            case .label(let label): label.map(JSONText.quoted)
            case .notAfter(let date), .added(let date), .goneSince(let date): date.map { JSONText.quoted($0.spelled) }
            }
        }

        /// Whether leaving the key out says the same.
        var isDefault: Bool { self == .state(.active) || value == nil }
    }
}
