package import Pinning

/// A type of server key that a TLS client can accept or refuse independently of the others, by its signature algorithms
/// (RFC 8446, section 4.2.3) and, up to TLS 1.2, by its cipher suites.
///
/// A server can have one certificate for each type, and selects one by what the client accepts.
package enum ServerKeyType: String, CaseIterable, Sendable {
    case ecdsa = "ECDSA"
    case rsa = "RSA"
    /// RSA keys whose certificate allows only RSA-PSS signatures (RFC 4055, section 1.2).
    case rsaPSS = "RSA-PSS"
    case ed25519 = "Ed25519"
    case ed448 = "Ed448"
    /// Offered only together with weak algorithms.
    case dsa = "DSA"

    /// The type of a certificate's key; nil for a key that no TLS server can use.
    package init?(_ key: KeyDescription) {
        if key.type == "EC" { self = .ecdsa } else { self.init(rawValue: key.type) }
    }
}

/// The types of server keys that a run accepts, and whether it connects once for each.
package enum KeyTypeSelection: String, CaseIterable, Sendable {
    /// All types, with one handshake: the server selects the certificate.
    case any
    case ecdsa
    /// RSA and RSA-PSS.
    case rsa
    /// All types. After each chain, one more handshake that does not accept the types found so far.
    case all

    package var accepted: Set<ServerKeyType> {
        switch self {
        case .any, .all: Set(ServerKeyType.allCases)
        case .ecdsa: [.ecdsa]
        case .rsa: [.rsa, .rsaPSS]
        }
    }
}

extension Set<ServerKeyType> {
    /// The words for a client that accepts these types, such as "a client that accepts only RSA keys".
    var clientDescription: String {
        let common = ServerKeyType.allCases.filter { $0 != .dsa }
        let (accepted, refused) = (common.filter { contains($0) }, common.filter { !contains($0) })
        let isShort = accepted.count <= refused.count
        let names = (isShort ? accepted : refused).map(\.rawValue)
        let list =
            names.count < 2
            ? names.joined() : names.dropLast().joined(separator: ", ") + " or \(names[names.count - 1])"
        return "a client that accepts \(isShort ? "only" : "no") \(list) keys"
    }
}
