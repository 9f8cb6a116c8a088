/// STARTTLS of ManageSieve (RFC 5804, section 2.2).
///
/// The server begins with its capabilities, one in a line, and ends them with OK.
struct SieveNegotiation: PlaintextNegotiation {
    private var offersTLS = false
    private var hasSentCommand = false
    private var capabilities: [String] = []
    private var buffer = LineBuffer()
    /// Number of bytes of a literal string that have not arrived yet.
    private var literal = 0
    /// The line of an answer up to its literal string, whose line end has not arrived yet.
    private var answer: [UInt8]?

    mutating func begin() -> [UInt8] { [] }

    mutating func receive(_ bytes: [UInt8]) -> NegotiationStep {
        buffer.append(bytes)
        while true {
            if literal > 0 {
                guard let text = buffer.take(literal) else { return .proceed() }
                literal = 0
                if let start = answer {
                    answer = start.dropLast(start.reversed().prefix { $0 != UInt8(ascii: "{") }.count + 1) + text
                }
            }
            let head = buffer.head
            guard let line = buffer.next() else {
                // A line that a literal string began is empty, and its line end can arrive in two parts.
                let isCapability =
                    head.isEmpty || head.first == UInt8(ascii: "\"") || head == [UInt8(ascii: "\r")]
                    || Self.isStatusStart(head)
                return isCapability ? .proceed() : .failed(.unexpected(buffer.excerpt))
            }
            if let answer {
                guard line.isEmpty else { return .failed(.unexpected(AnswerExcerpt.bytes(of: line))) }
                self.answer = nil
                return step(after: answer)
            }
            if ["OK", "NO", "BYE"].contains(where: line.startsIgnoringCase) {
                // RFC 5804, section 4: the text of an answer can be a literal string, too.
                guard let count = Self.literalLength(line) else { return step(after: line) }
                (answer, literal) = (line, count)
                continue
            }
            guard !hasSentCommand, line.isEmpty || line.first == UInt8(ascii: "\"") else {
                return .failed(.unexpected(AnswerExcerpt.bytes(of: line)))
            }
            if line.startsIgnoringCase("\"STARTTLS\"") { offersTLS = true }
            capabilities.append(line.text)
            guard let count = Self.literalLength(line) else { continue }
            literal = count
        }
    }

    /// - Parameter answer: a whole OK, NO or BYE.
    private mutating func step(after answer: [UInt8]) -> NegotiationStep {
        guard answer.startsIgnoringCase("OK") else { return .failed(.refused(answer.text)) }
        guard !hasSentCommand else { return .done(injected: buffer.count) }
        guard offersTLS else { return .failed(.notOffered(capabilities.joined(separator: " "))) }
        hasSentCommand = true
        return buffer.proceed(sending: "STARTTLS\r\n")
    }

    private static func isStatusStart(_ head: [UInt8]) -> Bool {
        ["OK", "NO", "BYE"].contains { $0.utf8.starts(with: head.prefix($0.utf8.count).map { $0 & 0xDF }) }
    }

    /// The length of a literal string that begins at the end of this line: `{12}` (RFC 5804, section 4).
    private static func literalLength(_ line: [UInt8]) -> Int? {
        guard line.last == UInt8(ascii: "}"), let open = line.lastIndex(of: UInt8(ascii: "{")) else { return nil }
        let digits = line[(open + 1)...].dropLast().filter { $0 != UInt8(ascii: "+") }
        guard (1...6).contains(digits.count), digits.allSatisfy({ (0x30...0x39).contains($0) }) else { return nil }
        return Int(digits.text)
    }
}
