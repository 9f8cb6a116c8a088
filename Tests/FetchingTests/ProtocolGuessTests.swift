import PlaintextProtocols
import Testing

@testable import Fetching

@Suite struct ProtocolGuessTests {
    /// The steps for these targets.
    private static func use(_ targets: String...) -> FetchError.NextStep {
        .useStartTLS(targets.compactMap { try? Target(parsing: $0) })
    }
    static let plainHTTP = FetchError.NextStep.avoidPlainHTTP

    /// The first bytes that real servers of these protocols send to a TLS client.
    @Test(
        arguments: [
            ("HTTP/1.1 400 Bad Request\r\n", "in plain HTTP", plainHTTP),
            ("<!DOCTYPE HTML PUBLIC", "in plain HTTP", plainHTTP), ("<html>\r\n<head>", "in plain HTTP", plainHTTP),
            ("SSH-2.0-OpenSSH_9.2p1 Debian-2", "in SSH", nil),
            ("220 mail.example.com ESMTP", "with an SMTP or FTP greeting", use("smtp://a.example:8587")),
            ("220-FTP server ready", "with an SMTP or FTP greeting", use("ftp://a.example:8587")),
            ("220 ready", "with an SMTP or FTP greeting", use("smtp://a.example:8587", "ftp://a.example:8587")),
            ("* OK [CAPABILITY IMAP4rev1", "with an IMAP greeting", use("imap://a.example:8587")),
            ("* PREAUTH ready", "with an IMAP greeting", use("imap://a.example:8587")),
            ("+OK POP3 ready", "with a POP3 greeting", use("pop3://a.example:8587")),
            ("200 news ready", "with an NNTP greeting", use("nntp://a.example:8587")),
            ("\"IMPLEMENTATION\" \"Dovecot\"", "with a ManageSieve greeting", use("sieve://a.example:8587")),
            ("I\u{0}\u{0}\u{0}\u{A}8.0.36\u{0}", "with a MySQL greeting", use("mysql://a.example:8587")),
            ("ERR unknown command\r\nmore", "with \"ERR unknown command\"", nil),
            ("a text of thirty-two characters.", "with \"a text of thirty-two characters.…\"", nil),
            ("##vso[task.x]a", "with \"#\\u{23}vso[task.x]a\"", nil),
            ("\u{4}\u{0}\u{0}\u{1}\u{2}\u{3}\u{4}\u{5}\u{6}\u{7}", "with the bytes 04 00 00 01 02 03 04 05", nil),
            ("a\u{1B}[0m", "with the bytes 61 1b 5b 30 6d", nil),
            ("\r\nhello", "with the bytes 0d 0a 68 65 6c 6c 6f", nil),
        ] as [(String, String, FetchError.NextStep?)])
    func namesTheProtocol(first: String, description: String, step: FetchError.NextStep?) throws {
        let bytes = Array(first.utf8)
        #expect(!TLSRecordStart.matches(bytes))
        #expect(ProtocolGuess(bytes).description == description)
        let endpoint = try #require(Endpoint(address: [192, 0, 2, 1], port: 8587))
        let target = try Target(parsing: "a.example:8587")
        #expect(ProtocolGuess(bytes).nextStep(for: target, at: endpoint) == step)
    }

    /// RFC 8446, section 5.1: an alert or a handshake message, and a version that begins with 3.
    @Test(
        arguments: [
            ([0x16, 0x03, 0x03, 0x00, 0x7A], true), ([0x15, 0x03, 0x01, 0x00, 0x02], true), ([0x16], true), ([], true),
            ([0x15, 0x02], false), ([0x17, 0x03, 0x03], false), ([0x14, 0x03], false), ([0x48], false),
        ] as [([UInt8], Bool)])
    func recognizesTheFirstBytesOfTLS(bytes: [UInt8], isTLS: Bool) {
        #expect(TLSRecordStart.matches(bytes) == isTLS)
    }

    /// The port selects one of two protocols with the same greeting.
    @Test func usesThePortOfAGreeting() throws {
        for (port, text) in [(21, "ftp://a.example:21"), (25, "smtp://a.example:25"), (587, "smtp://a.example:587")] {
            let endpoint = try #require(Endpoint(address: [192, 0, 2, 1], port: UInt16(port)))
            let target = try Target(parsing: "a.example:\(port)")
            #expect(ProtocolGuess(Array("220 ready".utf8)).nextStep(for: target, at: endpoint) == Self.use(text))
        }
    }
}
