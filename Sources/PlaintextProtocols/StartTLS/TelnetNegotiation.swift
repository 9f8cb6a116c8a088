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

    private enum State {
        case text
        /// After IAC.
        case command
        /// After IAC and this command, which an option follows.
        case option(command: UInt8)
        case subnegotiation
        /// After IAC in a subnegotiation.
        case subnegotiationCommand
    }

    private var state = State.text
    private var hasSentFollows = false
    /// Text outside commands, to quote it.
    private var text: [UInt8] = []
    /// The option and the value of the present subnegotiation.
    private var parameters: [UInt8] = []

    // Both sides begin with their options (RFC 854).
    var peerMaySpeakFirst: Bool { true }

    mutating func begin() -> [UInt8] { [Self.interpret, Self.will, Self.startTLS] }

    mutating func receive(_ bytes: [UInt8]) -> NegotiationStep {
        var output: [UInt8] = []
        for (index, byte) in bytes.enumerated() {
            switch state {
            case .text where byte == Self.interpret: state = .command
            case .text:
                text.append(byte)
                // A server can send any text, but not a TLS record.
                if text.count == 2, TLSRecordStart.matches(text) { return .failed(.unexpected(text)) }
            case .command where byte == Self.subnegotiation:
                state = .subnegotiation
                parameters = []
            case .command: state = (Self.will...Self.dont).contains(byte) ? .option(command: byte) : .text
            case .option(let command):
                state = .text
                if (command, byte) == (Self.dont, Self.startTLS) {
                    return .failed(.notOffered(text.isEmpty ? nil : text.text))
                }
                output += answer(to: command, byte)
            case .subnegotiation where byte == Self.interpret: state = .subnegotiationCommand
            case .subnegotiation: parameters.append(byte)
            case .subnegotiationCommand where byte == Self.subnegotiationEnd:
                state = .text
                guard parameters == [Self.startTLS, Self.follows] else { continue }
                guard hasSentFollows else {
                    return .failed(.unexpected([Self.interpret, Self.subnegotiation, Self.startTLS]))
                }
                return .done(sending: output, injected: bytes.count - index - 1)
            case .subnegotiationCommand:
                // Two of these bytes are one in the value (RFC 855).
                state = .subnegotiation
                parameters.append(byte)
            }
        }
        return .proceed(sending: output)
    }

    /// The answer to an option of the server; empty if it needs none.
    private mutating func answer(to command: UInt8, _ option: UInt8) -> [UInt8] {
        switch (command, option) {
        case (Self.doIt, Self.startTLS) where !hasSentFollows:
            hasSentFollows = true
            return [
                Self.interpret, Self.subnegotiation, Self.startTLS, Self.follows, Self.interpret,
                Self.subnegotiationEnd,
            ]
        case (Self.doIt, let option) where option != Self.startTLS: return [Self.interpret, Self.wont, option]
        case (Self.will, let option): return [Self.interpret, Self.dont, option]
        default: return []
        }
    }
}
