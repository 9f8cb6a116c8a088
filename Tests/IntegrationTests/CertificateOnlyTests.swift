import Foundation
import TestSupport
import Testing

/// `fetch --certificate-only`: the handshake ends at the server's certificate message, and every result says that nothing is proved.
@Suite(.blocking) struct CertificateOnlyTests {
    let pki: TestPKI
    var anchors: String { pki.path("root.pem") }

    init() throws { pki = try TestPKI.shared() }

    private struct Host: Decodable {
        let proven: Bool?
        let `protocol`: String?
        let cipher: String?
        let applicationProtocol: String?
        let clientCertificate: String?
        let trust: FetchReport.Trust?
        let chain: [Certificate]
        let unused: [Certificate]
        let error: FetchReport.Failure?

        struct Certificate: Decodable {
            let source: String?
            let der: Data
        }

        /// The certificates that the server sent, in any order.
        var served: Set<Data> { Set((chain + unused).filter { $0.source != "store" }.map(\.der)) }
    }

    private func hosts(_ arguments: [String], status: Int32? = nil) throws -> [Host] {
        let run = try PinctlRun.spawn(["fetch", "--format", "ndjson"] + arguments)
        if let status { #expect(run.status == status, "\(run)") }
        return try run.lines.map { try JSONDecoder().decode(Host.self, from: Data($0.utf8)) }
    }

    /// The certificates that `openssl s_client` shows, in any order.
    private func certificates(of server: ServerProcess, _ options: [String]) throws -> Set<Data> {
        let text = try Shell.run(
            "openssl s_client -connect \(server.endpoint) -servername localhost -showcerts \(options.joined(separator: " "))"
                + " </dev/null 2>/dev/null || true",
            in: pki.folder.url)
        let blocks = text.components(separatedBy: "-----BEGIN CERTIFICATE-----").dropFirst()
        return Set(
            blocks.compactMap { block in
                let base64 = block.components(separatedBy: "-----END").first?.filter { !$0.isWhitespace }
                return base64.flatMap { Data(base64Encoded: String($0)) }
            })
    }

    /// Compares the certificates with those of the complete handshake and of `openssl s_client`.
    private func compare(_ server: ServerProcess, _ version: String, _ options: [String] = []) throws {
        let common = [server.localhost, "--insecure", "--tls-max", version] + options
        let full = try #require(try hosts(common, status: 0).first)
        let short = try #require(try hosts(common + ["--certificate-only"], status: 0).first)
        #expect(full.proven == true)
        #expect(short.proven == false)
        #expect(short.protocol == "TLSv\(version)")
        #expect(short.protocol == full.protocol)
        #expect(short.cipher == full.cipher)
        #expect(short.applicationProtocol == full.applicationProtocol)
        #expect(short.clientCertificate == nil)
        #expect(!short.served.isEmpty)
        #expect(short.chain.map(\.der) == full.chain.map(\.der))
        let client = version == "1.2" ? ["-tls1_2"] : ["-tls1_3"]
        #expect(try short.served == certificates(of: server, client))
    }

    private static let leaves = ["leaf", "leaf-rsa", "leaf-ed25519", "leaf-p384"]

    @Test(arguments: leaves, ["1.2", "1.3"]) func nginx(leaf: String, version: String) throws {
        try Nginx.run {
            Nginx.host($0, leaf)
        } _: { server in
            try compare(server, version)
        }
    }

    @Test(arguments: leaves, ["1.2", "1.3"]) func openSSL(leaf: String, version: String) throws {
        try OpenSSLServer.run(leaf, options: ["-alpn", "h2,http/1.1"]) { server in
            try compare(server, version, ["--alpn", "http/1.1"])
        }
    }

    @Test(arguments: ["leaf", "leaf-rsa"], ["1.2", "1.3"]) func gnuTLS(leaf: String, version: String) throws {
        try GnuTLSServer.run(leaf) { server in try compare(server, version) }
    }

    /// A server that supports none of the groups of the first ClientHello's key shares, so that a TLS 1.3 server asks for another.
    @Test(arguments: ["1.2", "1.3"], ["P-384", "P-521", "X448", "ffdhe2048"]) func otherGroups(
        version: String, group: String
    ) throws {
        try OpenSSLServer.run("leaf-rsa", options: ["-groups", group]) { server in try compare(server, version) }
    }

    /// The parameters of a TLS 1.2 key exchange follow the certificate.
    @Test(arguments: ["DHE-RSA-AES128-GCM-SHA256", "AES128-GCM-SHA256", "ECDHE-RSA-CHACHA20-POLY1305"])
    func keyExchanges(suite: String) throws {
        try OpenSSLServer.run("leaf-rsa", options: ["-cipher", suite, "-tls1_2"]) { server in
            try compare(server, "1.2")
        }
    }

    @Test(arguments: ["TLS_AES_256_GCM_SHA384", "TLS_CHACHA20_POLY1305_SHA256", "TLS_AES_128_GCM_SHA256"])
    func suites(suite: String) throws {
        try OpenSSLServer.run("leaf", options: ["-ciphersuites", suite, "-tls1_3"]) { server in
            try compare(server, "1.3")
        }
    }

    /// A server that requires a client certificate sends its own before it refuses.
    @Test(arguments: ["1.2", "1.3"]) func clientCertificateRequired(version: String) throws {
        let options = ["-Verify", "1", "-verify_return_error", "-CAfile", "root.pem"]
        try OpenSSLServer.run("leaf", options: options) { server in try compare(server, version) }
        let more = "ssl_client_certificate PKI/root.pem; ssl_verify_client on;"
        try Nginx.run {
            Nginx.host($0, "leaf", more: more)
        } _: { server in
            try compare(server, version)
        }
    }

    @Test func everyKeyType() throws {
        try Nginx.run {
            Nginx.host($0, "leaf", "leaf-rsa")
        } _: { server in
            let common = [server.localhost, "--insecure", "--key-type", "all"]
            let full = try hosts(common, status: 0)
            let short = try hosts(common + ["--certificate-only"], status: 0)
            #expect(full.count == 2)
            #expect(short.map(\.served) == full.map(\.served))
            #expect(short.map(\.proven) == [false, false])
        }
    }

    /// The session with the server also ends early if it runs in the TLS connection to a proxy or after STARTTLS. That with the proxy does
    /// not: the proxy's chain is validated.
    @Test(.enabled(if: StartTLSServer.exim.canRun && StartTLSServer.dovecot.canRun, "exim or dovecot is not installed"))
    func startTLS() throws {
        for program in [StartTLSServer.exim, .dovecot] {
            try program.run { ports, _ in
                for (scheme, port) in ports where scheme != "sieve" {
                    let common = ["\(scheme)://localhost:\(port)", "-4", "--anchors", anchors]
                    let full = try #require(try hosts(common, status: 0).first)
                    let short = try #require(try hosts(common + ["--certificate-only"], status: 0).first)
                    #expect(short.served == full.served, "\(scheme)")
                    #expect(short.proven == false)
                    #expect(short.trust?.trusted == true)
                }
            }
        }
    }

    @Test func chainsAreStillValidated() throws {
        try Nginx.run {
            Nginx.host($0, "leaf", names: "localhost") + Nginx.host($0, "leaf-expired", names: "www.example.test")
        } _: { server in
            let trusted = [server.localhost, "--certificate-only", "--anchors", anchors]
            #expect(try hosts(trusted, status: 0).first?.trust?.trusted == true)
            let expired = try hosts(trusted + ["--servername", "www.example.test"], status: 1)
            #expect(expired.first?.trust?.code == "expired")
            #expect(expired.first?.proven == false)
            let mismatch = try hosts(trusted + ["--servername", "other.test"], status: 1)
            #expect(mismatch.first?.trust?.code == "name-mismatch")
        }
        let closed = try LoopbackSocket()
        let none = try hosts(["127.0.0.1:\(closed.port)", "--certificate-only"], status: 3)
        #expect(none.first?.proven == nil)
        #expect(none.first?.error?.code == "refused")
    }

    /// A narrow terminal shortens other columns.
    @Test(arguments: [40, 60, 80]) func theMarkIsNeverCut(columns: Int) throws {
        try Nginx.run {
            Nginx.host($0, "leaf")
        } _: { server in
            for (arguments, mark) in [
                (["--anchors", anchors, "--sort", "issuer"], "trusted (not proven)"),
                (["--sort", "root"], "(not proven)"),
                (["--group-by", "root"], "hosts (not proven)"),
            ] {
                let table = try PinctlRun.textOnTerminal(
                    ["fetch", server.localhost, "--certificate-only", "--format", "table"] + arguments, columns: columns
                )
                #expect(table.contains(mark), "\(table)")
            }
        }
    }

    /// Each report marks its results, also that of a chain that does not validate.
    @Test func everyReportSaysThatNothingIsProven() throws {
        try Nginx.run {
            Nginx.host($0, "leaf")
        } _: { server in
            let formats = [
                "text", "table", "csv", "markdown", "prometheus", "tree", "mermaid", "svg", "json", "ndjson",
            ]
            for format in formats {
                for (trust, status) in [(["--anchors", anchors], Int32(0)), ([], 1)] {
                    let arguments = ["fetch", server.localhost, "--format", format] + trust
                    let short = try PinctlRun.spawn(arguments + ["--certificate-only"])
                    #expect(short.status == status, "\(short)")
                    let mark =
                        switch format {
                        case "csv": ",false\r\n"
                        case "prometheus": "proven=\"false\""
                        case "json": "\"proven\": false"
                        case "ndjson": "\"proven\":false"
                        case "mermaid": "#lpar;not proven#rpar;"
                        case "markdown": "(not proven)"
                        default: "(not proven)"
                        }
                    #expect(short.text.contains(mark), "\(format) \(short)")
                    let full = try PinctlRun.spawn(arguments)
                    #expect(full.status == status)
                    #expect(!full.text.contains(mark), "\(full)")
                }
            }
            let samples = try PinctlRun.spawn(
                ["fetch", server.localhost, "--certificate-only", "-f", "prometheus", "--anchors", anchors])
            let marked = samples.lines.filter { $0.contains("name=") }
            #expect(marked.count == 4)
            #expect(marked.allSatisfy { $0.contains("proven=\"false\"") }, "\(samples)")
            let csv = try PinctlRun.spawn(
                ["fetch", server.localhost, "--certificate-only", "-f", "csv", "--anchors", anchors])
            #expect(csv.text.split(separator: "\r\n").first?.hasSuffix(",pin,proven") == true, "\(csv)")
            let groups = try PinctlRun.spawn(
                [
                    "fetch", server.localhost, "--certificate-only", "-f", "csv", "--group-by", "root", "--anchors",
                    anchors,
                ])
            #expect(groups.text.hasPrefix("root,hosts (not proven)\r\n"), "\(groups)")
        }
    }

    /// Nothing listens on the port: each mistake is found before a connection.
    @Test func refusedCombinations() throws {
        func errors(_ arguments: [String]) throws -> String {
            let run = try PinctlRun.spawn(arguments + ["--certificate-only"])
            #expect(run.status == 2, "\(run)")
            return run.errors
        }
        for format in ["pin", "okhttp", "curl", "tlsa", "hpkp", "hex", "android", "apple", "der", "pem", "base64"] {
            let text = try errors(["fetch", "127.0.0.1:1", "--insecure", "--format", format])
            #expect(text.contains("\"--certificate-only\" is not possible with \"--format \(format)\""), "\(text)")
        }
        let folder = try TemporaryFolder("certificate-only")
        defer { folder.remove() }
        let files = try errors(["fetch", "127.0.0.1:1", "--output", folder.path + "/"])
        #expect(files.contains("\"--certificate-only\" is not possible with \"--format der\""), "\(files)")
        for option in ["--cert", "--key", "--key-password-file"] {
            let text = try errors(["fetch", "127.0.0.1:1", option, "file"])
            #expect(text.contains("\"\(option)\" and \"--certificate-only\" cannot be used together"), "\(text)")
        }
        for command in ["verify", "refresh", "init", "add", "lint", "inspect", "diff", "explain", "challenge"] {
            let text = try errors([command, "127.0.0.1:1"])
            #expect(text.contains("\(command) has no option \"--certificate-only\""), "\(text)")
            #expect(text.contains("only fetch shows chains of servers that do not prove"))
        }
    }
}
