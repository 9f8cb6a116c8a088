/// The chains that a server sends to clients that do not accept the key of its first chain.
package struct OtherChains: Sendable {
    /// One result for each further chain.
    package internal(set) var results: [HandshakeResult] = []
    /// Why the server may have another chain; nil if it has none.
    package internal(set) var failure: FetchError?
    /// Whether one of the handshakes is unfinished (``HandshakeResult/isUnfinished``), also one that repeated a chain.
    package internal(set) var includesUnfinished = false

    init() {}
}
