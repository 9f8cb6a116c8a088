import Foundation
import TestSupport
import Testing

/// The commands that connect, through real HTTP proxies. curl, with the same proxy, says what the outcome must be.
@Suite(.blocking) struct ProxyTests: ProxySuite {
    let pki: TestPKI
    static let needsSquid: Comment = "squid is not installed"
    static let needsTinyproxy: Comment = "tinyproxy is not installed"

    init() throws { pki = try TestPKI.shared() }

    private struct VerifyReport: Decodable {
        struct Result: Decodable { let proxy: String? }
        let results: [Result]
    }

    @Test(
        .enabled(if: Squid.path != nil, needsSquid), arguments: [[Squid.Scheme.digest], [.basic], [.digest, .basic]])
    func fetchThroughSquid(schemes: [Squid.Scheme]) throws {
        let folder = try TemporaryFolder("proxy")
        defer { folder.remove() }
        try withServer { port in
            try Squid.run(schemes, user: Self.user) { squid in
                let proxy = "http://\(squid.endpoint)"
                let file = try passwordFile(folder)
                let login = ["--proxy-user", Self.user.name, "--proxy-password-file", file]
                let common = ["fetch", "localhost:\(port)", "--anchors", anchors, "--proxy", proxy]
                let run = try PinctlRun.spawn(common + login + ["-f", "json"])
                #expect(run.status == 0, "\(run)")
                let found = try host(run)
                #expect(found.proxy == proxy)
                #expect(found.address == nil)
                #expect(found.chain.first?.pin == (try pki.pin("leaf")))
                let text = try PinctlRun.spawn(common + login)
                #expect(text.lines.first?.hasSuffix("  through \(proxy)") == true, "\(text)")
                let colon = "\(Self.user.name):\(Self.user.password)"
                #expect(try curlSucceeds(proxy, port: port, options: ["--proxy-anyauth", "-U", colon]))

                // Without a credential, and with a wrong one, both programs are refused.
                let none = try PinctlRun.spawn(common)
                #expect(none.status == 3)
                #expect(none.errors.contains("proxy \(proxy): it requires a user and a password"), "\(none)")
                #expect(none.errors.contains("hint: use --proxy-user NAME with --proxy-password-file FILE"))
                #expect(try !curlSucceeds(proxy, port: port))
                let wrong = try PinctlRun.spawn(
                    common + [
                        "--proxy-user", Self.user.name, "--proxy-password-file", try passwordFile(folder, "wrong"),
                    ])
                #expect(wrong.status == 3)
                let name = schemes.contains(.digest) ? "Digest MD5" : "Basic"
                #expect(wrong.errors.contains("it refused the user or the password (\(name))"), "\(wrong)")
                #expect(wrong.errors.contains("hint: check the user of --proxy-user, and the password"), "\(wrong)")
            }
        }
    }

    /// verify, init, refresh and lint --live use the proxy, and none of them takes one address for all.
    @Test(.enabled(if: Squid.path != nil, needsSquid)) func everyCommandUsesTheProxy() throws {
        let folder = try TemporaryFolder("proxy")
        defer { folder.remove() }
        try withServer { port in
            try Squid.run { squid in
                let environment = ["https_proxy": "http://\(squid.endpoint)"]
                let target = "localhost:\(port)"
                let made = try pinctl(
                    "init", target, "--anchors", anchors, "--no-backup", "--policy", "leaf", "-o", "p.json",
                    environment: environment, folder: folder)
                #expect(made.status == 0, "\(made)")
                #expect(made.errors.contains("the proxy http://\(squid.endpoint) selects the address of each host"))
                let verified = try pinctl(
                    "verify", "-p", "p.json", target, "--anchors", anchors, environment: environment, folder: folder)
                #expect(verified.status == 0, "\(verified)")
                #expect(verified.text.contains("through http://\(squid.endpoint)"), "\(verified)")
                let json = try pinctl(
                    "verify", "-p", "p.json", target, "--anchors", anchors, "-f", "json", environment: environment,
                    folder: folder)
                let results = try JSONDecoder().decode(VerifyReport.self, from: Data(json.output)).results
                #expect(results.map(\.proxy) == ["http://\(squid.endpoint)"])

                let linted = try pinctl(
                    "lint", "p.json", "--live", "--anchors", anchors, "--connect-to", "127.0.0.1:\(port)",
                    environment: environment, folder: folder)
                #expect(!linted.text.contains("proxy"), "\(linted)")
                let broken = try pinctl(
                    "lint", "p.json", "--live", "--anchors", anchors, "--connect-to", "127.0.0.1:1",
                    environment: environment, folder: folder)
                #expect(
                    broken.text.contains("proxy http://\(squid.endpoint): it refused to connect: HTTP status 503"),
                    "\(broken)")
            }
        }
    }

    /// The set pins another key, too. It is not called gone, because the proxy selects the address, and another one may use it.
    @Test func refreshRetiresNoPinBehindAProxy() throws {
        let folder = try TemporaryFolder("proxy")
        defer { folder.remove() }
        let served = try pki.pin("leaf")
        let other = try pki.pin("leaf-www")
        let pins = [served, other].map { #"{"sha256":"\#($0)","role":"leaf"}"# }.joined(separator: ",")
        try folder.write(#"{"version":1,"hosts":{"localhost":{"pins":[\#(pins)]}}}"#, to: "p.json")
        try withServer { port in
            try RawPeer.run { connection in
                _ = connection.read()
                connection.write("HTTP/1.1 200 OK\r\n\r\n")
                connection.forward(to: port) { $0.write($1) }
            } _: { peer in
                let proxy = "http://\(peer.endpoint)"
                let common = ["refresh", "-p", "p.json", "--anchors", anchors, "--proxy", proxy]
                let run = try PinctlRun.spawn(common, folder: folder.url)
                #expect(run.status == 0, "\(run)")
                #expect(run.lines.first == "localhost  up to date  through \(proxy)", "\(run)")
                #expect(
                    run.text.contains("not seen, but the proxy \(proxy) selects the address of localhost:443"), "\(run)"
                )
                let complete = try PinctlRun.spawn(common + ["--assume-complete"], folder: folder.url)
                #expect(complete.text.contains("not in the chain, and no known key replaces it"), "\(complete)")
                #expect(!complete.text.contains("selects the address"), "\(complete)")
            }
        }
    }

    @Test(.enabled(if: Squid.path != nil, needsSquid)) func refusalsOfSquid() throws {
        try Squid.run { squid in
            let proxy = "http://\(squid.endpoint)"
            let forbidden = try pinctl("fetch", "forbidden.test", "--proxy", proxy)
            #expect(forbidden.status == 3)
            #expect(
                forbidden.errors.contains("proxy \(proxy): it refused to connect: HTTP status 403 \"Forbidden\""),
                "\(forbidden)")
            let unknown = try pinctl("fetch", "127.0.0.1:1", "--proxy", proxy, "-f", "json")
            #expect(unknown.status == 3)
            let failure = try #require(try host(unknown).error)
            #expect(failure.code == "proxy" && failure.message.contains("HTTP status 503"), "\(unknown)")
            #expect(try host(unknown).proxy == proxy)
        }
    }

    @Test(.enabled(if: Squid.path != nil, needsSquid)) func proxyWithTLS() throws {
        let folder = try TemporaryFolder("proxy")
        defer { folder.remove() }
        try withServer { port in
            try Squid.run([.digest], certificate: "leaf", user: Self.user) { squid in
                let proxy = "https://localhost:\(squid.port)"
                let common = [
                    "fetch", "localhost:\(port)", "--anchors", anchors, "--proxy", proxy, "--proxy-user",
                    Self.user.name,
                    "--proxy-password-file", try passwordFile(folder),
                ]
                func pins(_ name: String) throws -> String {
                    let text = #"{"version":1,"hosts":{"localhost":{"pins":[{"sha256":"\#(try pki.pin(name))"}]}}}"#
                    return try folder.write(text, to: "\(name).json")
                }
                let trusted = try PinctlRun.spawn(common + ["--proxy-anchors", anchors])
                #expect(trusted.status == 0, "\(trusted)")
                #expect(trusted.text.contains("through \(proxy)"))
                let pinned = try PinctlRun.spawn(
                    common + ["--proxy-anchors", anchors, "--proxy-pins", try pins("leaf")])
                #expect(pinned.status == 0, "\(pinned)")
                let other = try PinctlRun.spawn(
                    common + ["--proxy-anchors", anchors, "--proxy-pins", try pins("leaf-www")])
                #expect(other.status == 3)
                #expect(other.errors.contains("proxy \(proxy): its certificate chain matches no pin"), "\(other)")
                // The entry of the proxy names its anchors, unless --proxy-anchors does.
                for (anchor, status) in [("root", Int32(0)), ("other-root", 3)] {
                    let text =
                        #"{"version":1,"hosts":{"localhost":{"anchors":["\#(pki.path(anchor)).pem"],"pins":["\#(try pki.pin("leaf"))"]}}}"#
                    let own = try PinctlRun.spawn(
                        common + ["--proxy-pins", try folder.write(text, to: "anchors.json")],
                        environment: ["SSL_CERT_FILE": anchors])
                    #expect(own.status == status, "\(own)")
                }
                // --anchors are for the server, and --insecure does not apply to the proxy.
                let untrusted = try PinctlRun.spawn(common + ["--insecure"])
                #expect(untrusted.status == 3)
                #expect(
                    untrusted.errors.contains("proxy \(proxy): its certificate chain is not trusted"), "\(untrusted)")
                let address = try PinctlRun.spawn(
                    ["fetch", "localhost:\(port)", "--anchors", anchors, "--proxy-anchors", pki.path("other-root.pem")]
                        + ["--proxy", "https://localhost:\(squid.port)"])
                #expect(address.status == 3, "\(address)")
                let options = [
                    "--proxy-digest", "-U", "\(Self.user.name):\(Self.user.password)", "--proxy-cacert", anchors,
                ]
                #expect(try curlSucceeds(proxy, port: port, options: options))
                #expect(try !curlSucceeds(proxy, port: port, options: Array(options.prefix(3))))

                let plain = try pinctl("fetch", "localhost:\(port)", "--proxy", "http://127.0.0.1:\(squid.port)")
                #expect(
                    plain.status == 3 && plain.errors.contains("proxy http://127.0.0.1:\(squid.port): "), "\(plain)")
            }
            // TLS is requested of a proxy that speaks plain HTTP.
            try Squid.run { squid in
                let run = try pinctl("fetch", "localhost:\(port)", "--proxy", "https://\(squid.endpoint)")
                #expect(run.status == 3)
                #expect(run.errors.contains("does not speak TLS: it answered in plain HTTP"), "\(run)")
            }
        }
    }

    @Test(.enabled(if: Tinyproxy.path != nil, needsTinyproxy)) func tinyproxyWithBasic() throws {
        let folder = try TemporaryFolder("proxy")
        defer { folder.remove() }
        let user = (name: Self.user.name, password: "hunter2only")
        try withServer { port in
            try Tinyproxy.run(user: user) { proxy in
                let file = try passwordFile(folder, user.password)
                let run = try pinctl(
                    "fetch", "localhost:\(port)", "--anchors", anchors, "--proxy", proxy.endpoint, "--proxy-user",
                    user.name, "--proxy-password-file", file)
                #expect(run.status == 0, "\(run)")
                let none = try pinctl("fetch", "localhost:\(port)", "--anchors", anchors, "--proxy", proxy.endpoint)
                #expect(none.status == 3 && none.errors.contains("requires a user and a password (Basic)"), "\(none)")
            }
            try Tinyproxy.run { proxy in
                let run = try pinctl("fetch", "localhost:\(port)", "--anchors", anchors, "--proxy", proxy.endpoint)
                #expect(run.status == 0, "\(run)")
            }
        }
    }
}
