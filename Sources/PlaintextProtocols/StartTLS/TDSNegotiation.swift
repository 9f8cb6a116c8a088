/// PRELOGIN of TDS, the protocol of Microsoft SQL Server (MS-TDS, section 2.2.6.5).
///
/// After it, the TLS handshake runs inside TDS packets: ``TDSFraming``.
struct TDSNegotiation: PlaintextNegotiation {
    // Option tokens.
    private static let version: UInt8 = 0
    private static let encryption: UInt8 = 1
    private static let terminator: UInt8 = 0xFF
    // Values of the option ENCRYPTION.
    private static let encryptOn: UInt8 = 1
    private static let encryptNotSupported: UInt8 = 2

    private var received: [UInt8] = []

    /// A packet with the options VERSION, 0.0.0.0, and ENCRYPTION, on. Offsets count from the start of the options.
    mutating func begin() -> [UInt8] {
        let options: [UInt8] = [Self.version, 0, 11, 0, 6, Self.encryption, 0, 17, 0, 1, Self.terminator]
        return TDSFraming.packet(options + [0, 0, 0, 0, 0, 0] + [Self.encryptOn])
    }

    private var head: [UInt8] { AnswerExcerpt.bytes(of: received) }

    mutating func receive(_ bytes: [UInt8]) -> NegotiationStep {
        received += bytes
        guard received.first == TDSFraming.response else { return .failed(.unexpected(head)) }
        guard received.count >= TDSFraming.headerLength else { return .proceed() }
        let length = Int(received[2]) << 8 | Int(received[3])
        guard (TDSFraming.headerLength...4096).contains(length) else { return .failed(.unexpected(head)) }
        guard received.count >= length else { return .proceed() }
        guard let value = Self.encryption(in: received[TDSFraming.headerLength..<length]) else {
            return .failed(.unexpected(head))
        }
        guard value != Self.encryptNotSupported else { return .failed(.notOffered("ENCRYPT_NOT_SUP")) }
        return .done(injected: received.count - length)
    }

    /// The value of the option ENCRYPTION: a token, an offset and a length for each option, then the values.
    private static func encryption(in options: ArraySlice<UInt8>) -> UInt8? {
        var index = options.startIndex
        while index < options.endIndex, options[index] != terminator {
            guard index + 5 <= options.endIndex else { return nil }
            let offset = options.startIndex + Int(options[index + 1]) << 8 + Int(options[index + 2])
            if options[index] == encryption { return offset < options.endIndex ? options[offset] : nil }
            index += 5
        }
        return nil
    }
}
