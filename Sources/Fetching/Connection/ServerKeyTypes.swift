/// The key types that the client accepts in a handshake.
///
/// A server can have one certificate with an RSA key and one with a key of another type, and selects one by these types.
package enum ServerKeyTypes: Hashable, Sendable {
    case all
    case onlyRSA
    /// ECDSA, Ed25519 and Ed448.
    case exceptRSA
}
