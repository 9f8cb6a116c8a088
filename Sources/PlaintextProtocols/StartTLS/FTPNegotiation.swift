/// AUTH TLS of FTP (RFC 4217, section 4).
struct FTPNegotiation: PlaintextNegotiation {
    private var hasGreeted = false
    private var reader = ReplyReader()

    mutating func begin() -> [UInt8] { [] }

    mutating func receive(_ bytes: [UInt8]) -> NegotiationStep {
        reader.append(bytes)
        do throws(NegotiationFailure) {
            while let reply = try reader.next() {
                guard hasGreeted else {
                    // The server is ready in some minutes (RFC 959, section 5.4).
                    if reply.code == 120 { continue }
                    guard reply.code == 220 else { return .failed(.refused(reply.words)) }
                    hasGreeted = true
                    return reader.proceed(sending: "AUTH TLS\r\n")
                }
                guard reply.code == 234 else { return .failed(.refused(reply.words)) }
                return .done(injected: reader.remainder)
            }
            return .proceed()
        } catch {
            return .failed(error)
        }
    }
}
