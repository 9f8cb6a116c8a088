package import Encodings

/// The contents of a `pins.json` before the set as a whole is validated, with source positions.
///
/// A strict reader returns a complete draft. A collecting reader replaces each invalid value by nil or by its default.
package struct PinSetDraft: Sendable {
    package var entries: [Entry] = []
    /// Unknown keys of the document, with their values.
    package var unknown: [JSONMember] = []

    /// One host.
    package struct Entry: Sendable {
        /// The host as written.
        package let host: String
        /// The host in normalized form; nil if it is neither a host name nor an IP address.
        package let name: String?
        package let position: SourcePosition
        package var subdomains = PinSet.Subdomains.none
        package var expires: Timestamp?
        package var enforce = true
        /// Paths of certificate files as written, with their positions.
        package var anchors: [(path: String, position: SourcePosition)] = []
        package var endpoints: [PinSet.Endpoint] = []
        package var pins: [PinnedKey] = []
        /// Unknown keys of the entry, with their values.
        package var unknown: [JSONMember] = []
        /// Whether the entry is only an array of pins.
        package var isShorthand = false
    }

    /// One pin.
    package struct PinnedKey: Sendable {
        /// The pin as written.
        package let spelling: String
        /// The pin; nil if the spelling is invalid.
        package let pin: Pin?
        package var role = PinSet.AllowedRole.any
        package var state = PinSet.State.active
        package var label: String?
        package var notAfter: Timestamp?
        package var added: Timestamp?
        package var goneSince: Timestamp?
        /// The position of the pin's array element.
        package let position: SourcePosition
        /// The position of the spelling. It is inside the element if that is an object.
        package let spellingPosition: SourcePosition
        /// Unknown keys of the pin, with their values.
        package var unknown: [JSONMember] = []
    }
}
