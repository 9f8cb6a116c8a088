/// A scheme that can answer a challenge with a user name and a password.
package enum HTTPScheme: Equatable, Sendable {
    case digest(DigestScheme)
    case basic(BasicScheme)

    /// The strongest usable scheme of the challenges: Digest before Basic, and of several Digest challenges the one with the
    /// strongest hash function (RFC 7616, section 3.7); nil if no scheme is usable.
    package static func strongest(of challenges: [HTTPChallenge]) -> HTTPScheme? {
        let digests = challenges.compactMap(DigestScheme.init)
        if let strongest = digests.max(by: { $0.algorithm < $1.algorithm }) { return .digest(strongest) }
        return challenges.lazy.compactMap(BasicScheme.init).first.map { .basic($0) }
    }

    /// The name in messages, such as "Digest SHA-256" or "Basic".
    package var name: String {
        switch self {
        case .digest(let scheme): "Digest \(scheme.algorithm.rawValue)\(scheme.usesSessionKey ? "-sess" : "")"
        case .basic: "Basic"
        }
    }

    /// The value of an `Authorization` or `Proxy-Authorization` field (RFC 7617, section 2; RFC 7616, section 3.4).
    ///
    /// - Parameter request: the request that has the field. Basic does not use it.
    /// - Returns: nil if the scheme cannot contain the credential.
    package func authorization(_ credential: PasswordCredential, for request: DigestScheme.Request) -> [UInt8]? {
        switch self {
        case .digest(let scheme): scheme.authorization(credential, for: request)
        case .basic: BasicScheme.authorization(credential)
        }
    }

    package var realm: String {
        switch self {
        case .digest(let scheme): scheme.realm
        case .basic(let scheme): scheme.realm
        }
    }
}
