/// The types of server keys that a handshake offers to accept.
///
/// A server can have one certificate with an RSA key and one with a key of another type, and selects by this offer.
package enum ServerKeyTypes: Hashable, Sendable {
    case all
    case onlyRSA
    /// ECDSA, Ed25519 and Ed448.
    case exceptRSA
}
