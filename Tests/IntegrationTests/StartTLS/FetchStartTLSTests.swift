import Foundation
import TestSupport
import Testing

/// Chains of real servers whose protocol precedes TLS.
@Suite(.blocking) struct FetchStartTLSTests {
    let pki: TestPKI
    var anchors: String { pki.path("root.pem") }

    init() throws { pki = try TestPKI.shared() }

    @Test(.enabled(if: StartTLSServer.exim.canRun, "exim is not installed, or the user is not root"))
    func exim() throws { try agreesWithOpenSSL(.exim) }

    @Test(.enabled(if: StartTLSServer.dovecot.canRun, "dovecot is not installed, or the user is not root"))
    func dovecot() throws { try agreesWithOpenSSL(.dovecot) }

    @Test(.enabled(if: StartTLSServer.vsftpd.canRun, "vsftpd is not installed"))
    func vsftpd() throws { try agreesWithOpenSSL(.vsftpd) }

    @Test(.enabled(if: StartTLSServer.slapd.canRun, "slapd is not installed"))
    func slapd() throws { try agreesWithOpenSSL(.slapd) }

    @Test(.enabled(if: StartTLSServer.prosody.canRun, "prosody is not installed"))
    func prosody() throws { try agreesWithOpenSSL(.prosody) }

    @Test(.enabled(if: StartTLSServer.postgres.canRun, "PostgreSQL is not installed"))
    func postgres() throws { try agreesWithOpenSSL(.postgres) }

    @Test(.enabled(if: StartTLSServer.mariadb.canRun, "MariaDB is not installed"))
    func mariadb() throws { try agreesWithOpenSSL(.mariadb) }

    @Test(.enabled(if: StartTLSServer.inspircd.canRun, "InspIRCd is not installed"))
    func inspircd() throws { try agreesWithOpenSSL(.inspircd) }

    @Test(.enabled(if: StartTLSServer.inn2.canRun, "inn2 is not unpacked"))
    func inn2() throws { try agreesWithOpenSSL(.inn2) }

    /// Each scheme of the server, as URL and with `--starttls`, gets the certificates that `openssl s_client` gets.
    private func agreesWithOpenSSL(_ server: StartTLSServer) throws {
        let pins = try pki.pins("leaf", "intermediate", "root")
        try server.run { ports, process in
            for (scheme, openssl) in server.schemes {
                let port = try #require(ports[scheme])
                let expected = try ["leaf.der", "intermediate.der"].map { Data(try pki.bytes($0)) }
                // OpenSSL 3.0 takes the first notice of InspIRCd for its answer, and gives up.
                if scheme != "irc" {
                    #expect(try Self.certificates(of: openssl, port) == expected, "\(process.log)")
                }
                let name = scheme == "submission" ? "smtp" : scheme
                let check = { (host: FetchReport.Host) in
                    #expect(host.target == "\(name)://localhost:\(port)")
                    #expect(Array(host.chain.map(\.der).prefix(2)) == expected)
                    #expect(host.pins == pins)
                    #expect(host.trust?.trusted == true)
                }
                check(try report("\(scheme)://localhost:\(port)", "--anchors", anchors, status: 0))
                check(try report("localhost:\(port)", "--starttls", scheme, "--anchors", anchors, status: 0))
            }
        }
    }

    /// The greeting of a server can arrive together with the answer of the proxy.
    @Test(
        .enabled(if: StartTLSServer.dovecot.canRun, "dovecot is not installed, or the user is not root"),
        arguments: ["http", "socks5"])
    func greetingWithTheAnswerOfAProxy(scheme: String) throws {
        let pins = try pki.pins("leaf", "intermediate", "root")
        try StartTLSServer.dovecot.run { ports, process in
            let port = try #require(ports["imap"])
            try CoalescingProxy.run(scheme, to: port) { proxy in
                let host = try report(
                    "imap://localhost:\(port)", "--proxy", proxy, "--anchors", anchors, status: 0)
                #expect(host.pins == pins, "\(process.log)")
            }
        }
    }

    /// Debian has no server of these protocols that a test can start, or only one for some processors (inn2).
    @Test(arguments: ["nntp", "telnet", "mssql", "rdp"]) func scriptedServers(scheme: String) throws {
        let script = Repository.path("Tests/ScriptedServers/starttls.py")
        try ServerProcess.run(folder: pki.folder) { port in
            ["python3", script, scheme, String(port), "leaf.chain.pem", "leaf.key"]
        } _: { server in
            for arguments in [["\(scheme)://\(server.localhost)"], [server.localhost, "--starttls", scheme]] {
                let run = try PinctlRun.spawn(
                    ["fetch", "--format", "json", "--anchors", anchors] + arguments)
                #expect(run.status == 0, "\(run)\n\(server.log)")
                let report = try JSONDecoder().decode(FetchReport.self, from: Data(run.output))
                #expect(report.hosts.map(\.target) == ["\(scheme)://\(server.localhost)"])
                #expect(report.hosts.first?.pins == (try pki.pins("leaf", "intermediate", "root")))
            }
        }
    }

    /// The certificates that `openssl s_client` receives, in the server's order.
    private static func certificates(of proto: String, _ port: UInt16) throws -> [Data] {
        let folder = try TemporaryFolder("s_client")
        defer { folder.remove() }
        let host = proto.hasPrefix("xmpp") ? "-xmpphost localhost" : ""
        // Other ports of the server can open later than the first one.
        let output = try Shell.run(
            """
            for i in 1 2 3 4 5 6 7 8 9 10; do
              openssl s_client -starttls \(proto) \(host) -connect 127.0.0.1:\(port) -showcerts </dev/null >out 2>err && break
              sleep 0.3
            done
            cat out
            """, in: folder.url)
        return output.components(separatedBy: "-----BEGIN CERTIFICATE-----").dropFirst().compactMap { block in
            let text = block.components(separatedBy: "-----END").first ?? ""
            return Data(base64Encoded: text.replacingOccurrences(of: "\n", with: ""))
        }
    }

    /// The hint after a plain-text greeting is a target that works.
    @Test(.enabled(if: StartTLSServer.exim.canRun, "exim is not installed, or the user is not root"))
    func hintAfterAGreetingWorks() throws {
        try StartTLSServer.exim.run { ports, _ in
            let port = try #require(ports["smtp"])
            let failed = try fetch("localhost:\(port)", "--anchors", anchors)
            #expect(failed.status == 3)
            #expect(failed.errors.contains("does not speak TLS: it answered with an SMTP or FTP greeting"))
            let hint = try #require(failed.errorLines.first { $0.contains("hint: use ") })
            let target = try #require(hint.components(separatedBy: "hint: use ").last)
            #expect(target == "smtp://localhost:\(port)")
            #expect(try report(target, "--anchors", anchors, status: 0).target == target)
        }
    }

    /// A list with a scheme in each line, and a run that is continued: the file has one line for each target.
    @Test(.enabled(if: StartTLSServer.slapd.canRun, "slapd is not installed"))
    func resumesLists() throws {
        try StartTLSServer.slapd.run { ports, _ in
            let port = try #require(ports["ldap"])
            let folder = try TemporaryFolder("starttls-list")
            defer { folder.remove() }
            let list = try folder.write("ldap://localhost:\(port)\nLDAP://127.0.0.1:\(port)/\n", to: "hosts.txt")
            for _ in 0..<2 {
                let run = try fetch(
                    "--from", list, "--resume", folder.path("results.ndjson"), "--anchors", anchors)
                #expect(run.status == 0, "\(run)")
            }
            let lines = try folder.text("results.ndjson").split(separator: "\n")
            let targets = try lines.map { try JSONDecoder().decode(FetchReport.Host.self, from: Data($0.utf8)).target }
            #expect(Set(targets) == ["ldap://localhost:\(port)", "ldap://127.0.0.1:\(port)"])
            #expect(lines.count == 2)
            // With --starttls, the same lines without a scheme are the same targets.
            let bare = try folder.write("localhost:\(port)\n127.0.0.1:\(port)\n", to: "bare.txt")
            let run = try fetch(
                "--from", bare, "--starttls", "ldap", "--resume", folder.path("results.ndjson"), "--anchors", anchors)
            #expect(run.status == 0, "\(run)")
            #expect(try folder.text("results.ndjson").split(separator: "\n").count == 2)
        }
    }

    @Test func startTLSAppliesToHostsWithoutAScheme() throws {
        let run = try fetch("imap://mail.example.com", "--starttls", "smtp")
        #expect(run.status == 2)
        #expect(
            run.errors
                == "pinctl: error: \"--starttls smtp\" applies to hosts without a scheme: \"imap://mail.example.com:143\" has one\n"
                + "pinctl: hint: remove --starttls, or use mail.example.com without a scheme\n")
    }
}
