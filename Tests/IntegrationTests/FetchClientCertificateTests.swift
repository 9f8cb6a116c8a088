import TestSupport
import Testing

/// Servers that request a client certificate. pinctl has none, and still shows their chain.
@Suite(.blocking) struct FetchClientCertificateTests {
    let pki: TestPKI
    var anchors: String { pki.path("root.pem") }

    init() throws { pki = try TestPKI.shared() }

    @Test(arguments: ["optional", "on"], ["1.2", "1.3"]) func nginxRequestsACertificate(mode: String, version: String)
        throws
    {
        let more = "ssl_client_certificate PKI/root.pem; ssl_verify_client \(mode);"
        try Nginx.run {
            Nginx.host($0, "leaf", more: more)
        } _: { server in
            let host = try report(server.localhost, "--anchors", anchors, "--tls-max", version, status: 0)
            #expect(host.pins == (try pki.pins("leaf", "intermediate", "root")))
            #expect(host.protocol == "TLSv\(version)")
            // nginx completes the handshake without a certificate. It would refuse a request, but pinctl sends none.
            #expect(host.clientCertificate == "requested")
        }
    }

    @Test func noCertificateRequested() throws {
        try Nginx.run {
            Nginx.host($0, "leaf")
        } _: { server in
            let host = try report(server.localhost, "--anchors", anchors, status: 0)
            #expect(host.clientCertificate == "none")
        }
    }

    /// In TLS 1.2 the server aborts the handshake. In TLS 1.3 it aborts the connection after the handshake.
    @Test(arguments: [("-tls1_2", "demanded"), ("-tls1_3", "requested")])
    func serverDemands(version: String, word: String) throws {
        try OpenSSLServer.run("leaf", options: ["-Verify", "1", version]) { server in
            let host = try report(server.localhost, "--anchors", anchors, status: 0)
            #expect(host.pins == (try pki.pins("leaf", "intermediate", "root")))
            #expect(host.trust?.trusted == true)
            #expect(host.clientCertificate == word)

            let text = try fetch(server.localhost, "--anchors", anchors)
            #expect(text.status == 0)
            #expect(text.text.contains(try pki.pin("leaf")))
            let note =
                "the server requires a client certificate and aborted the handshake because no certificate was sent"
            #expect(text.text.contains(note) == (word == "demanded"), "\(text)")

            let pins = try fetch(server.localhost, "--anchors", anchors, "-f", "pin", "-s", "leaf")
            #expect(pins.lines == [try pki.pin("leaf")])
        }
    }

    @Test func gnutlsDemands() throws {
        for (version, word) in [("1.2", "demanded"), ("1.3", "requested")] {
            let priority = "NORMAL:-VERS-ALL:+VERS-TLS\(version)"
            let options = ["--x509cafile", "root.pem", "--require-client-cert"]
            try GnuTLSServer.run(priority: priority, options: options) { server in
                let host = try report(server.localhost, "--anchors", anchors, status: 0)
                #expect(host.pins.first == (try pki.pin("leaf")))
                #expect(host.clientCertificate == word)
            }
        }
    }
}
