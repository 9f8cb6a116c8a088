internal import CommandSupport
internal import Fetching
internal import Pinning

/// The handshakes of an entry's hosts in which pinctl accepts only the types of server keys that it has not seen.
///
/// A server can have two certificates, such as one with an ECDSA key and one with an RSA key. A client that accepts both sees
/// only the one that the server prefers; other clients see the other one, and need its pin.
struct OtherKeyTypes {
    private(set) var chains: [CertificateChain] = []
    /// The first address that did not send its other chain; nil if every address sent it or has none.
    private(set) var gap: RefreshGap?

    /// The key types to accept in the second handshake. If a server has another chain, it sends that chain then.
    static func missing(in addresses: [AddressHandshake]) -> Set<ServerKeyTypes> {
        Set(
            addresses.compactMap { $0.chain?.entries.first?.certificate }.map { leaf -> ServerKeyTypes in
                leaf.key.type.hasPrefix("RSA") ? .exceptRSA : .onlyRSA
            })
    }

    mutating func add(_ address: AddressHandshake, accepting keyTypes: ServerKeyTypes) {
        let client = "a client that accepts \(keyTypes == .onlyRSA ? "only RSA keys" : "no RSA keys")"
        switch address.result {
        case .success(let handshake):
            chains.append(handshake.chain)
            if !handshake.chain.isTrusted {
                note(
                    "the chain of \(address.name) for \(client) is not trusted",
                    "repair that chain and run refresh again")
            }
        case .failure(let error):
            guard !error.isNegotiationFailure else { return }
            note("\(address.name) did not answer \(client)", "run refresh again when every address answers")
        }
    }

    /// Stores the gap if it is the first one.
    mutating func note(_ reason: String, _ hint: String) {
        if gap == nil { gap = RefreshGap(reason: reason, hint: hint) }
    }
}
