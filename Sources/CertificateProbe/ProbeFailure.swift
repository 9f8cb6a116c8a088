/// The reason why a probe cannot continue. The handshake of OpenSSL on a new connection then gives the result or the error.
package enum ProbeFailure: Error, Equatable, Sendable {
    /// The bytes are not TLS, or violate the format of a message.
    case malformed
    /// The server sent an alert.
    case alert
    /// A message that the probe does not expect at this point.
    case unexpectedMessage
    /// A version, cipher suite, group or extension that was not offered or that the probe does not implement.
    case unsupportedParameter
    /// A message exceeds the size limit of its type.
    case tooLong
    /// A record cannot be decrypted.
    case undecryptable
}
