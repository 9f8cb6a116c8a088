/// START_TLS of Telnet (draft-altman-telnet-starttls-02), in the option negotiation of RFC 854 and RFC 855.
///
/// The server sends DO START_TLS and the client WILL START_TLS. Then both send a subnegotiation with FOLLOWS, and TLS begins.
struct TelnetNegotiation: PlaintextNegotiation {
    // RFC 854, "TELNET command structure".
    private static let subnegotiationEnd: UInt8 = 240
    private static let subnegotiation: UInt8 = 250
    private static let will: UInt8 = 251
    private static let wont: UInt8 = 252
    private static let doIt: UInt8 = 253
    private static let dont: UInt8 = 254
    private static let interpret: UInt8 = 255
    // Section 2 of the draft.
    private static let startTLS: UInt8 = 46
    private static let follows: UInt8 = 1

    private var pending: [UInt8] = []
    private var hasSentFollows = false
    /// Text outside commands, to quote it.
    private var text: [UInt8] = []

    mutating func begin() -> [UInt8] { [Self.interpret, Self.will, Self.startTLS] }

    mutating func receive(_ bytes: [UInt8]) -> NegotiationStep {
        pending += bytes
        var output: [UInt8] = []
        var rest = pending[...]
        defer { pending = Array(rest) }
        while let first = rest.first {
            guard first == Self.interpret else {
                text.append(first)
                rest = rest.dropFirst()
                // A server can send any text, but not a TLS record.
                if text.count == 2, TLSRecordStart.matches(text) { return .failed(.unexpected(text)) }
                continue
            }
            guard let command = rest.dropFirst().first else { break }
            if command == Self.subnegotiation {
                guard let (option, value, end) = Self.subnegotiation(in: rest) else { break }
                rest = rest[end...]
                guard option == Self.startTLS, value == [Self.follows] else { continue }
                guard hasSentFollows else { return .failed(.unexpected([Self.interpret, command, option])) }
                return .done(sending: output, injected: rest.count)
            }
            guard (Self.will...Self.dont).contains(command) else {
                rest = rest.dropFirst(2)
                continue
            }
            guard let option = rest.dropFirst(2).first else { break }
            rest = rest.dropFirst(3)
            switch (command, option) {
            case (Self.doIt, Self.startTLS) where !hasSentFollows:
                hasSentFollows = true
                output += [
                    Self.interpret, Self.subnegotiation, Self.startTLS, Self.follows, Self.interpret,
                    Self.subnegotiationEnd,
                ]
            case (Self.dont, Self.startTLS): return .failed(.notOffered(text.isEmpty ? nil : text.text))
            case (Self.doIt, let option) where option != Self.startTLS: output += [Self.interpret, Self.wont, option]
            case (Self.will, let option): output += [Self.interpret, Self.dont, option]
            default: break
            }
        }
        return .proceed(sending: output)
    }

    /// The option, the value and the end of the subnegotiation that `bytes` begins with; nil if its end has not arrived.
    private static func subnegotiation(in bytes: ArraySlice<UInt8>) -> (option: UInt8, value: [UInt8], end: Int)? {
        var value: [UInt8] = []
        var index = bytes.startIndex + 2
        while index + 1 < bytes.endIndex {
            guard bytes[index] == interpret else {
                value.append(bytes[index])
                index += 1
                continue
            }
            if bytes[index + 1] == subnegotiationEnd { return (value.first ?? 0, Array(value.dropFirst()), index + 2) }
            // Two of these bytes are one in the value (RFC 855).
            value.append(bytes[index + 1])
            index += 2
        }
        return nil
    }
}
