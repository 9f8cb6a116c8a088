/// The security negotiation of RDP (MS-RDPBCGR, sections 2.2.1.1 and 2.2.1.2), in X.224 over TPKT (RFC 1006, section 6).
struct RDPNegotiation: PlaintextNegotiation {
    /// PROTOCOL_SSL and PROTOCOL_HYBRID, which both begin with TLS.
    private static let protocols: UInt8 = 3

    private var received: [UInt8] = []

    /// A TPKT header, an X.224 connection request, and an RDP_NEG_REQ.
    mutating func begin() -> [UInt8] {
        [3, 0, 0, 19] + [14, 0xE0, 0, 0, 0, 0, 0] + [1, 0, 8, 0, Self.protocols, 0, 0, 0]
    }

    private var head: [UInt8] { AnswerExcerpt.bytes(of: received) }

    mutating func receive(_ bytes: [UInt8]) -> NegotiationStep {
        received += bytes
        guard received.first == 3, received.count < 2 || received[1] == 0 else { return .failed(.unexpected(head)) }
        guard received.count >= 4 else { return .proceed() }
        let length = Int(received[2]) << 8 | Int(received[3])
        guard (11...1024).contains(length) else { return .failed(.unexpected(head)) }
        guard received.count >= length else { return .proceed() }
        // The code of a connection confirm, in its upper four bits (X.224, section 13.4).
        guard received[5] & 0xF0 == 0xD0 else { return .failed(.unexpected(head)) }
        // Without negotiation data the server uses the security of RDP itself.
        guard length >= 19, case let data = received[11..<19] else { return .failed(.notOffered(nil)) }
        let value = data[15...].enumerated().reduce(UInt32(0)) { $0 | UInt32($1.element) << (8 * $1.offset) }
        switch data[11] {
        case 2 where value == 1 || value == 2: return .done(injected: received.count - length)
        case 2: return .failed(.notOffered("selected protocol \(value)"))
        case 3: return .failed(.refused("failure code \(value)" + (Self.failures[value].map { ": \($0)" } ?? "")))
        default: return .failed(.unexpected(head))
        }
    }

    /// MS-RDPBCGR, section 2.2.1.2.2.
    private static let failures: [UInt32: String] = [
        1: "SSL_REQUIRED_BY_SERVER", 2: "SSL_NOT_ALLOWED_BY_SERVER", 3: "SSL_CERT_NOT_ON_SERVER",
        4: "INCONSISTENT_FLAGS", 5: "HYBRID_REQUIRED_BY_SERVER", 6: "SSL_WITH_USER_AUTH_REQUIRED_BY_SERVER",
    ]
}
