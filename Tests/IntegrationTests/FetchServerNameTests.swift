import TestSupport
import Testing

/// The server name in the handshake: the A-labels of the name, and never an address.
@Suite(.blocking) struct FetchServerNameTests {
    let pki: TestPKI
    var anchors: String { pki.path("root.pem") }

    init() throws { pki = try TestPKI.shared() }

    static let names = [
        ("api.example.test", "api.example.test", "leaf-api"),
        ("www.example.test", "www.example.test", "leaf-www"),
        ("WWW.Example.Test.", "www.example.test", "leaf-www"),
        ("bücher.example.test", "xn--bcher-kva.example.test", "leaf-idn"),
        ("Bu\u{308}cher.example.test", "xn--bcher-kva.example.test", "leaf-idn"),
        ("xn--bcher-kva.example.test", "xn--bcher-kva.example.test", "leaf-idn"),
        // nginx has no block for this name, so the first block answers.
        ("other.example.test", "other.example.test", "leaf"),
    ]

    /// nginx selects the host by the server name only.
    @Test(arguments: names) func serverChoosesByName(typed: String, sent: String, certificate: String) throws {
        try Nginx.run { endpoint in
            Nginx.host(endpoint, "leaf") + Nginx.host(endpoint, "leaf-api", names: "api.example.test")
                + Nginx.host(endpoint, "leaf-www", names: "www.example.test")
                + Nginx.host(endpoint, "leaf-idn", names: "xn--bcher-kva.example.test")
        } _: { server in
            let host = try report(
                "\(typed):443", "--connect-to", server.endpoint, "--anchors", anchors, "-s", "leaf", status: 0)
            #expect(host.pins == [try pki.pin(certificate)])
            #expect(host.serverName == sent)
            #expect(host.target == "\(sent):443")
            #expect(host.address == server.endpoint)
        }
    }

    @Test func servernameOverridesTheTarget() throws {
        try Nginx.run {
            Nginx.host($0, "leaf") + Nginx.host($0, "leaf-api", names: "api.example.test")
        } _: { server in
            let host = try report(
                server.localhost, "--servername", "api.example.test", "--anchors", anchors, "-s", "leaf", status: 0)
            #expect(host.pins == [try pki.pin("leaf-api")])
            #expect(host.serverName == "api.example.test")
            // pinctl validates the certificate for the name that it sends.
            let wrong = try report(
                "api.example.test", "--connect-to", server.endpoint, "--servername", "www.example.org", "--anchors",
                anchors,
                status: 1)
            #expect(wrong.trust?.code == "name-mismatch")
        }
    }

    struct Sent: CustomTestStringConvertible, Sendable {
        let target: String
        let more: [String]
        /// The name in the extension; nil for no extension.
        let name: String?
        var testDescription: String { "\(target) \(more.joined(separator: " "))" }
    }

    static let sent = [
        Sent(target: "localhost:PORT", more: [], name: "localhost"),
        Sent(target: "127.0.0.1:PORT", more: [], name: nil),
        Sent(target: "[::1]:443", more: ["--connect-to", "127.0.0.1:PORT"], name: nil),
        Sent(target: "127.0.0.1:PORT", more: ["--servername", "api.example.test"], name: "api.example.test"),
        Sent(target: "api.example.test", more: ["--connect-to", "127.0.0.1:PORT"], name: "api.example.test"),
        Sent(target: "api.example.test", more: ["--connect-to", "localhost:PORT"], name: "api.example.test"),
        Sent(target: "localhost:PORT", more: ["--servername", "192.0.2.1"], name: nil),
        Sent(
            target: "bücher.example.test:PORT", more: ["--connect-to", "127.0.0.1"], name: "xn--bcher-kva.example.test"),
    ]

    /// s_server prints the extensions of the ClientHello.
    @Test(arguments: sent) func serverNameExtension(sent: Sent) throws {
        try OpenSSLServer.run("leaf", options: ["-tlsextdebug"]) { server in
            let arguments = ([sent.target] + sent.more).map { $0.replacing("PORT", with: String(server.port)) }
            let run = try PinctlRun.spawn(["fetch", "--anchors", anchors, "-k"] + arguments)
            #expect(run.status == 0, "\(run)")
            #expect(server.logs("TLS client extension \"supported versions\""))
            let header = sent.name.map { "TLS client extension \"server name\" (id=0), len=\($0.utf8.count + 5)" }
            #expect(server.log.contains(header ?? "no such line") == (header != nil), "\(server.log)")
            #expect(server.log.contains("\"server name\"") == (header != nil), "\(server.log)")
            if let name = sent.name { #expect(Self.dump(in: server.log).contains(name)) }
        }
    }

    /// The bytes of s_server's hex dumps ("0010 - 74 65 73 74   test") as text.
    private static func dump(in log: String) -> String {
        let rows = log.split(separator: "\n").filter { $0.dropFirst(4).hasPrefix(" - ") }
        let bytes = rows.flatMap {
            $0.dropFirst(7).prefix(47).split { " -".contains($0) }.compactMap { UInt8($0, radix: 16) }
        }
        return String(decoding: bytes, as: UTF8.self)
    }
}
