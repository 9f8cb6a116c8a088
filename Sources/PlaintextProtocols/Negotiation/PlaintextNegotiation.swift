/// An exchange in plain text that precedes a TLS handshake: STARTTLS, or the request to a proxy.
///
/// A negotiation is a state machine over bytes. It has no socket, so it can be tested and fuzzed alone. ``PlaintextExchange`` runs it
/// over a stream, and limits its time and the number of bytes that the peer sends.
///
/// The peer may send its bytes in any portions. A negotiation keeps an incomplete message until the rest arrives.
package protocol PlaintextNegotiation {
    /// Begins the negotiation. Called once, before ``receive(_:)``.
    ///
    /// - Returns: the bytes to send first; empty if the peer speaks first.
    mutating func begin() -> [UInt8]

    /// Processes the next bytes of the peer, at least one.
    mutating func receive(_ bytes: [UInt8]) -> NegotiationStep

    /// Whether the peer may send bytes before it receives those of ``begin()``. A peer that receives none always speaks first.
    var peerMaySpeakFirst: Bool { get }
}

extension PlaintextNegotiation {
    package var peerMaySpeakFirst: Bool { false }
}

/// The next step of a ``PlaintextNegotiation``.
package enum NegotiationStep: Equatable {
    /// Send these bytes, which may be none, then wait for more bytes of the peer.
    case proceed(sending: [UInt8] = [])
    /// The negotiation succeeded: send these bytes, which may be none; TLS begins after them.
    ///
    /// `injected` is the number of bytes of the peer beyond its answer, at most as many as the last call of
    /// ``PlaintextNegotiation/receive(_:)`` had. ``PlaintextExchange`` refuses them before a TLS handshake: they are not protected, and a
    /// client that passed them on would treat them as bytes of the server (CVE-2011-0411).
    case done(sending: [UInt8] = [], injected: Int)
    case failed(NegotiationFailure)
}
