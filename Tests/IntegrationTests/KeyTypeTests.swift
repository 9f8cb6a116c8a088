import Foundation
import TestSupport
import Testing

/// `--key-type`: the certificates of a server that has one for each type of key.
@Suite(.blocking) struct KeyTypeTests {
    let pki: TestPKI
    let folder: TemporaryFolder
    var anchors: [String] { ["root", "root-rsa"].flatMap { ["--anchors", pki.path("\($0).pem")] } }

    init() throws {
        pki = try TestPKI.shared()
        folder = try TemporaryFolder("key-types")
    }

    /// The leaf that the client of openssl receives if it accepts only these signature algorithms.
    private func leaf(at server: ServerProcess, _ algorithms: String, _ version: String) throws -> [UInt8] {
        let option = version == "1.2" ? "-tls1_2" : "-tls1_3"
        return try ChildProcess.output(of: [
            "sh", "-c",
            "openssl s_client -connect \(server.endpoint) \(option) -sigalgs \(algorithms) </dev/null 2>/dev/null"
                + " | openssl x509 -outform DER",
        ])
    }

    private func results(_ arguments: [String], status: Int32 = 0) throws -> [FetchReport.Host] {
        let run = try PinctlRun.spawn(["fetch", "--format", "ndjson"] + arguments)
        #expect(run.status == status, "\(run)")
        return try hosts(inLinesOf: run)
    }

    @Test(arguments: ["1.2", "1.3"]) func everyCertificateOfAServer(version: String) throws {
        let own = ["ed448", "rsa-pss"]
        for algorithm in own {
            _ = try ChildProcess.output(of: [
                "openssl", "req", "-x509", "-newkey", algorithm, "-nodes", "-days", "30", "-subj", "/CN=localhost",
                "-addext", "subjectAltName=DNS:localhost", "-keyout", folder.path("\(algorithm).key"), "-out",
                folder.path("\(algorithm).pem"),
            ])
        }
        let more = own.map {
            "ssl_certificate \(folder.path("\($0).pem")); ssl_certificate_key \(folder.path("\($0).key"));"
        }
        try Nginx.run {
            Nginx.host($0, "leaf", "leaf-rsa", "leaf-ed25519", more: more.joined(separator: " "))
        } _: { server in
            let trust = anchors + own.flatMap { ["--anchors", folder.path("\($0).pem")] }
            let results = try results(["--key-type", "all", "--tls-max", version, server.localhost] + trust)
            #expect(results.map(\.chainNumber) == [1, 2, 3, 4, 5])
            #expect(results.allSatisfy { $0.chainCount == 5 && $0.protocol == "TLSv\(version)" })
            #expect(results.allSatisfy { $0.trust?.trusted == true })
            let algorithms = [
                "EC": "ECDSA+SHA256", "RSA": "RSA-PSS+SHA256", "Ed25519": "ed25519", "Ed448": "ed448",
                "RSA-PSS": "rsa_pss_pss_sha256",
            ]
            #expect(Set(results.compactMap { $0.chain.first?.key.type }) == Set(algorithms.keys))
            for result in results {
                let leaf = try #require(result.chain.first)
                let shown = try self.leaf(at: server, try #require(algorithms[leaf.key.type]), version)
                #expect([UInt8](leaf.der) == shown, "\(leaf.key.type)")
            }
        }
    }

    @Test(arguments: [("ecdsa", "leaf"), ("rsa", "leaf-rsa")], ["1.2", "1.3"])
    func oneTypeOfKey(choice: (type: String, leaf: String), version: String) throws {
        try Nginx.run {
            Nginx.host($0, "leaf", "leaf-rsa")
        } _: { server in
            let run = try PinctlRun.spawn(
                ["fetch", "-f", "pin", "-s", "leaf", "--key-type", choice.type, "--tls-max", version, server.localhost]
                    + anchors)
            #expect(run.lines == [try pki.pin(choice.leaf)], "\(run)")
            #expect(run.status == 0)
        }
    }

    /// TLS 1.1 has no signature algorithms, so only the cipher suites select the certificate.
    @Test func cipherSuitesSelectInOldVersions() throws {
        let options = [
            "-dcert", "leaf-rsa.pem", "-dkey", "leaf-rsa.key", "-tls1_1", "-cipher", "ALL:@SECLEVEL=0",
        ]
        try OpenSSLServer.run("leaf", chain: nil, options: options) { server in
            let all = try results(
                ["--insecure", "--key-type", "all", "--tls-min", "1.0", "--tls-max", "1.1", server.localhost])
            #expect(Set(all.compactMap { $0.chain.first?.pin }) == Set(try pki.pins("leaf", "leaf-rsa")))
            #expect(all.count == 2)
            for (type, leaf) in [("ecdsa", "leaf"), ("rsa", "leaf-rsa")] {
                let one = try results(["--insecure", "--key-type", type, "--tls-max", "1.1", server.localhost])
                #expect(one.map { $0.chain.first?.pin } == [try pki.pin(leaf)])
            }
        }
    }

    @Test(arguments: ["1.2", "1.3"]) func gnutlsHasTwoCertificates(version: String) throws {
        let options = ["--x509certfile", "leaf-rsa.chain.pem", "--x509keyfile", "leaf-rsa.key"]
        try GnuTLSServer.run(options: options) { server in
            let all = try results(["--key-type", "all", "--tls-max", version, server.localhost] + anchors)
            #expect(Set(all.compactMap { $0.chain.first?.pin }) == Set(try pki.pins("leaf", "leaf-rsa")))
            #expect(all.count == 2)
        }
        try GnuTLSServer.run { server in
            let one = try results(["--key-type", "all", "--tls-max", version, server.localhost] + anchors)
            #expect(one.map { $0.chain.first?.pin } == [try pki.pin("leaf")])
        }
    }

    /// A refused handshake after the first chain is no error, and the report has one block.
    @Test(arguments: ["leaf", "leaf-rsa", "leaf-ed25519"]) func oneCertificate(leaf: String) throws {
        try Nginx.run {
            Nginx.host($0, leaf)
        } _: { server in
            let any = try PinctlRun.spawn(["fetch", server.localhost] + anchors)
            let all = try PinctlRun.spawn(["fetch", "--key-type", "all", server.localhost] + anchors)
            #expect(all.text == any.text)
            #expect(all.errors.isEmpty, "\(all)")
            #expect(all.status == 0)
        }
    }

    @Test func noKeyOfThisType() throws {
        try Nginx.run {
            Nginx.host($0, "leaf")
        } _: { server in
            let run = try PinctlRun.spawn(["fetch", "--key-type", "rsa", server.localhost] + anchors)
            #expect(run.status == 3)
            #expect(run.text.isEmpty)
            let error =
                "there is no chain for a client that accepts only RSA or RSA-PSS keys: \(server.endpoint) refused"
            #expect(run.errors.contains(error), "\(run)")
            #expect(run.errors.contains("hint: use --key-type any"), "\(run)")
        }
    }

    /// The first connection is forwarded to the server, and all others are closed.
    @Test func saysThatACertificateMayBeMissing() throws {
        try Nginx.run {
            Nginx.host($0, "leaf")
        } _: { server in
            let (count, port) = (Counter(), server.port)
            try RawPeer.run {
                guard count.next() == 1 else { return }
                $0.forward(to: port) { $0.write($1) }
            } _: { peer in
                let all = try results(["--key-type", "all", peer.localhost] + anchors, status: 3)
                #expect(all.map { $0.chain.first?.pin } == [try pki.pin("leaf"), nil])
                #expect(all.last?.error?.code == "closed")
                #expect(all.last?.error?.message.contains("no answer for a client that accepts no ECDSA keys") == true)
                #expect(all.map(\.chainNumber) == [1, 2])
            }
        }
    }

    @Test func filesAndResume() throws {
        try Nginx.run {
            Nginx.host($0, "leaf", "leaf-rsa")
        } _: { server in
            let files = folder.path("certs/")
            let run = try PinctlRun.spawn(
                ["fetch", "--key-type", "all", "--output", files, "-s", "leaf", server.localhost] + anchors)
            #expect(run.status == 0, "\(run)")
            let names = try FileManager.default.contentsOfDirectory(atPath: files).sorted()
            let start = server.localhost.replacing(":", with: "-")
            #expect(names == ["\(start)-ec.leaf.der", "\(start)-rsa.leaf.der"])
            try #expect(folder.bytes("certs/\(names[1])") == pki.bytes("leaf-rsa.der"))

            let resume = ["fetch", "--key-type", "all", "--resume", folder.path("results"), server.localhost] + anchors
            _ = try PinctlRun.spawn(resume)
            let whole = try folder.text("results")
            #expect(whole.split(separator: "\n").count == 2)
            // A complete target is not contacted again.
            let second = try PinctlRun.spawn(resume)
            #expect(second.status == 0, "\(second)")
            try #expect(folder.text("results") == whole)
            // The second chain is missing, so the target is contacted again.
            let first = try #require(whole.split(separator: "\n").first)
            try folder.write(first + "\n", to: "results")
            _ = try PinctlRun.spawn(resume)
            #expect(try folder.text("results").split(separator: "\n").count == 2)
        }
    }

    /// The set pins only the ECDSA key: apps that accept only RSA cannot connect.
    @Test func verifyAndLintCompareEveryChain() throws {
        let pins = "{ \"sha256\": \"\(try pki.pin("leaf"))\", \"role\": \"leaf\" }"
        try folder.write(
            "{ \"version\": 1, \"hosts\": { \"localhost\": { \"pins\": [\(pins)] } } }", to: "pins.json")
        try Nginx.run {
            Nginx.host($0, "leaf", "leaf-rsa")
        } _: { server in
            let verify = ["verify", "-4", "--pins", folder.path("pins.json"), server.localhost] + anchors
            let any = try PinctlRun.spawn(verify)
            #expect(any.status == 0, "\(any)")
            let all = try PinctlRun.spawn(verify + ["--key-type", "all"])
            #expect(all.status == 1, "\(all)")
            #expect(all.text.contains("\(server.localhost) (EC key)  match"), "\(all)")
            #expect(all.text.contains("chain 2 of 2"), "\(all)")
            #expect(all.errors.contains("mismatch"), "\(all)")
            let rsa = try PinctlRun.spawn(verify + ["--key-type", "rsa"])
            #expect(rsa.status == 1, "\(rsa)")

            let lint =
                ["lint", "--live", folder.path("pins.json"), "--connect-to", server.endpoint] + anchors
            #expect(try !PinctlRun.spawn(lint).text.contains("live-mismatch"))
            let everyChain = try PinctlRun.spawn(lint + ["--key-type", "all"])
            #expect(everyChain.text.contains("no pin matches the RSA chain of"), "\(everyChain)")
        }
    }

    @Test func initPinsEveryCertificate() throws {
        let create =
            ["init", "-4", "--policy", "leaf", "--no-backup"] + anchors
        try Nginx.run {
            Nginx.host($0, "leaf", "leaf-rsa")
        } _: { server in
            let all = try PinctlRun.spawn(create + [server.localhost])
            #expect(all.status == 0, "\(all)")
            for name in ["leaf", "leaf-rsa"] { #expect(all.text.contains(try pki.pin(name)), "\(all)") }
            let one = try PinctlRun.spawn(create + ["--key-type", "any", server.localhost])
            #expect(one.text.contains(try pki.pin("leaf")), "\(one)")
            #expect(!one.text.contains(try pki.pin("leaf-rsa")), "\(one)")
            // The RSA chain is not trusted.
            let half = try PinctlRun.spawn(
                ["init", "-4", "--policy", "leaf", "--no-backup", "--anchors", pki.path("root.pem"), server.localhost])
            #expect(half.status == 1 && half.output.isEmpty, "\(half)")
            let reason = "the RSA chain that \(server.endpoint) serves does not validate: unknown authority"
            #expect(half.errors.contains(reason), "\(half)")
            #expect(half.errors.contains("nothing was written"), "\(half)")
        }
    }

    /// The first connection is forwarded to the server, and all others get these bytes, then the end.
    ///
    /// A server that ends the handshake sends no chain. A server that sends something else may have one.
    @Test(arguments: [("HTTP/1.1 400 Bad Request\r\n\r\n", 3), ("", 0)] as [(String, Int32)])
    func initNeedsAnAnswerOnEveryConnection(answer: String, status: Int32) throws {
        try Nginx.run {
            Nginx.host($0, "leaf")
        } _: { server in
            let (count, port) = (Counter(), server.port)
            try RawPeer.run { connection in
                guard count.next() == 1 else {
                    _ = connection.read()
                    connection.write(answer)
                    return
                }
                connection.forward(to: port) { $0.write($1) }
            } _: { peer in
                let create =
                    ["init", "-4", "--no-backup"] + anchors + ["-o", folder.path("pins.json"), peer.localhost]
                let run = try PinctlRun.spawn(create)
                #expect(run.status == status, "\(run)")
                #expect(run.errors.contains("no answer for a client that accepts no ECDSA keys"), "\(run)")
                let verify =
                    "pinctl verify --pins \(folder.path("pins.json")) --key-type all -4 \(peer.localhost)\n"
                let next = status == 0 ? "check with \(verify)" : "use --key-type any"
                #expect(run.errors.contains(next), "\(run)")
                #expect(FileManager.default.fileExists(atPath: folder.path("pins.json")) == (status == 0))
            }
        }
    }

    /// The RSA chain has no intermediate.
    @Test func initNeedsTheRolesInEveryChain() throws {
        let rotation = try RotationPKI()
        try rotation.chain("short", key: "short", by: "root", type: "RSA")
        try rotation.chain("long", key: "long", by: "intermediate")
        let lines = ["long", "short"].map { name in
            "ssl_certificate \(rotation.path("\(name).chain.pem")); ssl_certificate_key \(rotation.path("\(name).chain.key"));"
        }
        try Nginx.run {
            "server { listen \($0) ssl; \(lines.joined(separator: " ")) }\n"
        } _: { server in
            let create = ["init", "-4", "--no-backup", "--anchors", rotation.path("root.pem"), server.localhost]
            let run = try PinctlRun.spawn(create + ["--policy", "intermediate"])
            #expect(run.status == 1 && run.output.isEmpty, "\(run)")
            #expect(run.errors.contains("the RSA chain has no intermediate"), "\(run)")
            #expect(run.errors.contains("hint: use \"--policy ca\", or use --key-type any"), "\(run)")
            let one = try PinctlRun.spawn(create + ["--policy", "intermediate", "--key-type", "any"])
            #expect(one.status == 0, "\(one)")
            let root = try PinctlRun.spawn(create + ["--policy", "root"])
            #expect(root.status == 0, "\(root)")
        }
    }
}
