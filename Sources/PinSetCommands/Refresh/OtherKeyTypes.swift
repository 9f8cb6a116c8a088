internal import CommandSupport
internal import Fetching

/// The chains that the addresses of an entry's hosts send to clients that do not accept the type of key of the first chain.
///
/// A server can have two certificates, such as one with an ECDSA key and one with an RSA key. A client that accepts both sees
/// only the one that the server prefers; other clients see the other one, and need its pin.
struct OtherKeyTypes {
    let chains: [OtherChain]
    /// Nil if every address completed each handshake, and sent its other chains or has none.
    let gap: RefreshGap?

    init(_ addresses: [AddressHandshake]) {
        var chains: [OtherChain] = []
        var gap: RefreshGap?
        for (index, address) in addresses.enumerated() {
            guard let others = address.otherChains else { continue }
            for result in others.results {
                let chain = OtherChain(address: index, chain: result.chain, isUnfinished: result.isUnfinished)
                chains.append(chain)
                gap = gap ?? chain.gap(at: address.name)
            }
            if let failure = others.failure, gap == nil { gap = .unanswered(address.name, failure) }
        }
        let unfinished = addresses.first { (try? $0.result.get())?.includesUnfinished == true }
        (self.chains, self.gap) = (chains, gap ?? unfinished.map { .unfinished($0.name) })
    }
}
