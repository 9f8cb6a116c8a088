import Foundation
import InProcessRuns
import TestSupport
import Testing

/// `--as` compared with the programs: openconnect, openfortivpn, stubby and aiohttp.
@Suite(.blocking) struct VerifyAsProgramsTests {
    /// A server, a pin and the trust anchors of both programs.
    struct Case: Sendable, CustomTestStringConvertible {
        /// The certificate of the server, and the pinned one.
        let (served, pinned): (String, String)
        /// Whether the program and pinctl know the root of the server.
        var knowsRoot = true
        var name = "localhost"

        var testDescription: String { "\(pinned) for \(served), \(name)\(knowsRoot ? "" : ", unknown root")" }
    }

    static let cases = [
        Case(served: "leaf", pinned: "leaf"), Case(served: "leaf", pinned: "leaf-www"),
        Case(served: "leaf", pinned: "intermediate"), Case(served: "leaf", pinned: "root"),
        Case(served: "leaf", pinned: "leaf", knowsRoot: false),
        Case(served: "leaf", pinned: "leaf-www", knowsRoot: false),
        Case(served: "leaf", pinned: "intermediate", knowsRoot: false),
        Case(served: "leaf-expired", pinned: "leaf-expired"), Case(served: "leaf-expired", pinned: "intermediate"),
        Case(served: "leaf-expired", pinned: "leaf"),
    ]

    let pki: TestPKI
    let folder: TemporaryFolder

    init() throws {
        pki = try TestPKI.shared()
        folder = try TemporaryFolder("verify-as-programs")
    }

    /// openconnect accepts the certificate if it then sends its request.
    @Test(.enabled(if: isInstalled("openconnect"), "openconnect is not installed"), arguments: cases)
    func agreesWithOpenConnect(row: Case) throws {
        defer { folder.remove() }
        try serve(row) { server in
            let run = try ChildProcess.run(
                [
                    "openconnect", "--non-inter", "--authenticate", "--servercert",
                    "pin-sha256:\(try pki.pin(row.pinned))",
                    "https://\(server.localhost)/",
                ], environment: TestEnvironment.base)
            try expect(server, row, .init("openconnect"), run.errors, "Got HTTP response", "Error in the certificate")
        }
    }

    /// openfortivpn compares `trusted-cert` only if the chain does not validate.
    @Test(.enabled(if: isInstalled("openfortivpn"), "openfortivpn is not installed"), arguments: cases)
    func agreesWithOpenFortiVPN(row: Case) throws {
        defer { folder.remove() }
        try serve(row) { server in
            let configuration = try folder.write("password = x\n", to: "vpn.conf")
            var command = [
                "openfortivpn", server.localhost, "--config=\(configuration)", "--username=x",
                "--trusted-cert=\(try fingerprint(row.pinned))",
            ]
            if row.knowsRoot { command.append("--ca-file=\(pki.path("root.pem"))") }
            let run = try ChildProcess.run(command, environment: TestEnvironment.base)
            let log = run.errors + String(decoding: run.output, as: UTF8.self)
            try expect(
                server, row, .init("openfortivpn", notPinnedAccepts: true), log, "Connected to gateway",
                "certificate validation failed")
        }
    }

    /// aiohttp, with the environment that Scripts/setup creates.
    @Test(.enabled(if: isAIOHTTPExpected, "aiohttp is not installed"), arguments: cases)
    func agreesWithAIOHTTP(row: Case) throws {
        defer { folder.remove() }
        let program = """
            import aiohttp, asyncio, sys
            async def main():
                async with aiohttp.ClientSession() as session:
                    try:
                        async with session.get(sys.argv[1], ssl=aiohttp.Fingerprint(bytes.fromhex(sys.argv[2]))):
                            print("accepted")
                    except aiohttp.ServerFingerprintMismatch:
                        print("mismatch")
            asyncio.run(main())
            """
        try serve(row) { server in
            let output = try ChildProcess.output(
                of: [
                    Repository.python("aiohttp"), "-c", program, "https://\(server.localhost)/",
                    try fingerprint(row.pinned),
                ])
            try expect(
                server, row, .init("aiohttp"), String(decoding: output, as: UTF8.self), "accepted", "mismatch")
        }
    }

    /// stubby logs the result of the validation of its upstream server when it gets a query.
    @Test(
        .enabled(if: isInstalled("stubby"), "stubby is not installed"),
        arguments: cases + [Case(served: "leaf-wrong-name", pinned: "leaf-wrong-name")])
    func agreesWithStubby(row: Case) throws {
        defer { folder.remove() }
        try serve(row) { server in
            let authorities = row.knowsRoot ? "tls_ca_file: \"\(pki.path("root.pem"))\"\n" : ""
            let log = try logOfStubby(
                """
                dns_transport_list: [GETDNS_TRANSPORT_TLS]
                tls_authentication: GETDNS_AUTHENTICATION_REQUIRED
                \(authorities)upstream_recursive_servers:
                  - address_data: 127.0.0.1
                    tls_port: \(server.port)
                    tls_auth_name: "localhost"
                    tls_pubkey_pinset:
                      - digest: "sha256"
                        value: \(try pki.pin(row.pinned))

                """)
            try expect(server, row, .init("stubby"), log, "Verify passed", "Verify failed")
        }
    }

    /// The log of stubby with these settings, after a query.
    private func logOfStubby(_ settings: String) throws -> String {
        try ServerProcess.run(folder: folder) { port in
            try folder.write(
                """
                resolution_type: GETDNS_RESOLUTION_STUB
                listen_addresses: [127.0.0.1@\(port)]
                \(settings)
                """, to: "stubby.yml")
            return ["stubby", "-C", folder.path("stubby.yml"), "-v", "7"]
        } _: { stubby in
            // A DNS query for the address of example.com, with its length before it (RFC 1035, section 4.2.2).
            let query: [UInt8] =
                [0, 29, 0x12, 0x34, 1, 0, 0, 1, 0, 0, 0, 0, 0, 0, 7] + Array("example".utf8) + [3]
                + Array("com".utf8) + [0, 0, 1, 0, 1]
            let client = try LoopbackSocket(to: stubby.port, of: .ipv4)
            #expect(client.send(query[...]) == query.count)
            // The line is "Verify passed : TLS" or "Verify failed : TLS - …".
            #expect(stubby.logs("ed : TLS"), "\(stubby.log)")
            return stubby.log
        }
    }

    /// The file that pinctl writes, with the address of the server, which the set does not contain.
    @Test(
        .enabled(if: isInstalled("stubby"), "stubby is not installed"),
        arguments: [("leaf", "passed"), ("other", "failed")])
    func stubbyReadsAConvertedFile(key: String, result: String) throws {
        defer { folder.remove() }
        let pin = try key == "leaf" ? pki.pin(key) : "C5+lpZ7tcVwmwQIMcRtPbsQtWLABXhQzejna0wHFr8M="
        try folder.write(#"{"version":1,"hosts":{"localhost":["\#(pin)"]}}"#, to: "pins.json")
        let converted = try PinctlRun.spawn(["convert", "--to", "stubby", folder.path("pins.json")])
        try serve(Case(served: "leaf", pinned: "leaf")) { server in
            let name = "  - tls_auth_name"
            let settings = converted.text.replacing(
                name, with: "  - address_data: 127.0.0.1\n    tls_port: \(server.port)\n    tls_auth_name")
            let log = try logOfStubby(settings)
            #expect(log.contains("Verify \(result)"), "\(log)")
            guard key == "other" else { return }
            // Without the first setting, the result does not matter.
            let start = "tls_authentication: GETDNS_AUTHENTICATION_REQUIRED"
            #expect(settings.hasPrefix(start) && !log.contains("Opportunistic"), "\(log)")
            let other = try logOfStubby(settings.replacing(start, with: ""))
            #expect(other.contains("Opportunistic"), "\(other)")
        }
    }

    // MARK: Comparison

    private struct Program {
        let name: String
        /// Whether the program accepts chains to which its pins do not apply.
        let notPinnedAccepts: Bool

        init(_ name: String, notPinnedAccepts: Bool = false) {
            (self.name, self.notPinnedAccepts) = (name, notPinnedAccepts)
        }
    }

    private func serve(_ row: Case, _ body: (ServerProcess) throws -> Void) throws {
        try folder.write(
            #"{"version":1,"hosts":{"localhost":{"pins":[{"sha256":"\#(try pki.pin(row.pinned))"}]}}}"#, to: "pins.json"
        )
        try Nginx.run {
            Nginx.host($0, row.served)
        } _: {
            try body($0)
        }
    }

    /// Compares the verdict of pinctl with what the program did.
    private func expect(
        _ server: ServerProcess, _ row: Case, _ program: Program, _ log: String, _ accepted: String, _ refused: String
    ) throws {
        let accepts = log.contains(accepted)
        #expect(accepts != log.contains(refused), "\(log)")
        let run = try PinctlRun.inProcess(
            [
                "verify", "--pins", "pins.json", "--anchors", pki.path(row.knowsRoot ? "root.pem" : "other-root.pem"),
                "--as", program.name, "--ipv4", server.localhost,
            ], folder: folder.url)
        let verdicts =
            program.notPinnedAccepts && accepts ? ["accepts", "not-pinned"] : [accepts ? "accepts" : "rejects"]
        #expect(verdicts.contains { run.text.contains("\n  \(program.name)  \($0)  ") }, "\(log)\n\(run)")
    }

    private func fingerprint(_ name: String) throws -> String {
        let output = try ChildProcess.output(
            of: ["openssl", "x509", "-in", pki.path("\(name).pem"), "-noout", "-fingerprint", "-sha256"])
        return String(decoding: output, as: UTF8.self).split(separator: "=").last?.filter(\.isHexDigit).lowercased()
            ?? ""
    }

    private static func isInstalled(_ program: String) -> Bool {
        (TestEnvironment.base["PATH"] ?? "").split(separator: ":").contains {
            FileManager.default.isExecutableFile(atPath: "\($0)/\(program)")
        }
    }

    /// On Linux, the tests expect the environment, so that a missing installation is a failure.
    private static var isAIOHTTPExpected: Bool {
        #if os(Linux)
            true
        #else
            FileManager.default.isExecutableFile(atPath: Repository.python("aiohttp"))
        #endif
    }
}
