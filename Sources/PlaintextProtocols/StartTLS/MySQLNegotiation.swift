/// SSLRequest of MySQL and MariaDB (MySQL internals, "Connection Phase": Protocol::HandshakeV10, Protocol::SSLRequest).
///
/// The server sends its greeting with its capabilities, and expects TLS after the request without a further answer.
struct MySQLNegotiation: PlaintextNegotiation {
    // Capabilities.
    private static let longPassword: UInt32 = 0x0001
    private static let protocol41: UInt32 = 0x0200
    private static let ssl: UInt32 = 0x0800
    private static let secureConnection: UInt32 = 0x8000

    private var received: [UInt8] = []

    mutating func begin() -> [UInt8] { [] }

    mutating func receive(_ bytes: [UInt8]) -> NegotiationStep {
        received += bytes
        // The length of the packet in three bytes, its sequence number, which is 0, and its payload.
        guard received.count >= 5 else { return .proceed() }
        let length = Int(received[0]) | Int(received[1]) << 8 | Int(received[2]) << 16
        guard received[3] == 0, (1...4096).contains(length), received[4] == 10 || received[4] == 0xFF else {
            return .failed(.unexpected(AnswerExcerpt.bytes(of: received)))
        }
        guard received.count >= 4 + length else { return .proceed() }
        let payload = received[5..<(4 + length)]
        guard received[4] == 10 else { return .failed(.refused(Self.errorWords(payload))) }
        // The version ends with NUL; then follow the connection's ID and 8 bytes of a nonce, a filler, and the lower capabilities.
        guard let end = payload.firstIndex(of: 0), payload.endIndex - end > 15 else {
            return .failed(.unexpected(AnswerExcerpt.bytes(of: received)))
        }
        let capabilities = UInt32(payload[end + 14]) | UInt32(payload[end + 15]) << 8
        guard capabilities & Self.ssl != 0 else {
            return .failed(.notOffered("version \(payload[..<end].text)"))
        }
        return .done(sending: Self.request, injected: received.count - 4 - length)
    }

    /// The number of the error in two bytes, then its text.
    private static func errorWords(_ payload: ArraySlice<UInt8>) -> String {
        guard payload.count > 2 else { return "an error without a message" }
        let code = Int(payload[payload.startIndex]) | Int(payload[payload.startIndex + 1]) << 8
        return "error \(code): \(payload.dropFirst(2).text)"
    }

    /// A packet of 32 bytes with the sequence number 1: capabilities, maximum packet size, character set utf8, and 23 zero bytes.
    private static var request: [UInt8] {
        let capabilities = longPassword | protocol41 | ssl | secureConnection
        let maximum: UInt32 = 1 << 24
        return [32, 0, 0, 1] + littleEndian(capabilities) + littleEndian(maximum) + [33]
            + [UInt8](repeating: 0, count: 23)
    }

    private static func littleEndian(_ number: UInt32) -> [UInt8] {
        (0..<4).map { UInt8(truncatingIfNeeded: number >> (8 * $0)) }
    }
}
