internal import Encodings

/// One challenge of a `WWW-Authenticate` or `Proxy-Authenticate` header field (RFC 9110, section 11.3).
package struct HTTPChallenge: Equatable, Sendable {
    package struct Parameter: Equatable, Sendable {
        /// In lower case, because names of parameters are case-insensitive (RFC 9110, section 11.2).
        package let name: String
        /// The value without quotes and escapes. Digest uses it as it was sent, also if it is not UTF-8, as in curl.
        package let bytes: [UInt8]
        /// The value as UTF-8. U+FFFD replaces a byte that is not UTF-8.
        ///
        /// If the field contains a private key in a form with backslashes, such as numbers with `\x30`, the value has them, and not the key:
        /// without the backslashes, no other text would recognize the key.
        package let value: String

        /// - Parameter sent: the value in the field, if it contains backslashes that escape the next character.
        init(name: String, bytes: [UInt8], sent: ArraySlice<UInt8>? = nil) {
            (self.name, self.bytes) = (name, bytes)
            let sent = sent.map { String(decoding: $0, as: UTF8.self) }
            let shown = sent?.withoutWholePrivateKeys
            value = shown.flatMap { $0 == sent ? nil : $0 } ?? String(decoding: bytes, as: UTF8.self)
        }
    }

    /// The name of the scheme, as it was sent.
    package let scheme: String
    /// The token68 of a scheme that uses one, such as Negotiate (RFC 9110, section 11.2); nil if it has no token68.
    package let token68: String?
    package let parameters: [Parameter]

    /// The value of the first parameter with this name, which must be in lower case; nil if it is absent.
    package subscript(name: String) -> String? { parameters.first { $0.name == name }?.value }

    /// The bytes of the first parameter with this name, which must be in lower case; nil if it is absent.
    package func bytes(of name: String) -> [UInt8]? { parameters.first { $0.name == name }?.bytes }

    /// The protection space within the server (RFC 9110, section 11.5); nil if the scheme has none.
    package var realm: String? { self["realm"] }

    /// Whether this is the scheme with that name. Names of schemes are case-insensitive (RFC 9110, section 11.1).
    package func isScheme(_ name: String) -> Bool { scheme.lowercased() == name.lowercased() }
}
