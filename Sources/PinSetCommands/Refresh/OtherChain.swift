internal import CommandSupport
internal import Fetching
internal import Pinning

/// A chain that an address of an entry's hosts sends to other clients than those that see its first chain.
struct OtherChain {
    /// The index of its address.
    let address: Int
    let chain: CertificateChain
    /// The clients; nil for clients that do not accept the type of key of the first chain.
    var client: OtherClient?
    /// Whether nothing authenticated the handshake (``HandshakeResult/isUnfinished``).
    var isUnfinished = false

    /// The type of the server's key, such as "RSA".
    var keyType: String { chain.entries.first?.certificate.key.type ?? "" }

    /// The difference from the first chain: "with a key of type RSA".
    var description: String { client.map { "for \($0)" } ?? "with a key of type \(keyType)" }

    /// The title of the chain after the name of its address.
    var title: String { client.map { "for \($0)" } ?? "\(keyType) key" }

    /// The apps that see the chain.
    var apps: String { client == nil ? "apps that accept only such keys" : "such apps" }

    /// Why no pin can be gone because of this chain; nil if it is trusted.
    ///
    /// - Parameter name: the name of the address.
    func gap(at name: String) -> RefreshGap? {
        guard !chain.isTrusted else { return nil }
        return RefreshGap(
            reason: "the \(kind(at: name)) is not trusted", hint: "repair that chain and run refresh again")
    }

    /// Why no pin can be gone if the chain is valid and contains no pin of the set: an interceptor may have sent it.
    func mismatchGap(at name: String) -> RefreshGap {
        RefreshGap(
            reason: "the \(kind(at: name)) contains no pin of the set", hint: "compare with a run from another network")
    }

    private func kind(at name: String) -> String {
        client.map { "chain of \(name) for \($0)" } ?? "\(keyType) chain of \(name)"
    }
}
