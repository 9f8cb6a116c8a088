/// SSLRequest of PostgreSQL (its documentation, "Frontend/Backend Protocol", sections "SSL Session Encryption" and "Message Formats").
struct PostgresNegotiation: PlaintextNegotiation {
    private var error: [UInt8] = []

    /// The length 8 and the request code 80877103.
    mutating func begin() -> [UInt8] { [0x00, 0x00, 0x00, 0x08, 0x04, 0xD2, 0x16, 0x2F] }

    mutating func receive(_ bytes: [UInt8]) -> NegotiationStep {
        error += bytes
        switch error.first {
        case UInt8(ascii: "S"): return .done(injected: error.count - 1)
        case UInt8(ascii: "N"): return .failed(.notOffered(nil))
        case UInt8(ascii: "E"): break
        default: return .failed(.unexpected(AnswerExcerpt.bytes(of: error)))
        }
        // An ErrorResponse of a server that does not know the request: the length, then fields.
        guard error.count >= 5 else { return .proceed() }
        let length = error[1...4].reduce(0) { $0 << 8 | Int($1) }
        guard (4...NegotiationLimits.maximumBytes).contains(length) else {
            return .failed(.unexpected(AnswerExcerpt.bytes(of: error)))
        }
        guard error.count > length else { return .proceed() }
        let fields = error[5..<(length + 1)].split(separator: 0).map { ($0.first, $0.dropFirst().text) }
        let message = fields.first { $0.0 == UInt8(ascii: "M") }?.1
        return .failed(.refused(message ?? "an error without a message"))
    }
}
