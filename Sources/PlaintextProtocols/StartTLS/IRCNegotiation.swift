/// STARTTLS of IRC (the "tls" extension of IRCv3: https://ircv3.net/specs/extensions/tls-3.1).
///
/// The server answers with numeric 670 or 691. It may send notices before. The client does not ask for the capability "tls", because
/// servers with STARTTLS accept the command without.
struct IRCNegotiation: PlaintextNegotiation {
    private var buffer = LineBuffer()

    // Servers send notices about the look-up of the client's name.
    var peerMaySpeakFirst: Bool { true }

    mutating func begin() -> [UInt8] { Array("STARTTLS\r\n".utf8) }

    mutating func receive(_ bytes: [UInt8]) -> NegotiationStep {
        buffer.append(bytes)
        if let first = buffer.head.first, first != UInt8(ascii: ":"), !(0x41...0x5A).contains(first & 0xDF) {
            return .failed(.unexpected(buffer.excerpt))
        }
        while let line = buffer.next() {
            // A message: the optional source after a colon, then the command (RFC 1459, section 2.3.1).
            let words = line.split(separator: UInt8(ascii: " "), maxSplits: 3)
            let command = line.first == UInt8(ascii: ":") ? words.dropFirst().first : words.first
            switch command.map({ $0.text.uppercased() }) {
            case "670"?: return .done(injected: buffer.count)
            case "NOTICE"?, "PING"?, nil: continue
            case "ERROR"?: return .failed(.refused(line.text))
            case let name? where name.utf8.count == 3 && Int(name) != nil: return .failed(.refused(line.text))
            default: return .failed(.unexpected(AnswerExcerpt.bytes(of: line)))
            }
        }
        return .proceed()
    }
}
