internal import Encodings
internal import PinSetCodec
package import Pinning

/// A change of a pin set. `entry` and `pin` are indices into ``PinSet/entries`` and ``PinSet/Entry/pins``. A change with an
/// invalid index has no effect.
package enum PinSetEdit: Hashable, Sendable {
    /// Adds a pin after the others of an entry.
    case add(PinSet.PinnedKey, entry: Int)
    /// Changes a property of a pin.
    case change(Field, entry: Int, pin: Int)
    /// Changes the expiry date of an entry; nil removes it.
    case expires(Timestamp?, entry: Int)
    /// Changes which subdomains an entry covers.
    case subdomains(PinSet.Subdomains, entry: Int)
    /// Adds an entry after the others.
    case insert(PinSet.Entry)

    /// A property of a pin and its new value; nil removes it.
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

        /// The value in JSON; nil if the key must be removed.
        var value: String? {
            switch self {
            case .state(let state): JSONText.quoted(state.rawValue)
            case .label(let label): label.map(JSONText.quoted)
            case .notAfter(let date), .added(let date), .goneSince(let date): date.map { JSONText.quoted($0.spelled) }
            }
        }

        /// Whether the value is equal to the default of an absent key.
        var isDefault: Bool { self == .state(.active) || value == nil }
    }
}
