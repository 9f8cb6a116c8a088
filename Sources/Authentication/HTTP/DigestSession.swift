internal import OpenSSL

/// The requests that answer one Digest challenge: it counts them, follows new nonces, and checks what the server proves (RFC 7616,
/// sections 3.3 to 3.5).
package struct DigestSession: Sendable {
    /// Whether the server proved that it knows the password.
    package enum ServerProof: Sendable {
        /// The server sent no proof. RFC 7616, section 3.5, does not require one.
        case absent
        case valid
        /// The proof is wrong, or is not for this request.
        case invalid
    }

    /// What the proof of the server must refer to.
    private struct Sent: Sendable {
        let request: DigestScheme.Request
        let nonce: [UInt8]
    }

    package let scheme: DigestScheme
    private let credential: PasswordCredential
    private let clientNonce: String
    /// The nonce of the next request.
    private var nonce: [UInt8]
    /// Number of requests with ``nonce``.
    private var count: UInt32 = 0
    private var last: Sent?

    /// - Parameter clientNonce: a random value that was not used with this server before.
    package init(_ scheme: DigestScheme, _ credential: PasswordCredential, clientNonce: String) {
        (self.scheme, self.credential, self.clientNonce) = (scheme, credential, clientNonce)
        nonce = scheme.nonce
    }

    /// The value of the header field for the next request.
    ///
    /// - Parameters:
    ///   - target: the request target, exactly as in the request line.
    ///   - body: the body of the request, which `auth-int` protects.
    /// - Returns: nil if OpenSSL does not provide the algorithm, or all counts of the nonce are used.
    package mutating func authorization(method: String, target: String, body: [UInt8] = []) -> [UInt8]? {
        guard count < .max else { return nil }
        count += 1
        let request = DigestScheme.Request(
            method: method, target: target, clientNonce: clientNonce, count: count, body: body)
        last = Sent(request: request, nonce: nonce)
        return scheme.authorization(credential, for: request, nonce: nonce)
    }

    /// Checks the proof for the last request, and uses the next nonce for further requests.
    ///
    /// - Parameter body: the body of the response, which `auth-int` protects.
    package mutating func receive(_ info: AuthenticationInfo, body: [UInt8]) -> ServerProof {
        let proof = proof(in: info, body)
        if let next = info.nextNonce, next != nonce { (nonce, count) = (next, 0) }
        return proof
    }

    private func proof(in info: AuthenticationInfo, _ body: [UInt8]) -> ServerProof {
        guard let response = info.response else { return .absent }
        guard let last else { return .invalid }
        // The server repeats these values of the request (RFC 7616, section 3.5).
        if let clientNonce = info.clientNonce, clientNonce != last.request.clientNonce { return .invalid }
        if let count = info.count, UInt32(count, radix: 16) != last.request.count { return .invalid }
        let protectsBody: Bool
        switch info.qualityOfProtection?.lowercased() {
        case nil: protectsBody = scheme.quality == .integrity
        case "auth": protectsBody = false
        case "auth-int": protectsBody = true
        default: return .invalid
        }
        let expected = scheme.serverResponse(
            credential, for: last.request, nonce: last.nonce, body: protectsBody ? body : nil)
        return expected == response.lowercased() ? .valid : .invalid
    }
}
