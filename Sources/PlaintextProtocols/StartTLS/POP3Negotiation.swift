/// STLS of POP3 (RFC 2595, section 4).
struct POP3Negotiation: PlaintextNegotiation {
    private var hasGreeted = false
    private var buffer = LineBuffer()

    mutating func begin() -> [UInt8] { [] }

    mutating func receive(_ bytes: [UInt8]) -> NegotiationStep {
        buffer.append(bytes)
        let sign = buffer.head.first
        guard sign == UInt8(ascii: "+") || sign == UInt8(ascii: "-") else {
            return .failed(.unexpected(buffer.excerpt))
        }
        guard let line = buffer.next() else { return .proceed() }
        guard line.startsIgnoringCase("+OK") else { return .failed(.refused(line.text)) }
        guard hasGreeted else {
            hasGreeted = true
            return buffer.proceed(sending: "STLS\r\n")
        }
        return .done(injected: buffer.count)
    }
}
