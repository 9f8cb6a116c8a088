/// The header field `Authentication-Info` or `Proxy-Authentication-Info` (RFC 7615; RFC 7616, section 3.5).
package struct AuthenticationInfo: Equatable, Sendable {
    /// The nonce for the next request; nil to keep the current one.
    package let nextNonce: [UInt8]?
    /// The proof that the server knows the password; nil if it sent none.
    package let response: String?
    /// The quality of protection of the proof.
    package let qualityOfProtection: String?
    package let clientNonce: String?
    package let count: String?

    /// - Parameter values: the values of the header field.
    /// - Throws: ``HTTPChallengeError`` for a malformed value.
    package init(parsing values: [[UInt8]]) throws(HTTPChallengeError) {
        var parameters: [HTTPChallenge.Parameter] = []
        for value in values { parameters += try HTTPChallengeParser.parameters(in: value) }
        func value(_ name: String) -> String? { parameters.first { $0.name == name }?.value }
        nextNonce = parameters.first { $0.name == "nextnonce" }?.bytes
        response = value("rspauth")
        qualityOfProtection = value("qop")
        clientNonce = value("cnonce")
        count = value("nc")
    }
}
