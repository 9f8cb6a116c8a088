import Foundation
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
            #expect(host.clientCertificateRequired == false)
            try checkAuthorities(of: host, "root")
            let text = try fetch(server.localhost, "--anchors", anchors, "--tls-max", version)
            let note = "the server requests a client certificate, and completed the handshake without one"
            #expect(text.text.contains(note), "\(text)")
            let names =
                "CAs that the server accepts for client certificates: \"CN=Example Test Root, O=Example Test PKI\""
            #expect(text.text.contains(names), "\(text)")
        }
    }

    @Test func noCertificateRequested() throws {
        try Nginx.run {
            Nginx.host($0, "leaf")
        } _: { server in
            let host = try report(server.localhost, "--anchors", anchors, status: 0)
            #expect(host.clientCertificate == "none")
            #expect(host.clientCertificateRequired == nil)
            #expect(host.clientCertificateAuthorities.isEmpty)
        }
    }

    /// In TLS 1.2 the server aborts the handshake. In TLS 1.3 the client has completed it by then.
    @Test(arguments: ["-tls1_2", "-tls1_3"]) func serverDemands(version: String) throws {
        try OpenSSLServer.run("leaf", options: ["-Verify", "1", "-CAfile", "other-root.pem", version]) { server in
            let host = try report(server.localhost, "--anchors", anchors, status: 0)
            #expect(host.pins == (try pki.pins("leaf", "intermediate", "root")))
            #expect(host.trust?.trusted == true)
            #expect(host.clientCertificate == "demanded")
            #expect(host.clientCertificateRequired == true)
            try checkAuthorities(of: host, "other-root")

            let text = try fetch(server.localhost, "--anchors", anchors)
            #expect(text.status == 0)
            #expect(text.text.contains(try pki.pin("leaf")))
            let note =
                "the server requires a client certificate and aborted the handshake because no certificate was sent"
            #expect(text.text.contains(note), "\(text)")

            let pins = try fetch(server.localhost, "--anchors", anchors, "-f", "pin", "-s", "leaf")
            #expect(pins.lines == [try pki.pin("leaf")] && pins.errors.isEmpty)
            // The server proves its own key in the handshake, and the other certificates only in the Finished message of TLS 1.2.
            let root = try fetch(server.localhost, "--anchors", anchors, "-f", "pin", "-s", "root")
            let isUnfinished = version == "-tls1_2"
            try #expect(root.lines == (isUnfinished ? [] : [pki.pin("root")]) && root.status == (isUnfinished ? 3 : 0))
            let doubt = "so nothing authenticated its certificates: an interceptor can have replaced those of CAs"
            #expect(root.errors.contains(doubt) == isUnfinished, "\(root)")
            #expect(root.errors.contains("or --insecure to print them") == isUnfinished, "\(root)")
            #expect(text.text.contains("nothing authenticated the handshake") == isUnfinished, "\(text)")
            let insecure = try fetch(server.localhost, "--anchors", anchors, "-f", "pin", "-s", "root", "--insecure")
            try #expect(insecure.lines == [pki.pin("root")] && insecure.status == 0, "\(insecure)")

            let folder = try TemporaryFolder("unfinished")
            try folder.write(#"{"version": 1, "hosts": {"localhost": ["\#(pki.pin("root"))"]}}"#, to: "pins.json")
            let verify = ["verify", "--pins", folder.path("pins.json"), "--anchors", anchors, server.localhost]
            let match = try PinctlRun.spawn(verify)
            let warning = "ended the handshake, so it may have another chain for your clients"
            #expect(match.status == 0 && match.errors.contains(warning) == isUnfinished, "\(match)")
            for format in ["tree", "table", "csv", "markdown", "mermaid", "svg", "prometheus"] {
                let report = try fetch(server.localhost, "--anchors", anchors, "-f", format)
                #expect(report.status == 0 && report.errors.contains(doubt) == isUnfinished, "\(report)")
            }
            let others = [
                ["diff", folder.path("pins.json"), server.localhost], ["lint", "--live", folder.path("live.json")],
            ]
            try folder.write(
                #"{"version": 1, "hosts": {"localhost": {"endpoints": ["\#(server.localhost)"], "pins": ["\#(pki.pin("root"))"]}}}"#,
                to: "live.json")
            for words in others {
                let run = try PinctlRun.spawn(words + ["--anchors", anchors])
                #expect(run.errors.contains(doubt) == isUnfinished, "\(run)")
            }
            let document = try PinctlRun.spawn(verify + ["--format", "github"])
            #expect(document.status == 0 && document.text.contains(warning) == isUnfinished, "\(document)")
            let metrics = try PinctlRun.spawn(verify + ["--format", "prometheus"])
            #expect(metrics.status == 0 && metrics.errors.contains(warning) == isUnfinished, "\(metrics)")
        }
    }

    @Test(arguments: ["1.2", "1.3"]) func gnutlsDemands(version: String) throws {
        let priority = "NORMAL:-VERS-ALL:+VERS-TLS\(version)"
        let options = ["--x509cafile", "root.pem", "--require-client-cert", "--verify-client-cert"]
        try GnuTLSServer.run(priority: priority, options: options) { server in
            let host = try report(server.localhost, "--anchors", anchors, status: 0)
            #expect(host.pins.first == (try pki.pin("leaf")))
            #expect(host.clientCertificate == "demanded")
            #expect(host.clientCertificateRequired == true)
            try checkAuthorities(of: host, "root")
            let sent = try fetched([server.localhost, "--anchors", anchors] + credential)
            #expect(sent.clientCertificate == "accepted")
        }
    }

    // MARK: --cert

    private var credential: [String] { ["--cert", pki.path("client.chain.pem"), "--key", pki.path("client.key")] }

    private func fetched(_ arguments: [String], status: Int32 = 0) throws -> FetchReport.Host {
        let run = try PinctlRun.spawn(["fetch", "--format", "ndjson"] + arguments)
        #expect(run.status == status, "\(run)")
        return try #require(try hosts(inLinesOf: run).first)
    }

    /// The names in the request are those of the CA's certificate, whose DER contains them.
    private func checkAuthorities(of host: FetchReport.Host, _ name: String) throws {
        let subject = String(
            decoding: try ChildProcess.output(of: [
                "openssl", "x509", "-in", pki.path("\(name).pem"), "-noout", "-subject", "-nameopt", "rfc2253",
            ]), as: UTF8.self)
        let authority = try #require(host.clientCertificateAuthorities.first)
        #expect(host.clientCertificateAuthorities.count == 1)
        #expect("subject=" + authority.name.replacing(", ", with: ",") + "\n" == subject)
        #expect(try Data(pki.bytes("\(name).der")).range(of: authority.der) != nil)
    }

    @Test(arguments: ["1.2", "1.3"], ["leaf", "leaf-rsa"]) func serverAccepts(version: String, leaf: String) throws {
        let option = version == "1.2" ? "-tls1_2" : "-tls1_3"
        let options = ["-Verify", "3", "-verify_return_error", "-CAfile", "root.pem", option]
        try OpenSSLServer.run(leaf, chain: nil, options: options) { server in
            let host = try fetched([server.localhost, "--insecure", "--key-type", "all"] + credential)
            #expect(host.clientCertificate == "accepted")
            #expect(host.clientCertificateRequired == nil)
            let without = try fetched([server.localhost, "--insecure"])
            #expect(without.clientCertificate == "demanded")
        }
    }

    /// nginx requires the certificate for its requests, as curl with the same files shows.
    @Test func nginxAcceptsWhatItAcceptsFromCurl() throws {
        let more =
            "ssl_client_certificate PKI/root.pem; ssl_verify_client on; ssl_verify_depth 3; location / { return 204; }"
        try Nginx.run {
            Nginx.host($0, "leaf", more: more)
        } _: { server in
            let host = try fetched([server.localhost, "--anchors", anchors] + credential)
            #expect(host.clientCertificate == "accepted")
            let curl = try ChildProcess.output(
                of: [
                    "curl", "--silent", "--cacert", anchors, "--output", "/dev/null", "--write-out", "%{http_code}",
                    "https://\(server.localhost)/",
                ] + credential)
            #expect(String(decoding: curl, as: UTF8.self) == "204")
        }
    }

    @Test(arguments: ["-tls1_2", "-tls1_3"]) func serverRefuses(version: String) throws {
        let options = ["-Verify", "3", "-verify_return_error", "-CAfile", "other-root.pem", version]
        try OpenSSLServer.run("leaf", options: options) { server in
            let host = try fetched([server.localhost, "--anchors", anchors] + credential)
            #expect(host.clientCertificate == "refused")
            #expect(host.clientCertificateAlert == "unknown CA")
            #expect(host.pins.first == (try pki.pin("leaf")))
            let text = try PinctlRun.spawn(["fetch", server.localhost, "--anchors", anchors] + credential)
            #expect(text.text.contains("the server refused the client certificate: alert \"unknown CA\""), "\(text)")
        }
    }

    /// A server that sends nothing after a TLS 1.3 handshake says nothing about the certificate.
    @Test func unknownWithoutAMessageOfTheServer() throws {
        let options = ["-verify", "1", "-tls1_3", "-num_tickets", "0"]
        try OpenSSLServer.run("leaf", options: options) { server in
            let without = try fetched([server.localhost, "--anchors", anchors])
            #expect(without.clientCertificate == "requested")
            #expect(without.clientCertificateRequired == nil)
            let with = try fetched([server.localhost, "--anchors", anchors] + credential)
            #expect(with.clientCertificate == "sent")
        }
    }

    /// PKCS#12 and encrypted keys, all with the password "secret".
    @Test func filesWithPasswords() throws {
        let folder = try TemporaryFolder("client-certificates")
        let (chain, key, p12) = (pki.path("client.chain.pem"), pki.path("client.key"), folder.path("me.p12"))
        try folder.write("secret\n", to: "password")
        try folder.write("other\n", to: "wrong")
        let password = ["--key-password-file", folder.path("password")]
        _ = try ChildProcess.output(of: [
            "openssl", "pkcs12", "-export", "-in", chain, "-inkey", key, "-passout", "pass:secret", "-out", p12,
        ])
        _ = try ChildProcess.output(of: [
            "openssl", "pkcs8", "-topk8", "-in", key, "-passout", "pass:secret", "-out", folder.path("me.key"),
        ])
        _ = try ChildProcess.output(of: [
            "openssl", "ec", "-in", key, "-aes128", "-passout", "pass:secret", "-out", folder.path("old.key"),
        ])
        try folder.write(try pki.text("client.chain.pem") + pki.text("client.key"), to: "both.pem")
        let options = ["-Verify", "3", "-verify_return_error", "-CAfile", "root.pem"]
        try OpenSSLServer.run("leaf", options: options) { server in
            let files = [
                ["--cert", p12] + password, ["--cert", chain, "--key", folder.path("me.key")] + password,
                ["--cert", chain, "--key", folder.path("old.key")] + password, ["--cert", folder.path("both.pem")],
            ]
            for credential in files {
                let host = try fetched([server.localhost, "--anchors", anchors] + credential)
                #expect(host.clientCertificate == "accepted", "\(credential)")
            }
            for file in [["--cert", p12], ["--cert", chain, "--key", folder.path("me.key")]] {
                let run = try PinctlRun.spawn(
                    ["fetch", server.localhost] + file + ["--key-password-file", folder.path("wrong")])
                #expect(run.status == 2)
                #expect(run.errors.contains("the password is wrong"), "\(run)")
                #expect(!run.errors.contains("other"), "\(run)")
                let none = try PinctlRun.spawn(["fetch", server.localhost] + file)
                #expect(none.status == 2)
                #expect(none.errors.contains("a password is needed"), "\(none)")
                #expect(none.errors.contains("hint: use --key-password-file FILE"), "\(none)")
            }
        }
    }

    /// Each mistake is found before a connection: nothing listens on the port.
    @Test func mistakes() throws {
        func error(_ options: String...) throws -> String {
            let run = try PinctlRun.spawn(["fetch", "127.0.0.1:1"] + options)
            #expect(run.status == 2, "\(run)")
            return run.errors
        }
        let (chain, key, leafKey) = (pki.path("client.chain.pem"), pki.path("client.key"), pki.path("leaf.key"))
        try #expect(error("--cert", chain).contains("contains no private key\npinctl: hint: use --key FILE"))
        try #expect(error("--key", key).contains("needs \"--cert FILE\""))
        try #expect(error("--cert", key).contains("contains no certificate: expected a client certificate"))
        try #expect(error("--cert", key, "--key", key).contains("contains no certificate"))
        try #expect(error("--cert", chain, "--key", chain).contains("contains no private key: expected the key of"))
        let other = try error("--cert", chain, "--key", leafKey)
        #expect(other.contains("does not belong to the certificate"), "\(other)")
        for name in ["leaf", "client"] { try #expect(other.contains(pki.pin(name)), "\(other)") }
        try #expect(error("--cert", pki.path("absent.pem")).contains("there is no file"))
        try #expect(error("--cert", "-", "--key", "-").contains("standard input"))
    }
}
