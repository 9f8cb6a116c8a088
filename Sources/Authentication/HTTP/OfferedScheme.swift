/// A challenge of HTTP as a ``Challenge`` presents it: its method, and its scheme if the library can answer it.
package struct OfferedScheme: Sendable {
    package let challenge: HTTPChallenge
    /// Nil for a scheme that is no ``AuthenticationMethod``, such as Bearer.
    package let method: AuthenticationMethod?
    /// Nil if the scheme is not supported, or if the challenge is unusable, for example because its algorithm is unknown.
    package let scheme: HTTPScheme?

    /// The challenges from strong to weak: Negotiate, NTLM, Digest by its hash function, Basic (RFC 7616, section 3.7), then unknown
    /// schemes. Equal ones keep their order.
    package static func ordered(_ challenges: [HTTPChallenge]) -> [OfferedScheme] {
        challenges.map(OfferedScheme.init).enumerated()
            .sorted { ($1.element.strength, $0.offset) < ($0.element.strength, $1.offset) }
            .map(\.element)
    }

    private init(_ challenge: HTTPChallenge) {
        self.challenge = challenge
        scheme = DigestScheme(challenge).map { .digest($0) } ?? BasicScheme(challenge).map { .basic($0) }
        switch challenge.scheme.lowercased() {
        case "negotiate": method = .negotiate
        case "ntlm": method = .ntlm
        case "digest": method = .httpDigest
        case "basic": method = .httpBasic
        default: method = nil
        }
    }

    private var strength: Int {
        switch (method, scheme) {
        case (.negotiate, _): 6
        case (.ntlm, _): 5
        case (_, .digest(let digest)): 2 + DigestScheme.Algorithm.allCases.count { $0 < digest.algorithm }
        case (_, .basic): 1
        default: 0
        }
    }

    /// The name in messages, such as "Digest SHA-256" or "Negotiate".
    package var name: String { scheme?.name ?? challenge.scheme }
}
