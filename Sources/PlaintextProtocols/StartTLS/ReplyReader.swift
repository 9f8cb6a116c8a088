/// Reads replies with a code of three digits, as in SMTP (RFC 5321, section 4.2) and FTP (RFC 959, section 4.2).
///
/// A reply can have several lines. The last one has a space or nothing after its code. In SMTP, each other line has the code and a hyphen;
/// in FTP, only the first one has.
package struct ReplyReader {
    package struct Reply: Equatable {
        package let code: Int
        /// The texts of the lines, without the codes.
        let lines: [String]

        /// The reply as the server sent it, with its lines joined by spaces.
        package var words: String { ([String(code)] + lines.filter { !$0.isEmpty }).joined(separator: " ") }
    }

    private var buffer = LineBuffer()
    private var code: Int?
    private var lines: [String] = []

    /// Number of bytes after the last reply that was returned.
    var remainder: Int { buffer.count }

    package init() {}

    package mutating func append(_ bytes: [UInt8]) { buffer.append(bytes) }

    /// The next complete reply; nil if none has arrived.
    ///
    /// - Throws: ``NegotiationFailure/unexpected(_:)`` if a line does not begin with a code.
    package mutating func next() throws(NegotiationFailure) -> Reply? {
        while true {
            let head = buffer.head
            guard let line = buffer.next() else {
                // Bytes that cannot begin a reply are reported before the end of their line.
                if code == nil, !Self.canBegin(head) { throw .unexpected(buffer.excerpt) }
                return nil
            }
            guard let (number, isLast, text) = Self.split(line), code == nil || code == number else {
                // FTP allows lines without a code inside a reply.
                guard code != nil else { throw .unexpected(AnswerExcerpt.bytes(of: line)) }
                lines.append(line.text)
                continue
            }
            lines.append(text)
            guard isLast else {
                code = number
                continue
            }
            defer { (code, lines) = (nil, []) }
            return Reply(code: number, lines: lines)
        }
    }

    private static func canBegin(_ head: [UInt8]) -> Bool {
        head.prefix(3).allSatisfy { (UInt8(ascii: "0")...UInt8(ascii: "9")).contains($0) }
            && (head.count < 4 || head[3] == UInt8(ascii: " ") || head[3] == UInt8(ascii: "-")
                || head[3] == UInt8(ascii: "\r") || head[3] == UInt8(ascii: "\n"))
    }

    private static func split(_ line: [UInt8]) -> (code: Int, isLast: Bool, text: String)? {
        guard line.count >= 3, canBegin(line), let code = Int(line.prefix(3).text) else { return nil }
        return (code, line.count == 3 || line[3] == UInt8(ascii: " "), line.dropFirst(4).text)
    }
}
