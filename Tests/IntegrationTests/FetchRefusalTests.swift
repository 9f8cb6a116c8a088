import Foundation
import TestSupport
import Testing

/// Servers without a chain: no listener, another protocol, or a hostile server.
@Suite(.blocking) struct FetchRefusalTests {
    let pki: TestPKI
    var anchors: String { pki.path("root.pem") }

    init() throws { pki = try TestPKI.shared() }

    /// Expects an undecided host in each output format.
    private func expectFailure(
        of target: String, _ arguments: String..., code: String, message: String, hint: String? = nil,
        sourceLocation: SourceLocation = #_sourceLocation
    ) throws {
        let common = ["fetch", target, "--anchors", anchors, "--timeout", "20"] + arguments
        let text = try PinctlRun.spawn(common)
        #expect(text.status == 3, "\(text)", sourceLocation: sourceLocation)
        #expect(text.output.isEmpty, "\(text)", sourceLocation: sourceLocation)
        // The message contains the host once.
        let named = message.contains(target) ? message : "\(target): \(message)"
        let lines = ["pinctl: error: \(named)\n"] + (hint.map { ["pinctl: hint: \($0)\n"] } ?? [])
        #expect(text.errors == lines.joined(), sourceLocation: sourceLocation)

        let json = try PinctlRun.spawn(common + ["-f", "ndjson"])
        #expect(json.status == 3, "\(json)", sourceLocation: sourceLocation)
        #expect(json.errors.isEmpty, "\(json)", sourceLocation: sourceLocation)
        let host = try hosts(inLinesOf: json).first
        #expect(host?.error?.code == code, sourceLocation: sourceLocation)
        #expect(host?.error?.message == message, sourceLocation: sourceLocation)
        #expect(host?.trust == nil, sourceLocation: sourceLocation)
        #expect(host?.chain.isEmpty == true, sourceLocation: sourceLocation)
    }

    @Test func refusedConnection() throws {
        let socket = try LoopbackSocket()
        defer { withExtendedLifetime(socket) {} }
        let endpoint = "127.0.0.1:\(socket.port)"
        try expectFailure(
            of: endpoint, code: "refused", message: "cannot connect to \(endpoint): connection refused")
    }

    @Test func silence() throws {
        try RawPeer.run {
            $0.drain()
        } _: { peer in
            let run = try fetch(peer.endpoint, "--timeout", "1")
            #expect(run.status == 3)
            #expect(
                run.errors.hasPrefix(
                    "pinctl: error: \(peer.endpoint) accepted the connection but sent nothing within 1 s\n"
                ), "\(run)")
            #expect(run.duration >= .seconds(1))
            #expect(run.duration < .seconds(6))
            let host = try report(peer.endpoint, "--timeout", "0.2", status: 3)
            #expect(host.error?.code == "timeout")
            #expect(host.error?.message == "\(peer.endpoint) accepted the connection but sent nothing within 0.2 s")
        }
    }

    @Test func closedAfterTheFirstBytes() throws {
        try RawPeer.run {
            _ = $0.read()
        } _: { peer in
            try expectFailure(
                of: peer.endpoint, code: "closed",
                message: "\(peer.endpoint) closed the connection during the TLS handshake")
        }
    }

    @Test func reset() throws {
        try RawPeer.run { connection in
            _ = connection.read()
            connection.resetOnClose()
        } _: { peer in
            try expectFailure(
                of: peer.endpoint, code: "closed",
                message: "the connection to \(peer.endpoint) failed during the TLS handshake: connection reset by peer")
        }
    }

    /// The first flight of the server ends in the middle.
    @Test func closedInTheMiddleOfAHandshake() throws {
        try OpenSSLServer.run { server in
            let port = server.port
            try RawPeer.run { connection in
                connection.forward(to: port) { client, bytes in
                    client.write(Array(bytes.prefix(200)))
                    return false
                }
            } _: { peer in
                try expectFailure(
                    of: peer.endpoint, code: "closed",
                    message: "\(peer.endpoint) closed the connection during the TLS handshake")
            }
        }
    }

    @Test func plainHTTP() throws {
        let plain = { (endpoint: String) in "server { listen \(endpoint); location / { return 204; } }" }
        try Nginx.run(servers: plain) { server in
            try expectFailure(
                of: server.endpoint, code: "tls",
                message: "\(server.endpoint) does not speak TLS: it answered in plain HTTP",
                hint: "check the port: this one speaks plain HTTP; TLS usually uses 443 or 8443")
        }
    }

    struct Greeting: CustomTestStringConvertible, Sendable {
        let bytes: String
        let words: String
        /// The schemes of the protocols that the greeting can belong to.
        var schemes: [String] = []
        var testDescription: String { words }
    }

    static let greetings = [
        Greeting(
            bytes: "220 mail.example.test ESMTP\r\n", words: "with an SMTP or FTP greeting", schemes: ["smtp"]),
        Greeting(bytes: "220 ready\r\n", words: "with an SMTP or FTP greeting", schemes: ["smtp", "ftp"]),
        Greeting(bytes: "* OK IMAP4rev1 ready\r\n", words: "with an IMAP greeting", schemes: ["imap"]),
        Greeting(bytes: "+OK POP3 ready\r\n", words: "with a POP3 greeting", schemes: ["pop3"]),
        Greeting(bytes: "SSH-2.0-OpenSSH_9.2\r\n", words: "in SSH"),
        Greeting(bytes: "hello there\r\n", words: "with \"hello there\""),
        Greeting(bytes: "\u{1B}[31mred\r\n", words: "with the bytes 1b 5b 33 31 6d 72 65 64"),
        Greeting(bytes: "\0\0\0\0", words: "with the bytes 00 00 00 00"),
        Greeting(bytes: "\u{16}HTTP", words: "with the bytes 16 48 54 54 50"),
    ]

    /// If the server sends text first, and its protocol is known, the error names the protocol.
    @Test(arguments: greetings) func otherProtocols(greeting: Greeting) throws {
        try RawPeer.run { connection in
            connection.write(greeting.bytes)
            connection.drain()
        } _: { peer in
            let targets = greeting.schemes.map { "\($0)://\(peer.endpoint)" }
            try expectFailure(
                of: peer.endpoint, code: "tls",
                message: "\(peer.endpoint) does not speak TLS: it answered \(greeting.words)",
                hint: targets.isEmpty ? nil : "use " + targets.joined(separator: " or "))
        }
    }

    @Test func alertForTheName() throws {
        let servers = { (endpoint: String) in
            "server { listen \(endpoint) ssl default_server; ssl_reject_handshake on; }\n"
                + Nginx.host(endpoint, "leaf-api", names: "api.example.test")
        }
        try Nginx.run(servers: servers) { server in
            try expectFailure(
                of: server.localhost, code: "tls",
                message: "\(server.endpoint) refused the TLS handshake: it does not know this server name"
                    + " (alert \"unrecognized name\")",
                hint: "use --servername NAME to request another name")
            let other = try report(
                "api.example.test:\(server.port)", "--connect-to", "127.0.0.1", "--anchors", anchors, status: 0)
            #expect(other.pins.first == (try pki.pin("leaf-api")))
        }
    }

    /// s_server refuses an unknown name. nginx would continue with another certificate.
    @Test func alertForTheNameByOpenSSL() throws {
        let options = [
            "-servername", "api.example.test", "-servername_fatal", "-cert2", "leaf-api.pem", "-key2", "leaf-api.key",
        ]
        try OpenSSLServer.run(options: options) { server in
            let host = try report(server.localhost, "--anchors", anchors, status: 3)
            #expect(host.error?.code == "tls")
            #expect(host.error?.message.contains("(alert \"unrecognized name\")") == true)
        }
    }

    @Test func alertForNoCommonCipher() throws {
        // An RSA key exchange is impossible with an EC key.
        try OpenSSLServer.run(options: ["-tls1_2", "-cipher", "AES128-SHA"]) { server in
            try expectFailure(
                of: server.localhost, code: "tls",
                message: "\(server.endpoint) refused the TLS handshake: it sent the alert \"handshake failure\"",
                hint: "use --servername NAME if the server has no certificate for this name,"
                    + " or pinctl fetch --insecure to offer weak ciphers")
        }
    }

    /// A correct handshake at ten bytes per second. The time limit applies to the host and not to each read.
    @Test func slowHandshakeTimesOut() throws {
        try OpenSSLServer.run { server in
            let port = server.port
            try RawPeer.run { connection in
                connection.forward(to: port) { client, bytes in
                    for byte in bytes {
                        guard client.write([byte]) else { return false }
                        client.pause(100)
                    }
                    return true
                }
            } _: { peer in
                let run = try fetch(peer.endpoint, "--timeout", "1.5", "-f", "ndjson")
                #expect(run.status == 3, "\(run)")
                let host = try #require(try hosts(inLinesOf: run).first)
                #expect(host.error?.code == "timeout")
                #expect(host.error?.message == "\(peer.endpoint) did not finish the TLS handshake within 1.5 s")
                #expect(run.duration >= .milliseconds(1500))
                #expect(run.duration < .seconds(8))
            }
        }
    }

    /// A correct handshake in single bytes within the time limit.
    @Test func handshakeInSmallPieces() throws {
        try OpenSSLServer.run { server in
            let port = server.port
            try RawPeer.run { connection in
                connection.forward(to: port) { client, bytes in
                    var rest = bytes[...]
                    while !rest.isEmpty {
                        guard client.write(Array(rest.prefix(7))) else { return false }
                        rest = rest.dropFirst(7)
                    }
                    return true
                }
            } _: { peer in
                let host = try report(
                    peer.localhost, "--connect-to", "127.0.0.1", "--anchors", anchors, "--timeout", "30", status: 0)
                #expect(host.pins == (try pki.pins("leaf", "intermediate", "root")))
            }
        }
    }

    struct Flood: CustomTestStringConvertible, Sendable {
        let about: String
        var start: [UInt8] = []
        let again: [UInt8]
        var testDescription: String { about }
    }

    static let floods = [
        Flood(about: "noise", again: [0x80, 0x2E, 0x01, 0xDE]),
        Flood(about: "a handshake record of noise", start: [0x16, 0x03, 0x03, 0x40, 0x00], again: [0xAA]),
        Flood(about: "a record longer than any", start: [0x16, 0x03, 0x03, 0xFF, 0xFF], again: [0x02]),
        Flood(about: "messages of 16 MiB", again: [0x16, 0x03, 0x03, 0x00, 0x04, 0x02, 0xFF, 0xFF, 0xFF]),
        Flood(about: "warnings", again: [0x15, 0x03, 0x03, 0x00, 0x02, 0x01, 0x5A]),
        Flood(about: "empty records", again: [0x16, 0x03, 0x03, 0x00, 0x00]),
        Flood(about: "changes of cipher", again: [0x14, 0x03, 0x03, 0x00, 0x01, 0x01]),
        Flood(about: "application data", again: [0x17, 0x03, 0x03, 0x00, 0x01, 0x00]),
    ]

    /// Endless bytes give an error before the time limit, with bounded memory.
    @Test(arguments: floods) func endlessBytes(flood: Flood) throws {
        let piece = Array(repeatElement(flood.again, count: 2000).joined())
        try RawPeer.run { connection in
            _ = connection.read()
            guard connection.write(flood.start) else { return }
            while connection.write(piece) {}
        } _: { peer in
            let host = try report(peer.endpoint, "--timeout", "30", status: 3)
            #expect(host.error?.code == "tls", "\(String(describing: host.error))")
            #expect(host.error?.message.contains(peer.endpoint) == true, "\(String(describing: host.error))")
        }
    }

    /// OpenSSL's default limit of 100 kB is too low for some servers.
    @Test func longListsOfCertificates() throws {
        let folder = try TemporaryFolder()
        defer { folder.remove() }
        let noise = try pki.text("other-root.pem")
        let size = try pki.bytes("other-root.der").count
        func chain(ofBytes count: Int, to name: String) throws -> String {
            let text = try pki.text("intermediate.pem") + String(repeating: noise, count: count / size)
            return try folder.write(text, to: name)
        }
        try OpenSSLServer.run(chain: try chain(ofBytes: 200_000, to: "long.pem")) { server in
            let host = try report(server.localhost, "--anchors", anchors, status: 0)
            #expect(host.pins == (try pki.pins("leaf", "intermediate", "root")))
            #expect(host.unused.count == 200_000 / size)
        }
        try OpenSSLServer.run(chain: try chain(ofBytes: 300_000, to: "longer.pem")) { server in
            let run = try fetch(server.localhost, "--anchors", anchors, "-f", "ndjson")
            #expect(run.status == 3, "\(run.errors)")
            let host = try #require(try hosts(inLinesOf: run).first)
            #expect(host.error?.code == "tls")
            #expect(host.error?.message.contains(server.endpoint) == true, "\(run)")
        }
    }
}
