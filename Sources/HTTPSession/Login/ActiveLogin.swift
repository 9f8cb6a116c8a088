internal import Authentication
internal import Encodings

/// A login that requests carry.
struct ActiveLogin {
    enum Proof {
        case basic(PasswordCredential)
        case digest(DigestSession)
    }

    let space: ProtectionSpace
    let credential: Credential
    var proof: Proof

    /// Whether requests for this path can carry the login before the server asks for it: it is in the space of the Digest challenge
    /// (RFC 7616, section 3.3). Basic passwords are sent only after a challenge.
    func covers(_ url: RequestURL) -> Bool {
        guard case .digest(let session) = proof else { return false }
        let domain = session.scheme.domain
        guard !domain.isEmpty, !space.isProxy else { return true }
        return domain.contains { reference in
            guard let root = try? url.resolving(reference), root.hasSameOrigin(as: url) else { return false }
            return url.path.begins(with: root.path)
        }
    }
}
