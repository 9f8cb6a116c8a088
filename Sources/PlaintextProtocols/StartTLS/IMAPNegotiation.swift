/// STARTTLS of IMAP (RFC 9051, section 6.2.1).
struct IMAPNegotiation: PlaintextNegotiation {
    private static let tag = "P1"

    private var hasGreeted = false
    private var buffer = LineBuffer()

    mutating func begin() -> [UInt8] { [] }

    mutating func receive(_ bytes: [UInt8]) -> NegotiationStep {
        buffer.append(bytes)
        guard hasGreeted || "* ".utf8.starts(with: buffer.head.prefix(2)) else {
            return .failed(.unexpected(buffer.excerpt))
        }
        while let line = buffer.next() {
            guard hasGreeted else {
                if line.startsIgnoringCase("* OK") {
                    hasGreeted = true
                    return buffer.proceed(sending: "\(Self.tag) STARTTLS\r\n")
                }
                // In the authenticated state, STARTTLS is not allowed (RFC 9051, section 6.2).
                if line.startsIgnoringCase("* PREAUTH") { return .failed(.notOffered(line.text)) }
                return .failed(
                    line.startsIgnoringCase("* BYE") ? .refused(line.text) : .unexpected(AnswerExcerpt.bytes(of: line)))
            }
            if line.startsIgnoringCase("\(Self.tag) OK") { return .done(injected: buffer.count) }
            // The server can send untagged data before its tagged answer (RFC 9051, section 2.2.2).
            guard line.startsIgnoringCase("* "), !line.startsIgnoringCase("* BYE") else {
                return .failed(.refused(line.text))
            }
        }
        return .proceed()
    }
}
