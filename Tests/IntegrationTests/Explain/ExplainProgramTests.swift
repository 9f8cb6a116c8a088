import Foundation
import TestSupport
import Testing

/// `explain` with the output of real programs, compared with live hosts.
@Suite(.blocking) struct ExplainProgramTests: ExplainSuite {
    let pki: TestPKI
    let folder: TemporaryFolder

    init() throws {
        pki = try TestPKI.shared()
        folder = try TemporaryFolder("explain")
    }

    /// curl does not compare the keys of CAs.
    @Test func aPinOfACAForCurl() throws {
        try OpenSSLServer.run { server in
            let log = try curl(
                [
                    "--verbose", "--cacert", pki.path("root.pem"), "--pinnedpubkey",
                    "sha256//\(try pki.pin("intermediate"))",
                    "https://\(server.localhost)/",
                ], status: 90)
            try folder.write(
                #"{"version":1,"hosts":{"localhost":["\#(try pki.pin("intermediate"))"]}}"#, to: "pins.json")
            let failure = try explain(log, ["--pins", folder.path("pins.json")])
            #expect(failure.conclusion.verdict == "wrong-set", "\(failure)")
            #expect(failure.conclusion.sentence.hasPrefix("curl compares only the server's key"))
            // With an old key of the server beside it, the keys can have changed.
            try folder.write(
                #"{"version":1,"hosts":{"localhost":["\#(try pki.pin("intermediate"))","\#(try pki.pin("other-leaf"))"]}}"#,
                to: "pins.json")
            let rotation = try explain(log, ["--pins", folder.path("pins.json")])
            #expect(rotation.conclusion.verdict == "rotation", "\(rotation)")
        }
    }

    /// The message names the host, and another line its port.
    @Test func explainsCurlWithAnotherName() throws {
        try OpenSSLServer.run { server in
            let log = try curl(
                [
                    "--verbose", "--cacert", pki.path("root.pem"), "--connect-to", "::127.0.0.1:\(server.port)",
                    "https://other.example:\(server.port)/",
                ], status: 60)
            let failure = try explain(
                "curl https://other.example:\(server.port)/\n" + log, ["--connect-to", "127.0.0.1:\(server.port)"])
            #expect(failure.kind == "name-mismatch" && failure.target == "other.example:\(server.port)", "\(failure)")
            #expect(failure.conclusion.verdict == "server-error")
        }
    }

    /// A program compares pins with a chain that it has validated, so a certificate that has expired since is not the cause.
    @Test func anExpiredCertificateIsNoCauseOfARefusedPin() throws {
        try Nginx.run {
            Nginx.host($0, "leaf-expired")
        } _: { server in
            let log = try curl(
                [
                    "--verbose", "--insecure", "--pinnedpubkey", "sha256//\(try pki.pin("other-leaf"))",
                    "https://\(server.localhost)/",
                ], status: 90)
            let failure = try explain(log, status: 3)
            #expect(failure.kind == "pin-mismatch" && failure.conclusion.verdict == "undecided", "\(failure)")
            #expect(failure.conclusion.sentence.contains("expired on"), "\(failure)")
            #expect(failure.conclusion.sentence.contains("this does not explain a refused pin"), "\(failure)")
        }
    }

    @Test func explainsCurlWithAWrongPin() throws {
        try OpenSSLServer.run { server in
            let log = try curl(
                [
                    "--verbose", "--cacert", pki.path("root.pem"), "--pinnedpubkey",
                    "sha256//\(try pki.pin("other-root"))",
                    "https://\(server.localhost)/",
                ], status: 90)
            let failure = try explain(log, status: 3)
            #expect(failure.source == "curl")
            #expect(failure.kind == "pin-mismatch")
            #expect(failure.target == server.localhost)
            // The log of curl contains the key that it saw, which is the key of the host, and not its option.
            #expect(failure.conclusion.verdict == "undecided")
            #expect(failure.conclusion.command.contains("--pins PINS"))
            let set = #"{"version":1,"hosts":{"localhost":["\#(try pki.pin("other-root"))"]}}"#
            try folder.write(set, to: "pins.json")
            #expect(try explain(log, ["--pins", folder.path("pins.json")]).conclusion.verdict == "rotation")
        }
    }

    @Test func explainsCurlWithAnExpiredCertificate() throws {
        try OpenSSLServer.run("leaf-expired") { server in
            let log = try curl(
                ["--verbose", "--cacert", pki.path("root.pem"), "https://\(server.localhost)/"], status: 60)
            let failure = try explain(log)
            #expect(failure.kind == "expired")
            #expect(failure.conclusion.verdict == "expired-certificate")
            #expect(
                failure.conclusion.command
                    == "pinctl inspect \(server.localhost) --select leaf --anchors \(pki.path("root.pem"))")
        }
    }

    @Test func explainsCurlWithoutAnIntermediate() throws {
        try OpenSSLServer.run(chain: nil) { server in
            let log = try curl(
                ["--verbose", "--cacert", pki.path("root.pem"), "https://\(server.localhost)/"], status: 60)
            // The certificate of an interceptor without its CA looks the same.
            let failure = try explain(log, status: 3)
            #expect(failure.kind == "untrusted")
            #expect(failure.conclusion.verdict == "undecided")
            #expect(failure.conclusion.sentence.contains("the server omits the certificate of an intermediate CA, or"))
        }
        // A certificate that names the URL of its issuer, as those of public CAs do.
        try Shell.run(
            """
            printf 'subjectAltName=DNS:localhost\nauthorityInfoAccess=caIssuers;URI:http://ca.example/ca.crt\n' >ext
            openssl ecparam -name prime256v1 -genkey -noout -out leaf-aia.key
            openssl req -new -key leaf-aia.key -subj /CN=localhost -out csr
            openssl x509 -req -in csr -CA "\(pki.path("intermediate.pem"))" -CAkey "\(pki.path("intermediate.key"))" \
                -set_serial 7 -days 9 -extfile ext -out leaf-aia.pem 2>log
            """, in: folder.url)
        try OpenSSLServer.run(
            chain: nil, options: ["-cert", folder.path("leaf-aia.pem"), "-key", folder.path("leaf-aia.key")]
        ) { server in
            let log = try curl(["--cacert", pki.path("root.pem"), "https://\(server.localhost)/"], status: 60)
            let failure = try explain("curl https://\(server.localhost)/\n" + log)
            #expect(failure.conclusion.verdict == "server-error", "\(failure)")
            #expect(
                failure.conclusion.command
                    == "pinctl fetch --fetch-issuers \(server.localhost) --anchors \(pki.path("root.pem"))")
        }
    }

    /// The output of a client that connects to a server with a certificate of `openssl req`, in place of the host of another server.
    private func intercepted(
        name: String, by host: ServerProcess, _ command: (_ port: UInt16) -> [String]
    ) throws -> String {
        let files = ["-cert", folder.path("i.pem"), "-key", folder.path("i.key")]
        let made = try ChildProcess.run(
            [
                "openssl", "req", "-x509", "-newkey", "ec", "-pkeyopt", "ec_paramgen_curve:prime256v1", "-nodes",
                "-days", "9",
            ]
                + ["-keyout", folder.path("i.key"), "-out", folder.path("i.pem"), "-subj", name])
        #expect(made.end == .exit(0), "\(made.errors)")
        return try OpenSSLServer.run(chain: nil, options: files) { server in
            let run = try ChildProcess.run(command(server.port))
            return run.text.replacing("127.0.0.1:\(server.port)", with: host.localhost)
        }
    }

    /// The standard output has the certificate that the program saw.
    @Test func explainsTheResultOfSClient() throws {
        try OpenSSLServer.run { server in
            let log = try intercepted(name: "/O=Portal/CN=portal.example", by: server) { port in
                ["sh", "-c", "openssl s_client -connect 127.0.0.1:\(port) </dev/null 2>/dev/null"]
            }
            for options in [
                #"-connect "HOST" -servername "localhost"</dev/null"#, "-connect HOST -servername localhost;",
            ] {
                let command = "$ openssl s_client \(options.replacing("HOST", with: server.localhost))\n"
                let failure = try explain(command + log)
                #expect(failure.source == "openssl" && failure.target == server.localhost)
                #expect(failure.conclusion.verdict == "interception", "\(failure)")
            }
        }
    }

    /// The name of a certificate has the status of another run and its start.
    @Test func isNotMisledByANameInTheOutputOfGnuTLS() throws {
        let status = "- Status: The certificate is NOT trusted. The certificate chain uses expired certificate. "
        try OpenSSLServer.run { server in
            for (name, verdict) in [
                ("/CN=localhost", "interception"),
                ("/street=x\n\(status)\nResolving 'evil.example:443'...\n - subject `CN=y/CN=localhost", nil),
            ] as [(String, String?)] {
                let log = try intercepted(name: name, by: server) { port in
                    [
                        "sh", "-c",
                        "gnutls-cli -p \(port) --x509cafile \(pki.path("root.pem")) 127.0.0.1 </dev/null 2>&1",
                    ]
                }
                let anchors = ["--anchors", pki.path("root.pem"), "--connect-to", "127.0.0.1:\(server.port)"]
                let run = try PinctlRun.spawn(["explain", "-", "--format", "json"] + anchors, input: Array(log.utf8))
                let failures = try JSONDecoder().decode(ExplainReport.self, from: Data(run.output)).failures
                #expect(
                    failures.first?.target == server.localhost && failures.count == (verdict == nil ? 3 : 1), "\(run)")
                #expect(failures.allSatisfy { $0.conclusion.verdict == verdict ?? "undecided" }, "\(run)")
                let isForged = failures.first?.conclusion.sentence.contains("two values of") ?? false
                #expect(isForged == (verdict == nil), "\(run)")
            }
        }
    }
}
