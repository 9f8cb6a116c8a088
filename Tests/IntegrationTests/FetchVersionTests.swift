import TestSupport
import Testing

/// TLS versions, application protocols, and a TLS implementation other than OpenSSL.
@Suite(.blocking) struct FetchVersionTests {
    let pki: TestPKI
    var anchors: String { pki.path("root.pem") }

    init() throws { pki = try TestPKI.shared() }

    /// Debian's OpenSSL rejects these versions, so only --insecure and explicit options allow them.
    @Test(arguments: [("-tls1", "1.0", "TLSv1"), ("-tls1_1", "1.1", "TLSv1.1")])
    func obsoleteVersions(option: String, version: String, name: String) throws {
        try OpenSSLServer.run(options: [option, "-cipher", "DEFAULT@SECLEVEL=0"]) { server in
            let refused = try fetch(server.localhost, "--anchors", anchors)
            #expect(refused.status == 3)
            #expect(refused.output.isEmpty)
            #expect(
                refused.errors.contains("it does not support the offered TLS versions (alert \"protocol version\")"),
                "\(refused)")
            let hint =
                "pinctl: hint: check --tls-min and --tls-max; use pinctl fetch --insecure to offer all versions from TLS 1.0 on\n"
            #expect(refused.errors.hasSuffix(hint), "\(refused)")

            let asked = try report(server.localhost, "--anchors", anchors, "--tls-min", version, status: 0)
            #expect(asked.protocol == name)
            #expect(asked.trust?.trusted == true)

            let shown = try report(server.localhost, "--anchors", anchors, "--insecure", status: 0)
            #expect(shown.protocol == name)
            #expect(shown.pins == (try pki.pins("leaf", "intermediate", "root")))
        }
    }

    @Test func boundsOfVersions() throws {
        try Nginx.run {
            Nginx.host($0, "leaf")
        } _: { server in
            func version(_ arguments: String...) throws -> String? {
                let run = try PinctlRun.spawn(
                    ["fetch", server.localhost, "--anchors", anchors, "-f", "ndjson"] + arguments)
                return try hosts(inLinesOf: run).first?.protocol
            }
            try #expect(version() == "TLSv1.3")
            try #expect(version("--tls-max", "1.2") == "TLSv1.2")
            try #expect(version("--tls-min", "1.2", "--tls-max", "1.2") == "TLSv1.2")
            try #expect(version("--tls-min", "1.3") == "TLSv1.3")
        }
    }

    @Test func serverBelowTheLowestVersion() throws {
        try OpenSSLServer.run(options: ["-tls1_2"]) { server in
            let host = try report(server.localhost, "--anchors", anchors, "--tls-min", "1.3", status: 3)
            #expect(host.error?.code == "tls")
            #expect(host.error?.message.contains("protocol version") == true)
            #expect(host.trust == nil)
            #expect(host.chain.isEmpty)
            #expect(host.address == server.endpoint)
        }
    }

    @Test func applicationProtocols() throws {
        try OpenSSLServer.run(options: ["-alpn", "h2,http/1.1"]) { server in
            func chosen(_ arguments: String...) throws -> String? {
                let run = try PinctlRun.spawn(
                    ["fetch", server.localhost, "--anchors", anchors, "-f", "ndjson"] + arguments)
                return try hosts(inLinesOf: run).first?.applicationProtocol
            }
            try #expect(chosen() == nil)
            try #expect(chosen("--alpn", "http/1.1") == "http/1.1")
            try #expect(chosen("--alpn", "imap,h2") == "h2")
            try #expect(chosen("--alpn", "imap", "--alpn", "h2") == "h2")
            let none = try report(server.localhost, "--anchors", anchors, "--alpn", "imap", status: 3)
            #expect(none.error?.code == "tls")
            #expect(
                none.error?.message.contains("no application protocol") == true, "\(String(describing: none.error))")
        }
    }

    @Test func applicationProtocolOfNginx() throws {
        let http2 = { (endpoint: String) in
            Nginx.host("\(endpoint) ssl http2", "leaf").replacing("http2 ssl;", with: "http2;")
        }
        try Nginx.run(servers: http2) { server in
            let host = try report(server.localhost, "--anchors", anchors, "--alpn", "h2,http/1.1", status: 0)
            #expect(host.applicationProtocol == "h2")
        }
    }

    @Test(arguments: ["1.2", "1.3"], ["leaf", "leaf-rsa", "leaf-p384", "leaf-ed25519"])
    func gnutls(version: String, certificate: String) throws {
        try GnuTLSServer.run(certificate, priority: "NORMAL:-VERS-ALL:+VERS-TLS\(version)") { server in
            let host = try report(server.localhost, "--anchors", pki.path("anchors"), status: 0)
            let isRSA = certificate == "leaf-rsa"
            let others = isRSA ? ["intermediate-rsa", "root-rsa"] : ["intermediate", "root"]
            #expect(host.pins == (try ([certificate] + others).map { try pki.pin($0) }))
            #expect(host.protocol == "TLSv\(version)")
            #expect(host.serverName == "localhost")
            #expect(host.trust?.trusted == true)
        }
    }

    /// AES-128 is first, unless the configuration of OpenSSL sets the list (config(5), SSL configuration module).
    @Test(arguments: [
        (nil, "TLS_AES_128_GCM_SHA256"),
        ("TLS_AES_256_GCM_SHA384:TLS_AES_128_GCM_SHA256", "TLS_AES_256_GCM_SHA384"),
        ("TLS_CHACHA20_POLY1305_SHA256:TLS_AES_256_GCM_SHA384", "TLS_CHACHA20_POLY1305_SHA256"),
    ])
    func orderOfTheSuites(configured: String?, expected: String) throws {
        let folder = try TemporaryFolder()
        defer { folder.remove() }
        let environment = try configured.map { try folder.openSSLConfiguration("Ciphersuites = \($0)") } ?? [:]
        try OpenSSLServer.run { server in
            let run = try PinctlRun.spawn(
                ["fetch", server.localhost, "--insecure", "--format", "ndjson"], environment: environment)
            #expect(run.status == 0, "\(run)")
            #expect(run.text.contains("\"cipher\":\"\(expected)\""), "\(run)")
        }
    }
}
