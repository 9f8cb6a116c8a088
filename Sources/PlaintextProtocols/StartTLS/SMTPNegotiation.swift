/// STARTTLS of SMTP (RFC 3207) and LMTP (RFC 2033, section 4.1).
///
/// The server greets, the client asks for the extensions, and the server must list STARTTLS among them.
struct SMTPNegotiation: PlaintextNegotiation {
    private enum State {
        case greeting, extensions, answer
    }

    private let command: String
    private var state = State.greeting
    private var reader = ReplyReader()

    /// - Parameter isLMTP: whether the server speaks LMTP, in which `LHLO` replaces `EHLO`.
    init(isLMTP: Bool = false) {
        // A client without a name sends an address literal (RFC 5321, section 4.1.4).
        command = (isLMTP ? "LHLO" : "EHLO") + " [127.0.0.1]\r\n"
    }

    mutating func begin() -> [UInt8] { [] }

    mutating func receive(_ bytes: [UInt8]) -> NegotiationStep {
        reader.append(bytes)
        do throws(NegotiationFailure) {
            guard let reply = try reader.next() else { return .proceed() }
            switch state {
            case .greeting:
                guard reply.code == 220 else { return .failed(.refused(reply.words)) }
                state = .extensions
                return reader.proceed(sending: command)
            case .extensions:
                guard reply.code == 250 else { return .failed(.refused(reply.words)) }
                let keywords = reply.lines.dropFirst().map { $0.prefix { $0 != " " }.uppercased() }
                guard keywords.contains("STARTTLS") else { return .failed(.notOffered(reply.words)) }
                state = .answer
                return reader.proceed(sending: "STARTTLS\r\n")
            case .answer:
                guard reply.code == 220 else { return .failed(.refused(reply.words)) }
                return .done(injected: reader.remainder)
            }
        } catch {
            return .failed(error)
        }
    }
}

extension ReplyReader {
    /// Sends a command. Bytes after the last reply cannot be the answer to a command that was not sent, so they are refused.
    func proceed(sending command: String) -> NegotiationStep {
        remainder == 0 ? .proceed(sending: Array(command.utf8)) : .failed(.injectedText(count: remainder))
    }
}

extension LineBuffer {
    /// Sends a command. Bytes after the last line cannot be the answer to a command that was not sent, so they are refused.
    func proceed(sending command: String) -> NegotiationStep {
        count == 0 ? .proceed(sending: Array(command.utf8)) : .failed(.injectedText(count: count))
    }
}
