import Pinning
import TestSupport
import Testing

@testable import PlaintextProtocols

/// The state machines of STARTTLS, with the exchanges of their documents.
@Suite struct StartTLSTests {
    /// A part of an exchange: from the server, or from the client.
    enum Line: Sendable {
        case fromServer([UInt8])
        case fromClient([UInt8])

        static func server(_ text: String) -> Line { .fromServer(Array(text.utf8)) }
        static func client(_ text: String) -> Line { .fromClient(Array(text.utf8)) }
        static func server(bytes parts: [UInt8]...) -> Line { .fromServer(parts.flatMap { $0 }) }
        static func client(bytes parts: [UInt8]...) -> Line { .fromClient(parts.flatMap { $0 }) }
    }

    private static func ascii(_ text: String) -> [UInt8] { Array(text.utf8) }

    private static func zeros(_ count: Int) -> [UInt8] { [UInt8](repeating: 0, count: count) }

    private static func join(_ parts: [UInt8]...) -> [UInt8] { parts.flatMap { $0 } }

    struct Exchange: Sendable, CustomTestStringConvertible {
        let name: String
        let proto: StartTLSProtocol
        let lines: [Line]
        var testDescription: String { name }

        var negotiation: any PlaintextNegotiation { proto.negotiation(domain: "example.com") }
    }

    private static let xmppStart =
        "<?xml version='1.0'?><stream:stream to='example.com' version='1.0' xmlns='jabber:client'"
        + " xmlns:stream='http://etherx.jabber.org/streams'>"

    private static let startTLSElement = "<starttls xmlns='urn:ietf:params:xml:ns:xmpp-tls'/>"

    static let exchanges: [Exchange] = [
        // RFC 3207, section 6, with the greeting of this client.
        Exchange(
            name: "smtp", proto: .smtp,
            lines: [
                .server("220 mail.imc.org SMTP service ready\r\n"), .client("EHLO [127.0.0.1]\r\n"),
                .server("250-mail.imc.org offers a warm hug of welcome\r\n250-8BITMIME\r\n250-STARTTLS\r\n250 DSN\r\n"),
                .client("STARTTLS\r\n"), .server("220 Go ahead\r\n"),
            ]),
        // RFC 2033, section 4.2, with STARTTLS.
        Exchange(
            name: "lmtp", proto: .lmtp,
            lines: [
                .server("220 foo.edu LMTP server ready\r\n"), .client("LHLO [127.0.0.1]\r\n"),
                .server("250-foo.edu\r\n250-PIPELINING\r\n250 STARTTLS\r\n"), .client("STARTTLS\r\n"),
                .server("220 2.0.0 Ready to start TLS\r\n"),
            ]),
        // RFC 9051, section 6.2.1.
        Exchange(
            name: "imap", proto: .imap,
            lines: [
                .server("* OK [CAPABILITY IMAP4rev1 STARTTLS LOGINDISABLED] ready\r\n"), .client("P1 STARTTLS\r\n"),
                .server("* CAPABILITY IMAP4rev1\r\nP1 OK Begin TLS negotiation now\r\n"),
            ]),
        // RFC 2595, section 4.
        Exchange(
            name: "pop3", proto: .pop3,
            lines: [
                .server("+OK POP3 server ready\r\n"), .client("STLS\r\n"), .server("+OK Begin TLS negotiation now\r\n"),
            ]),
        // RFC 4217, section 12.1; the first reply is that of RFC 959, section 5.4, and the greeting has several lines.
        Exchange(
            name: "ftp", proto: .ftp,
            lines: [
                .server("120 Service ready in 001 minutes.\r\n220-Welcome\r\n 220 to this server\r\n220 Ready\r\n"),
                .client("AUTH TLS\r\n"), .server("234 AUTH command OK. Initializing TLS\r\n"),
            ]),
        // RFC 4511, section 4.14, as `ldapsearch -ZZ` and slapd exchange it.
        Exchange(
            name: "ldap", proto: .ldap,
            lines: [
                .client(
                    bytes: [0x30, 0x1D, 0x02, 0x01, 0x01, 0x77, 0x18, 0x80, 0x16], ascii("1.3.6.1.4.1.1466.20037")),
                .server(bytes: [0x30, 0x0C, 0x02, 0x01, 0x01, 0x78, 0x07, 0x0A, 0x01, 0x00, 0x04, 0x00, 0x04, 0x00]),
            ]),
        // The same with lengths of four bytes and a name of the response, as Active Directory sends it.
        Exchange(
            name: "ldap with long lengths", proto: .ldap,
            lines: [
                .client(
                    bytes: [0x30, 0x1D, 0x02, 0x01, 0x01, 0x77, 0x18, 0x80, 0x16], ascii("1.3.6.1.4.1.1466.20037")),
                .server(
                    bytes: [
                        0x30, 0x84, 0, 0, 0, 0x28, 0x02, 0x01, 0x01, 0x78, 0x84, 0, 0, 0, 0x1F, 0x0A, 0x01, 0x00, 0x04,
                        0x00,
                    ], [0x04, 0x00, 0x8A, 0x16], ascii("1.3.6.1.4.1.1466.20037")),
            ]),
        // RFC 4642, section 2.2.2.
        Exchange(
            name: "nntp", proto: .nntp,
            lines: [
                .server("200 news.example.com ready\r\n"), .client("STARTTLS\r\n"),
                .server("382 Continue with TLS negotiation\r\n"),
            ]),
        // RFC 5804, sections 1.7 and 2.2; the version is a literal string.
        Exchange(
            name: "sieve", proto: .sieve,
            lines: [
                .server(
                    "\"IMPLEMENTATION\" \"Example1 ManageSieved v001\"\r\n\"SASL\" \"DIGEST-MD5 GSSAPI\"\r\n"
                        + "\"SIEVE\" \"fileinto vacation\"\r\n\"StartTLS\"\r\n\"VERSION\" {3}\r\n1.0\r\nOK\r\n"),
                .client("STARTTLS\r\n"), .server("OK \"Begin TLS negotiation now.\"\r\n"),
            ]),
        // RFC 5804, section 4: the text of OK can be a literal string.
        Exchange(
            name: "sieve-literals", proto: .sieve,
            lines: [
                .server("\"STARTTLS\"\r\nOK {6}\r\nReady.\r\n"), .client("STARTTLS\r\n"),
                .server("OK (TAG \"x\") {3+}\r\nNow\r\n"),
            ]),
        // https://ircv3.net/specs/extensions/tls-3.1; InspIRCd sends the notices.
        Exchange(
            name: "irc", proto: .irc,
            lines: [
                .client("STARTTLS\r\n"), .server(":irc.example.com NOTICE * :*** Looking up your hostname...\r\n"),
                .server(":irc.example.com 670 * :STARTTLS successful, go ahead with TLS handshake\r\n"),
            ]),
        // draft-altman-telnet-starttls-02, section 4; the server asks for its own option 24 (terminal type) first.
        Exchange(
            name: "telnet", proto: .telnet,
            lines: [
                .client(bytes: [255, 251, 46]), .server(bytes: [255, 253, 24]), .client(bytes: [255, 252, 24]),
                .server(bytes: [255, 253, 46]),
                .client(bytes: [255, 250, 46, 1, 255, 240]), .server(bytes: [255, 250, 46, 1, 255, 240]),
            ]),
        // RFC 6120, section 9.1.1.
        Exchange(
            name: "xmpp", proto: .xmpp,
            lines: [
                .client(xmppStart),
                .server(
                    "<?xml version='1.0'?>\n<stream:stream from='im.example.com' id='t7AMCin9zjMNwQKDnplntZPIDEI='"
                        + " version='1.0' xmlns='jabber:client' xmlns:stream='http://etherx.jabber.org/streams'>"
                        + "<stream:features><starttls xmlns='urn:ietf:params:xml:ns:xmpp-tls'><required/></starttls>"
                        + "</stream:features>"),
                .client(startTLSElement), .server("<proceed xmlns='urn:ietf:params:xml:ns:xmpp-tls'/>"),
            ]),
        Exchange(
            name: "xmpp-server", proto: .xmppServer,
            lines: [
                .client(
                    "<?xml version='1.0'?><stream:stream to='example.com' version='1.0' xmlns='jabber:server'"
                        + " xmlns:stream='http://etherx.jabber.org/streams'>"),
                .server(
                    "<s:stream xmlns:s=\"http://etherx.jabber.org/streams\" note='a>b'><s:features>"
                        + "<t:starttls xmlns:t=\"urn:ietf:params:xml:ns:xmpp-tls\"/></s:features>"),
                .client(startTLSElement), .server("<t:proceed xmlns:t='urn:ietf:params:xml:ns:xmpp-tls'></t:proceed>"),
            ]),
        // PostgreSQL, "Message Formats": SSLRequest.
        Exchange(
            name: "postgres", proto: .postgres,
            lines: [.client(bytes: [0, 0, 0, 8, 0x04, 0xD2, 0x16, 0x2F]), .server("S")]),
        // MySQL internals, "Protocol::HandshakeV10", the example of version 5.5.2, with CLIENT_SSL (0x0800) set.
        Exchange(
            name: "mysql", proto: .mysql,
            lines: [
                .server(
                    bytes: [0x36, 0, 0, 0, 0x0A], ascii("5.5.2-m2"), [0, 0x0B, 0, 0, 0],
                    [0x64, 0x76, 0x48, 0x40, 0x49, 0x2D, 0x43, 0x4A, 0, 0xFF, 0xFF, 0x08, 0x02, 0, 0, 0], zeros(11),
                    [0x2A, 0x34, 0x64, 0x7C, 0x63, 0x5A, 0x77, 0x6B, 0x34, 0x5E, 0x5D, 0x3A, 0]),
                .client(bytes: [0x20, 0, 0, 1, 0x01, 0x8A, 0, 0, 0, 0, 0, 1, 0x21], zeros(23)),
            ]),
        // MS-TDS, sections 4.1 and 4.2, with the options VERSION and ENCRYPTION only.
        Exchange(
            name: "mssql", proto: .mssql,
            lines: [
                .client(bytes: [
                    0x12, 1, 0, 0x1A, 0, 0, 0, 0, 0, 0, 0x0B, 0, 6, 1, 0, 0x11, 0, 1, 0xFF, 0, 0, 0, 0, 0, 0, 1,
                ]),
                .server(bytes: [
                    0x04, 1, 0, 0x1A, 0, 0, 1, 0, 0, 0, 0x0B, 0, 6, 1, 0, 0x11, 0, 1, 0xFF, 0x10, 0, 0x0F, 0xA0, 0,
                    0, 1,
                ]),
            ]),
        // MS-RDPBCGR, section 4.1.2, with PROTOCOL_SSL selected.
        Exchange(
            name: "rdp", proto: .rdp,
            lines: [
                .client(bytes: [3, 0, 0, 0x13, 0x0E, 0xE0, 0, 0, 0, 0, 0, 1, 0, 8, 0, 3, 0, 0, 0]),
                .server(bytes: [3, 0, 0, 0x13, 0x0E, 0xD0, 0, 0, 0x12, 0x34, 0, 2, 0, 8, 0, 1, 0, 0, 0]),
            ]),
    ]

    /// What the client sent, and the last step, after the server's bytes arrived in portions.
    private func run(
        _ exchange: Exchange, appending extra: [UInt8] = [], portion: Int = .max
    ) -> (sent: [UInt8], last: NegotiationStep) {
        var negotiation = exchange.negotiation
        var sent = negotiation.begin()
        var last = NegotiationStep.proceed()
        let servers = exchange.lines.indices.filter { if case .fromServer = exchange.lines[$0] { true } else { false } }
        for index in servers {
            guard case .fromServer(let bytes) = exchange.lines[index] else { continue }
            var rest = (bytes + (index == servers.last ? extra : []))[...]
            while !rest.isEmpty {
                let part = rest.prefix(portion)
                rest = rest.dropFirst(part.count)
                last = negotiation.receive(Array(part))
                switch last {
                case .proceed(let output): sent += output
                case .done(let output, injected: _): return (sent + output, last)
                case .failed: return (sent, last)
                }
            }
        }
        return (sent, last)
    }

    private static func expected(_ exchange: Exchange) -> [UInt8] {
        exchange.lines.flatMap { line -> [UInt8] in if case .fromClient(let bytes) = line { bytes } else { [] } }
    }

    @Test(arguments: exchanges) func followsTheDocument(exchange: Exchange) {
        for portion in [Int.max, 7, 1] {
            let (sent, last) = run(exchange, portion: portion)
            #expect(sent == Self.expected(exchange), "portion \(portion)")
            guard case .done(_, injected: 0) = last else {
                Issue.record("\(last)")
                continue
            }
        }
    }

    /// CVE-2011-0411: bytes after the last answer are counted, whatever they are.
    @Test(arguments: exchanges) func countsPlainTextAfterTheAnswer(exchange: Exchange) {
        for extra in [[0x0D, 0x0A], [0x16], Array("250 ok\r\n".utf8)] as [[UInt8]] {
            let (_, last) = run(exchange, appending: extra)
            guard case .done(_, injected: extra.count) = last else {
                Issue.record("\(last)")
                continue
            }
        }
    }

    /// Answers to commands that were not sent yet are refused at once.
    @Test(arguments: exchanges.filter { [.smtp, .lmtp, .imap, .pop3, .ftp, .nntp, .sieve, .xmpp].contains($0.proto) })
    func refusesAnswersInAdvance(exchange: Exchange) {
        var negotiation = exchange.negotiation
        _ = negotiation.begin()
        let all = exchange.lines.flatMap { line -> [UInt8] in
            if case .fromServer(let bytes) = line { bytes } else { [] }
        }
        guard case .failed(.injectedText) = negotiation.receive(all) else {
            Issue.record("answers in advance were accepted")
            return
        }
    }

    /// Every proper prefix of the server's bytes is an incomplete exchange: no error, and never the end.
    @Test(arguments: exchanges) func waitsForTheRest(exchange: Exchange) {
        let all = exchange.lines.flatMap { line -> [UInt8] in
            if case .fromServer(let bytes) = line { bytes } else { [] }
        }
        var negotiation = exchange.negotiation
        _ = negotiation.begin()
        for byte in all.dropLast() {
            guard case .proceed = negotiation.receive([byte]) else {
                Issue.record("the exchange ended early")
                return
            }
        }
    }

    @Test(
        arguments: [
            (.smtp, "554 5.7.1 No SMTP service here\r\n", .refused("554 5.7.1 No SMTP service here")),
            (.smtp, "SSH-2.0-OpenSSH\r\n", .unexpected(ascii("SSH-2.0-OpenSSH"))),
            (.smtp, "\u{15}\u{3}\u{1}", .unexpected([0x15, 3, 1])),
            (.imap, "* PREAUTH ready\r\n", .notOffered("* PREAUTH ready")),
            (.imap, "* BYE Autologout\r\n", .refused("* BYE Autologout")),
            (.imap, "220 mail ESMTP\r\n", .unexpected(ascii("220 mail ESMTP\r\n"))),
            (.pop3, "-ERR no TLS\r\n", .refused("-ERR no TLS")),
            (.ftp, "421-Too many\r\n421 connections\r\n", .refused("421 Too many connections")),
            (.nntp, "400 Service temporarily unavailable\r\n", .refused("400 Service temporarily unavailable")),
            (.sieve, "\"IMPLEMENTATION\" \"x\"\r\nOK\r\n", .notOffered("\"IMPLEMENTATION\" \"x\"")),
            (.sieve, "NO {9}\r\nnot today\r\n", .refused("NO not today")),
            (.sieve, "BYE \"Too many connections\"\r\n", .refused("BYE \"Too many connections\"")),
            (
                .irc, ":irc.example.com 691 * :STARTTLS failure\r\n",
                .refused(":irc.example.com 691 * :STARTTLS failure")
            ),
            (
                .irc, ":irc.example.com 451 * :You have not registered\r\n",
                .refused(":irc.example.com 451 * :You have not registered")
            ),
            (.irc, "ERROR :Closing link\r\n", .refused("ERROR :Closing link")),
            (.postgres, "N", .notOffered(nil)),
            (.postgres, "E\u{0}\u{0}\u{0}\u{12}SFATAL\u{0}Mbad\u{0}\u{0}\u{0}", .refused("bad")),
            (.postgres, "E\u{0}\u{0}\u{0}\u{4}", .refused("an error without a message")),
            (.postgres, "HTTP/1.1 400", .unexpected(ascii("HTTP/1.1 400"))),
            (
                .xmpp, "<stream:stream><stream:features><mechanisms/></stream:features>", .notOffered(nil)
            ),
            (.xmpp, "<stream:stream><stream:error><host-unknown/></stream:error>", .refused("host-unknown")),
            (.xmpp, "HTTP/1.1 400 Bad Request\r\n\r\n", .unexpected(ascii("HTTP/1.1 400 Bad Request\r\n\r\n"))),
        ] as [(StartTLSProtocol, String, NegotiationFailure)])
    func reportsRefusals(proto: StartTLSProtocol, answer: String, failure: NegotiationFailure) {
        var negotiation = proto.negotiation(domain: "example.com")
        _ = negotiation.begin()
        #expect(negotiation.receive(Array(answer.utf8)) == .failed(failure))
    }

    @Test(
        arguments: [
            // RFC 4511, section 4.1.9: protocolError (2) with a diagnostic message.
            (
                .ldap,
                join([0x30, 0x11, 2, 1, 1, 0x78, 0x0C, 0x0A, 1, 2, 4, 0, 4, 5], ascii("noTLS")),
                .refused("result code 2: noTLS")
            ),
            (.ldap, [0x30, 0x80], .unexpected([0x30, 0x80])),
            (.ldap, [0x30, 0x84, 0x7F, 0, 0, 0], .unexpected([0x30, 0x84, 0x7F, 0, 0, 0])),
            (.ldap, [0x15, 3, 1, 0, 2], .unexpected([0x15, 3, 1, 0, 2])),
            // Error 1130 of MySQL, which comes in place of the greeting.
            (
                .mysql, join([0x0A, 0, 0, 0, 0xFF, 0x6A, 0x04], ascii("no host")), .refused("error 1130: no host")
            ),
            // The example of MySQL's documentation, which lacks CLIENT_SSL.
            (
                .mysql,
                join([0x20, 0, 0, 0, 0x0A, 0x38, 0, 1, 0, 0, 0], zeros(8), [0, 0xFF, 0xF7], zeros(14)),
                .notOffered("version 8")
            ),
            (.telnet, [255, 254, 46], .notOffered(nil)),
            (.telnet, join(ascii("login: "), [255, 254, 46]), .notOffered("login: ")),
            (.mssql, [0x04, 1, 0, 0x0F, 0, 0, 1, 0, 1, 0, 6, 0, 1, 0xFF, 2], .notOffered("ENCRYPT_NOT_SUP")),
            (.mssql, [0x15, 3], .unexpected([0x15, 3])),
            // MS-RDPBCGR, section 2.2.1.2.2, and a confirm without negotiation data.
            (
                .rdp, [3, 0, 0, 0x13, 0x0E, 0xD0, 0, 0, 0x12, 0x34, 0, 3, 0, 8, 0, 2, 0, 0, 0],
                .refused("failure code 2: SSL_NOT_ALLOWED_BY_SERVER")
            ),
            (.rdp, [3, 0, 0, 0x0B, 0x06, 0xD0, 0, 0, 0x12, 0x34, 0], .notOffered(nil)),
            (.rdp, ascii("SSH-"), .unexpected(ascii("SSH-"))),
        ] as [(StartTLSProtocol, [UInt8], NegotiationFailure)])
    func reportsRefusalsInBytes(proto: StartTLSProtocol, answer: [UInt8], failure: NegotiationFailure) {
        var negotiation = proto.negotiation(domain: "example.com")
        _ = negotiation.begin()
        #expect(negotiation.receive(answer) == .failed(failure))
    }

    /// Changed exchanges do not trap, and the client never sends more than the exchange contains.
    @Test(arguments: exchanges) func changedExchanges(exchange: Exchange) {
        let all = exchange.lines.flatMap { line -> [UInt8] in
            if case .fromServer(let bytes) = line { bytes } else { [] }
        }
        for seed in 0..<400 {
            var generator = SeededGenerator(seed: UInt64(seed))
            var bytes = all
            for _ in 0..<Int.random(in: 1...4, using: &generator) where !bytes.isEmpty {
                let index = Int.random(in: 0..<bytes.count, using: &generator)
                switch Int.random(in: 0..<4, using: &generator) {
                case 0: bytes[index] = UInt8.random(in: 0...255, using: &generator)
                case 1: bytes.remove(at: index)
                case 2: bytes.insert(contentsOf: bytes[index...].prefix(9), at: index)
                default: bytes.removeLast(bytes.count - index)
                }
            }
            var negotiation = exchange.negotiation
            _ = negotiation.begin()
            var rest = bytes[...]
            loop: while !rest.isEmpty {
                let part = rest.prefix(Int.random(in: 1...20, using: &generator))
                rest = rest.dropFirst(part.count)
                switch negotiation.receive(Array(part)) {
                case .proceed: continue
                case .done(_, let injected):
                    #expect((0...part.count).contains(injected), "seed \(seed)")
                    break loop
                case .failed: break loop
                }
            }
        }
    }

    /// MS-TDS, section 2.2.3.1: a header of eight bytes with the type, the status and the length.
    @Test func framesAHandshake() {
        var framing = TDSFraming()
        let bytes = (0..<5000).map { UInt8(truncatingIfNeeded: $0) }
        let packets = framing.wrap(bytes)
        #expect(Array(packets.prefix(8)) == [0x12, 0, 0x10, 0, 0, 0, 0, 0])
        #expect(Array(packets[4096..<4104]) == [0x12, 1, 0x03, 0x98, 0, 0, 0, 0])
        var content: [UInt8] = []
        for byte in packets { content += framing.unwrap([byte]) ?? [] }
        #expect(content == bytes)
        #expect(framing.unwrap([0x16, 3, 3]) == nil)
        #expect(framing.wrap([]).isEmpty)
    }
}
