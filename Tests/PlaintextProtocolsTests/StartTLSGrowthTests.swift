import Pinning
import TestSupport
import Testing

@testable import PlaintextProtocols

/// An incomplete message that arrives one byte at a time: eight times the bytes need about eight times the work. The ratio is 64 if the
/// message is read again from its start for each byte. The messages of `mssql`, `mysql` and `rdp` have at most 4096 bytes.
@Suite(.notWithSanitizer) struct StartTLSGrowthTests {
    /// The start of a message, and a byte that follows it any number of times without an end.
    @Test(
        arguments: [
            (.smtp, "220-", "a"), (.lmtp, "220 ", "a"), (.imap, "* OK ", "a"), (.pop3, "+OK ", "a"),
            (.ftp, "220-", "a"),
            (.nntp, "200 ", "a"), (.sieve, "\"A\" {99999}\r\n", "a"), (.irc, ":", "a"),
            (.xmpp, "", " "), (.xmpp, "<a x='", ">"), (.xmpp, "<a>", "a"), (.xmpp, "<", "a"),
        ] as [(StartTLSProtocol, String, Character)])
    func text(proto: StartTLSProtocol, start: String, filler: Character) {
        expectProportion(proto, Array(start.utf8), filler.asciiValue ?? 0)
    }

    @Test(
        arguments: [
            (.telnet, [], 0x61), (.telnet, [255, 250, 46, 1], 0x61), (.telnet, [255, 250], 255),
            (.ldap, [0x30, 0x83, 1, 0, 0], 0),
            (.postgres, [0x45, 0, 1, 0, 0], 0x61),
        ] as [(StartTLSProtocol, [UInt8], UInt8)])
    func bytes(proto: StartTLSProtocol, start: [UInt8], filler: UInt8) {
        expectProportion(proto, start, filler)
    }

    private func expectProportion(_ proto: StartTLSProtocol, _ start: [UInt8], _ filler: UInt8) {
        let size = NegotiationLimits.maximumBytes / 8
        let growth = Work.growth(
            small: { receive(start, filler, count: size, by: proto) },
            large: { receive(start, filler, count: size * 8, by: proto) })
        #expect(growth < 30)
    }

    private func receive(_ start: [UInt8], _ filler: UInt8, count: Int, by proto: StartTLSProtocol) {
        var negotiation = proto.negotiation(domain: "example.com")
        _ = negotiation.begin()
        _ = negotiation.receive(start)
        var last = NegotiationStep.proceed()
        for _ in start.count..<count { last = negotiation.receive([filler]) }
        guard case .proceed = last else {
            Issue.record("\(last)")
            return
        }
    }
}
