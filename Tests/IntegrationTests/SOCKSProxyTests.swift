import Foundation
import TestSupport
import Testing

/// `fetch` through real SOCKS proxies. curl, with the same proxy, says what the outcome must be.
@Suite(.blocking) struct SOCKSProxyTests: ProxySuite {
    let pki: TestPKI
    static let needsMicrosocks: Comment = "microsocks is not installed"
    static let needsDante: Comment = "danted is not installed"

    init() throws { pki = try TestPKI.shared() }

    @Test(.enabled(if: Microsocks.path != nil, needsMicrosocks)) func microsocksWithAndWithoutAPassword() throws {
        let folder = try TemporaryFolder("proxy")
        defer { folder.remove() }
        try withServer { port in
            try Microsocks.run(user: Self.user) { socks in
                let file = try passwordFile(folder)
                for scheme in ["socks5", "socks5h"] {
                    let proxy = "\(scheme)://\(socks.endpoint)"
                    let common = ["fetch", "127.0.0.1:\(port)=localhost", "--anchors", anchors, "--proxy", proxy]
                    let run = try PinctlRun.spawn(
                        common + ["--proxy-user", Self.user.name, "--proxy-password-file", file, "-f", "json"])
                    #expect(run.status == 0, "\(run)")
                    #expect(try host(run).proxy == proxy)
                    // pinctl resolves the name for socks5, so it knows the address.
                    #expect(try host(run).address == (scheme == "socks5" ? "127.0.0.1:\(port)" : nil))
                    let none = try PinctlRun.spawn(common)
                    #expect(none.status == 3 && none.errors.contains("it requires a user and a password"), "\(none)")
                    let wrong = try PinctlRun.spawn(
                        common + [
                            "--proxy-user", Self.user.name, "--proxy-password-file", try passwordFile(folder, "wrong"),
                        ])
                    #expect(
                        wrong.status == 3 && wrong.errors.contains("it refused the user or the password"), "\(wrong)")
                    _ = try passwordFile(folder)
                }
                #expect(
                    try curlSucceeds(
                        "socks5h://\(socks.endpoint)", port: port,
                        options: ["-U", "\(Self.user.name):\(Self.user.password)"]))
                #expect(try !curlSucceeds("socks5h://\(socks.endpoint)", port: port))
            }
            try Microsocks.run { socks in
                let refused = try pinctl("fetch", "127.0.0.1:1", "--proxy", "socks5h://\(socks.endpoint)")
                #expect(refused.status == 3)
                #expect(refused.errors.contains("the target refused its connection (code 5)"), "\(refused)")
            }
        }
    }

    @Test(.enabled(if: Dante.path != nil, needsDante), arguments: ["socks4", "socks4a", "socks5", "socks5h"])
    func dante(scheme: String) throws {
        try withServer { port in
            try Dante.run { socks in
                let proxy = "\(scheme)://\(socks.endpoint)"
                let run = try pinctl(
                    "fetch", "127.0.0.1:\(port)=localhost", "--anchors", anchors, "--proxy", proxy, "-f", "json")
                #expect(run.status == 0, "\(run)")
                #expect(try host(run).proxy == proxy)
                // curl sends an address as a name in SOCKS4a, which Dante refuses. pinctl sends it as in SOCKS4.
                if scheme != "socks4a" {
                    #expect(try curlSucceeds(proxy, port: port, host: "127.0.0.1", options: ["-k"]))
                }
                let blocked = try pinctl("fetch", "127.0.0.9:\(port)", "--anchors", anchors, "--proxy", proxy)
                #expect(blocked.status == 3)
                #expect(
                    blocked.errors.contains(scheme.hasPrefix("socks4") ? "(code 91)" : "its rules do not allow"),
                    "\(blocked)")
            }
        }
    }
}
