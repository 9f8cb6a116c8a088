internal import CommandSupport
internal import Fetching
internal import Pinning

/// The chains that the addresses of an entry's hosts send to clients that do not accept the type of key of the first chain.
///
/// A server can have two certificates, such as one with an ECDSA key and one with an RSA key. A client that accepts both sees
/// only the one that the server prefers; other clients see the other one, and need its pin.
struct OtherKeyTypes {
    /// One of the other chains.
    struct Chain {
        /// The index of its address.
        let address: Int
        let chain: CertificateChain

        /// The type of the server's key, such as "RSA".
        var keyType: String { chain.entries.first?.certificate.key.type ?? "" }
    }

    let chains: [Chain]
    /// Nil if every address sent its other chains, or has none.
    let gap: RefreshGap?

    init(_ addresses: [AddressHandshake]) {
        var chains: [Chain] = []
        var gap: RefreshGap?
        for (index, address) in addresses.enumerated() {
            guard let others = address.otherChains else { continue }
            for result in others.results {
                let chain = Chain(address: index, chain: result.chain)
                chains.append(chain)
                if !chain.chain.isTrusted, gap == nil {
                    gap = RefreshGap(
                        reason: "the \(chain.keyType) chain of \(address.name) is not trusted",
                        hint: "repair that chain and run refresh again")
                }
            }
            if let failure = others.failure, gap == nil {
                gap = RefreshGap(
                    reason:
                        "\(address.name) may have another certificate: \(failure.message)",
                    hint: "run refresh again when every address answers")
            }
        }
        (self.chains, self.gap) = (chains, gap)
    }
}
