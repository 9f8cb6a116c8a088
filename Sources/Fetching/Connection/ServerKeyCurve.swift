/// A curve of ECDSA keys that a TLS client can accept or refuse independently of the others, by its signature algorithms with
/// TLS 1.3 (RFC 8446, section 4.2.3), and by its groups up to TLS 1.2 (RFC 8422, section 5.1.1). The raw value is the curve's name
/// in ``KeyDescription``.
package enum ServerKeyCurve: String, CaseIterable, Sendable {
    case p256 = "P-256"
    case p384 = "P-384"
    case p521 = "P-521"
}
