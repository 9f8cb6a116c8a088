import Foundation
import TestSupport
import Testing

/// `inspect` on hosts and files.
@Suite(.blocking) struct InspectTests {
    let pki: TestPKI

    init() throws { pki = try TestPKI.shared() }

    struct Report: Decodable {
        let sources: [Source]

        struct Source: Decodable {
            let file: String?
            let target: String?
            let ocsp: Status?
            let trust: Trust?
            let certificates: [Certificate]
            let errors: [Failure]
        }

        struct Status: Decodable {
            let status: String
            let thisUpdate: String?
            let nextUpdate: String?
        }

        struct Trust: Decodable { let trusted: Bool }

        struct Certificate: Decodable {
            let role: String?
            let pin: String
        }

        struct Failure: Decodable { let code: String }
    }

    /// A report that was not delivered is not a success. Help is no result of a run, so a closed pipe is no error there.
    @Test(arguments: [
        ("inspect 'CERTIFICATE'", 3), ("inspect --format json 'CERTIFICATE'", 3), ("help inspect", 0),
        ("--version --json", 0),
    ])
    func closedOutput(line: String, status: Int32) throws {
        let command = line.replacing("CERTIFICATE", with: pki.path("root.pem"))
        // The pipe has no reader when pinctl starts.
        let script = """
            import os, subprocess, sys
            reader, writer = os.pipe()
            os.close(reader)
            sys.exit(subprocess.run(sys.argv[1], shell=True, stdout=writer).returncode)
            """
        let run = try ChildProcess.run(
            ["python3", "-c", script, "exec '\(PinctlRun.executable)' \(command)"], environment: TestEnvironment.base)
        #expect(run.end == .exit(status), "\(run)")
    }

    private func report(_ arguments: [String], status: Int32 = 0) throws -> [Report.Source] {
        let run = try PinctlRun.spawn(["inspect", "--format", "json"] + arguments)
        #expect(run.status == status, "\(run)")
        return try JSONDecoder().decode(Report.self, from: Data(run.output)).sources
    }

    @Test(arguments: [
        ("good", "leaf", "good"), ("delegated", "leaf", "good"), ("revoked", "leaf-api", "revoked"),
        ("unknown", "leaf-www", "unknown"), ("by-leaf", "leaf", "invalid"), ("by-other", "leaf", "invalid"),
        ("good", "leaf-api", "invalid"),
    ]) func showsTheStapledStatus(response: String, leaf: String, status: String) throws {
        let authorities = try TestAuthorities.shared()
        let folder = authorities.folder.path(percentEncoded: false)
        try ServerProcess.run { port in
            [
                "openssl", "s_server", "-accept", Loopback.ipv4.endpoint(port), "-cert", "\(folder)/\(leaf).pem",
                "-key",
                "\(folder)/\(leaf).key", "-cert_chain", "\(folder)/intermediate.pem", "-status_file",
                "\(folder)/\(response).ocsp", "-www",
            ]
        } _: { server in
            let source = try #require(
                try report([
                    server.localhost, "--anchors", "\(folder)/root.pem", "--servername",
                    leaf == "leaf" ? "localhost" : "\(leaf.dropFirst("leaf-".count)).example.test",
                ]).first)
            let ocsp = try #require(source.ocsp)
            #expect(ocsp.status == status)
            #expect((ocsp.thisUpdate != nil) == (status != "invalid"))
        }
    }

    /// A response without `nextUpdate` is current for one day, so that an old one cannot hide a revocation.
    @Test(arguments: [(hours: 1, status: "good"), (30, "outdated")])
    func aResponseWithoutAnEnd(hours: Int, status: String) throws {
        let authorities = try TestAuthorities.shared()
        let folder = authorities.folder.path(percentEncoded: false)
        let time = Date.now.addingTimeInterval(Double(hours) * 3_600).formatted(.iso8601)
        try ServerProcess.run { port in
            [
                "openssl", "s_server", "-accept", Loopback.ipv4.endpoint(port), "-cert", "\(folder)/leaf.pem", "-key",
                "\(folder)/leaf.key", "-cert_chain", "\(folder)/intermediate.pem", "-status_file",
                "\(folder)/endless.ocsp", "-www",
            ]
        } _: { server in
            let source = try report([server.localhost, "--anchors", "\(folder)/root.pem", "--at", time]).first
            let ocsp = try #require(source?.ocsp)
            #expect(ocsp.status == status && ocsp.nextUpdate == nil)
            let early = try PinctlRun.spawn([
                "inspect", server.localhost, "--anchors", "\(folder)/root.pem", "--at",
                Date.now.addingTimeInterval(-7_200).formatted(.iso8601),
            ])
            #expect(early.text.contains("response that is not valid yet"), "\(early)")
        }
    }

    @Test func showsThatNothingIsStapled() throws {
        try OpenSSLServer.run { server in
            let source = try #require(try report([server.localhost, "--anchors", pki.path("root.pem")]).first)
            #expect(source.ocsp?.status == "absent")
            #expect(source.trust?.trusted == true)
            #expect(source.certificates.map(\.role) == ["leaf", "intermediate", "root"])
            #expect(source.certificates.map(\.pin) == (try pki.pins("leaf", "intermediate", "root")))
        }
    }

    /// A private CA in the system's trust store can be that of an interceptor.
    @Test func namesAnUnlistedAuthority() throws {
        try OpenSSLServer.run { server in
            let store = ["SSL_CERT_FILE": pki.path("root.pem"), "SSL_CERT_DIR": pki.path("none")]
            let run = try PinctlRun.spawn(["inspect", server.localhost], environment: store)
            #expect(run.text.contains("is not in pinctl's list of public CAs"), "\(run)")
            let named = try PinctlRun.spawn(["inspect", "--anchors", pki.path("root.pem"), server.localhost])
            #expect(!named.text.contains("list of public CAs"), "\(named)")
        }
        try OpenSSLServer.run("leaf-expired") { server in
            let run = try PinctlRun.spawn(["inspect", "--anchors", pki.path("root.pem"), server.localhost])
            #expect(
                run.text.contains(#/valid until +\d{4}-\d\d-\d\dT[0-9:]+Z \((less than a|1|\d+) days? ago\)/#), "\(run)"
            )
        }
    }

    /// An extension with a key of Ed25519, whose bytes are more than one line.
    @Test func hidesAPrivateKeyInAnExtension() throws {
        let folder = try TemporaryFolder("inspect-key")
        defer { folder.remove() }
        let key = try ChildProcess.output(of: ["openssl", "genpkey", "-algorithm", "ed25519", "-outform", "DER"])
        let digits = key.map { String(format: "%02x", $0) }.joined(separator: ":")
        _ = try ChildProcess.output(of: [
            "openssl", "req", "-x509", "-newkey", "ec", "-pkeyopt", "ec_paramgen_curve:P-256", "-nodes", "-subj",
            "/CN=a.example.com",
            "-addext", "1.2.3.4.5=DER:\(digits)", "-keyout", folder.path("new.key"), "-out", folder.path("new.pem"),
        ])
        let run = try PinctlRun.spawn(["inspect", "new.pem"], folder: folder.url)
        #expect(run.text.contains("1.2.3.4.5") && run.text.contains("302e…"), "\(run)")
        let end = key.suffix(8).map { String(format: "%02x", $0) }.joined()
        #expect(!run.text.contains(end), "\(run)")
    }

    @Test func keepsTheOrderOfTheCommandLine() throws {
        try OpenSSLServer.run { server in
            let sources = try report([
                pki.path("leaf.pem"), server.localhost, pki.path("root.pem"), "--anchors", pki.path("root.pem"),
            ])
            #expect(sources.map(\.file) == [pki.path("leaf.pem"), nil, pki.path("root.pem")])
            #expect(sources.map(\.certificates.count) == [1, 3, 1])
        }
    }

    /// The files stay in their places if the first host answers last.
    @Test func keepsTheOrderWithASlowHost() throws {
        try RawPeer.run {
            $0.drain()
        } _: { slow in
            try OpenSSLServer.run { server in
                let (first, second) = (pki.path("leaf.pem"), pki.path("root.pem"))
                let sources = try report(
                    [first, slow.endpoint, second, server.localhost, "--anchors", second, "--timeout", "2"], status: 3)
                #expect(sources.map { $0.file ?? $0.target } == [first, slow.endpoint, second, server.localhost])
            }
        }
    }

    /// The position of a file has no effect on the status, and status 2 means that pinctl contacted no host.
    @Test(arguments: [["none.pem", "HOST"], ["HOST", "none.pem"], ["HOST", "damaged.pem", "HOST", "leaf.pem"]])
    func connectsToNoHostIfAFileIsUnreadable(operands: [String]) throws {
        let folder = try TemporaryFolder("inspect")
        defer { folder.remove() }
        try folder.write("-----BEGIN CERTIFICATE-----\nAAAA\n-----END CERTIFICATE-----\n", to: "damaged.pem")
        try folder.write(pki.folder.text("leaf.pem"), to: "leaf.pem")
        try RawPeer.run {
            Issue.record("there is a connection")
            $0.drain()
        } _: { server in
            for format in ["text", "json", "pin"] {
                let run = try PinctlRun.spawn(
                    ["inspect", "--format", format] + operands.map { $0 == "HOST" ? server.endpoint : $0 },
                    folder: folder.url)
                if format == "json" {
                    let sources = try JSONDecoder().decode(Report.self, from: Data(run.output)).sources
                    #expect(sources.map { $0.file ?? "HOST" } == operands, "\(run)")
                }
                #expect(run.status == 2 && run.errors.contains("no connection to \(server.endpoint)"), "\(run)")
                #expect(run.text.contains("leaf.pem") == (format != "pin" && operands.contains("leaf.pem")), "\(run)")
            }
        }
    }

    @Test func printsNoPinsOfAnUntrustedChain() throws {
        try OpenSSLServer.run { server in
            for format in ["pin", "okhttp", "pem", "hex"] {
                let run = try PinctlRun.spawn(["inspect", server.localhost, "--format", format])
                #expect(run.status == 1)
                #expect(run.text.isEmpty)
                let insecure = try PinctlRun.spawn(["inspect", server.localhost, "--format", format, "--insecure"])
                #expect(insecure.status == 0)
                #expect(!insecure.text.isEmpty)
            }
            let text = try PinctlRun.spawn(["inspect", server.localhost])
            #expect(text.status == 1)
            #expect(text.lines.filter { $0.contains("pin  ") }.allSatisfy { $0.hasSuffix("(unverified)") })
        }
    }

    @Test func reportsARefusedConnection() throws {
        let socket = try LoopbackSocket()
        let source = try #require(try report(["127.0.0.1:\(socket.port)"], status: 3).first)
        #expect(source.errors.map(\.code) == ["refused"])
    }
}
