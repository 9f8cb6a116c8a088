import Testing

@testable import Fetching

@Suite struct ProtocolGuessTests {
    static let startTLS = FetchError.NextStep.useImplicitTLS
    static let plainHTTP = FetchError.NextStep.avoidPlainHTTP

    /// The first bytes that real servers of these protocols send to a TLS client.
    @Test(
        arguments: [
            ("HTTP/1.1 400 Bad Request\r\n", "in plain HTTP", plainHTTP),
            ("<!DOCTYPE HTML PUBLIC", "in plain HTTP", plainHTTP), ("<html>\r\n<head>", "in plain HTTP", plainHTTP),
            ("SSH-2.0-OpenSSH_9.2p1 Debian-2", "in SSH", nil),
            ("220 mail.example.com ESMTP", "with an SMTP or FTP greeting", startTLS),
            ("220-FTP server ready", "with an SMTP or FTP greeting", startTLS),
            ("* OK [CAPABILITY IMAP4rev1", "with an IMAP greeting", startTLS),
            ("* PREAUTH ready", "with an IMAP greeting", startTLS),
            ("+OK POP3 ready", "with a POP3 greeting", startTLS),
            ("ERR unknown command\r\nmore", "with \"ERR unknown command\"", nil),
            ("\u{4}\u{0}\u{0}\u{1}\u{2}\u{3}\u{4}\u{5}\u{6}\u{7}", "with the bytes 04 00 00 01 02 03 04 05", nil),
            ("a\u{1B}[0m", "with the bytes 61 1b 5b 30 6d", nil),
            ("\r\nhello", "with the bytes 0d 0a 68 65 6c 6c 6f", nil),
        ] as [(String, String, FetchError.NextStep?)])
    func namesTheProtocol(first: String, description: String, step: FetchError.NextStep?) {
        let bytes = Array(first.utf8)
        #expect(!ProtocolGuess.isTLS(bytes))
        #expect(ProtocolGuess(bytes).description == description)
        #expect(ProtocolGuess(bytes).nextStep == step)
    }

    /// RFC 8446, section 5.1: an alert or a handshake message, and a version that begins with 3.
    @Test(
        arguments: [
            ([0x16, 0x03, 0x03, 0x00, 0x7A], true), ([0x15, 0x03, 0x01, 0x00, 0x02], true), ([0x16], true), ([], true),
            ([0x15, 0x02], false), ([0x17, 0x03, 0x03], false), ([0x14, 0x03], false), ([0x48], false),
        ] as [([UInt8], Bool)])
    func recognizesTheFirstBytesOfTLS(bytes: [UInt8], isTLS: Bool) {
        #expect(ProtocolGuess.isTLS(bytes) == isTLS)
    }
}
