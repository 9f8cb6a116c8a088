internal import Pinning

/// The request to a SOCKS 4 proxy for a connection to a target.
///
/// The protocol has no RFC. Its documents are "SOCKS: A protocol for TCP proxy across firewalls" and, for names, "SOCKS 4A: A Simple
/// Extension to SOCKS 4 Protocol" (Ying-Da Lee).
package struct SOCKS4Request: PlaintextNegotiation {
    private static let version: UInt8 = 4
    private static let connect: UInt8 = 1
    private static let granted: UInt8 = 90
    private static let replyLength = 8
    /// An address 0.0.0.x with x other than 0 announces a name after the user (SOCKS 4A).
    private static let addressForNames: [UInt8] = [0, 0, 0, 1]

    private let request: [UInt8]
    private var reply: [UInt8] = []

    /// - Parameters:
    ///   - destination: an IPv4 address, or for SOCKS 4A a name.
    ///   - user: without NUL.
    /// - Throws: ``ProxyFailure/needsIPv4`` for an IPv6 address.
    package init(to destination: SOCKSDestination, port: UInt16, user: String) throws(ProxyFailure) {
        var bytes = [Self.version, Self.connect, UInt8(port >> 8), UInt8(port & 0xFF)]
        switch destination {
        case .address(let address):
            guard address.isV4 else { throw .needsIPv4 }
            bytes += address.bytes + Array(user.utf8) + [0]
        case .name(let name): bytes += Self.addressForNames + Array(user.utf8) + [0] + Array(name.utf8) + [0]
        }
        request = bytes
    }

    package mutating func begin() -> [UInt8] { request }

    package mutating func receive(_ bytes: [UInt8]) -> NegotiationStep {
        reply += bytes
        // The version of a reply is 0.
        guard let version = reply.first, version == 0 else {
            return .failed(.unexpected(AnswerExcerpt.bytes(of: reply)))
        }
        guard reply.count >= Self.replyLength else { return .proceed() }
        guard reply[1] == Self.granted else { return .failed(.proxy(.socks4(reply[1]))) }
        return .done(injected: reply.count - Self.replyLength)
    }
}
