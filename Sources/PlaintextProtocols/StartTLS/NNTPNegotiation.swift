/// STARTTLS of NNTP (RFC 4642). All replies have one line (RFC 3977, section 3.1).
struct NNTPNegotiation: PlaintextNegotiation {
    private var hasGreeted = false
    private var reader = ReplyReader()

    mutating func begin() -> [UInt8] { [] }

    mutating func receive(_ bytes: [UInt8]) -> NegotiationStep {
        reader.append(bytes)
        do throws(NegotiationFailure) {
            guard let reply = try reader.next() else { return .proceed() }
            guard hasGreeted else {
                // Posting is allowed, or prohibited (RFC 3977, section 5.1.1).
                guard reply.code == 200 || reply.code == 201 else { return .failed(.refused(reply.words)) }
                hasGreeted = true
                return reader.proceed(sending: "STARTTLS\r\n")
            }
            guard reply.code == 382 else { return .failed(.refused(reply.words)) }
            return .done(injected: reader.remainder)
        } catch {
            return .failed(error)
        }
    }
}
