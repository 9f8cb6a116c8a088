/// StartTLS of LDAP (RFC 4511, section 4.14): an extended operation.
struct LDAPNegotiation: PlaintextNegotiation {
    /// An LDAPMessage with the ID 1 and an ExtendedRequest of the name 1.3.6.1.4.1.1466.20037.
    private static let request: [UInt8] =
        [0x30, 0x1D, 0x02, 0x01, 0x01, 0x77, 0x18, 0x80, 0x16] + Array("1.3.6.1.4.1.1466.20037".utf8)

    private var received: [UInt8] = []

    mutating func begin() -> [UInt8] { Self.request }

    mutating func receive(_ bytes: [UInt8]) -> NegotiationStep {
        received += bytes
        guard received.first == 0x30 else { return .failed(.unexpected(head)) }
        guard let message = Element(received[...]) else {
            return Element.isInvalid(received[...]) ? .failed(.unexpected(head)) : .proceed()
        }
        // messageID, then the ExtendedResponse: [APPLICATION 24].
        guard let identifier = Element(message.content), identifier.tag == 0x02,
            let response = Element(message.content[identifier.end...]), response.tag == 0x78,
            let code = Element(response.content), code.tag == 0x0A, let result = code.content.first,
            code.content.count == 1
        else { return .failed(.unexpected(head)) }
        guard result == 0 else { return .failed(.refused(Self.words(code: result, response.content[code.end...]))) }
        return .done(injected: received.endIndex - message.end)
    }

    private var head: [UInt8] { AnswerExcerpt.bytes(of: received) }

    /// The result code and the diagnostic message, which follows the matched name.
    private static func words(code: UInt8, _ rest: ArraySlice<UInt8>) -> String {
        guard let matched = Element(rest), let message = Element(rest[matched.end...]), message.tag == 0x04,
            !message.content.isEmpty
        else { return "result code \(code)" }
        return "result code \(code): \(message.content.text)"
    }
}

/// An element in BER with a tag of one byte and a definite length (RFC 4511, section 5.1).
private struct Element {
    let tag: UInt8
    let content: ArraySlice<UInt8>
    var end: Int { content.endIndex }

    /// Nil if the bytes are incomplete or invalid.
    init?(_ bytes: ArraySlice<UInt8>) {
        guard let tag = bytes.first, let (length, start) = Self.length(of: bytes), length <= bytes.endIndex - start
        else { return nil }
        self.tag = tag
        content = bytes[start..<(start + length)]
    }

    /// Whether no further bytes can complete the element.
    static func isInvalid(_ bytes: ArraySlice<UInt8>) -> Bool {
        guard let first = bytes.dropFirst().first else { return false }
        if first > 0x84 || first == 0x80 { return true }
        guard let (length, _) = length(of: bytes) else { return false }
        return length > NegotiationLimits.maximumBytes
    }

    /// Length of the content, and where the content begins. The long form may have more bytes than it needs.
    private static func length(of bytes: ArraySlice<UInt8>) -> (length: Int, start: Int)? {
        guard let first = bytes.dropFirst().first else { return nil }
        let start = bytes.startIndex + 2
        guard first >= 0x80 else { return (Int(first), start) }
        let count = Int(first & 0x7F)
        guard (1...4).contains(count), bytes.endIndex - start >= count else { return nil }
        return (bytes[start..<(start + count)].reduce(0) { $0 << 8 | Int($1) }, start + count)
    }
}
