import Foundation
import TestSupport
import Testing

/// All commands that connect, through real proxies. curl, with the same proxy, says what the outcome must be.
@Suite(.blocking) struct ProxyTests {
    let pki: TestPKI
    /// They occur nowhere else, so that a search finds every place where they leak.
    static let user = (name: "proxyuser7", password: "hunter2-p:ss%w0rd")
    static let needsSquid: Comment = "squid is not installed"
    static let needsMicrosocks: Comment = "microsocks is not installed"
    static let needsTinyproxy: Comment = "tinyproxy is not installed"
    static let needsDante: Comment = "danted is not installed"

    var anchors: String { pki.path("root.pem") }

    init() throws { pki = try TestPKI.shared() }

    /// Runs a TLS server whose certificate is for `www.example.test` and `localhost`, and passes its port.
    private func withServer(_ body: (UInt16) throws -> Void) throws {
        try Nginx.run {
            Nginx.host($0, "leaf")
        } _: {
            try body($0.port)
        }
    }

    /// Runs pinctl, and fails if the user or the password is in its output or was left in its command line.
    private func pinctl(
        _ arguments: String..., environment: [String: String] = [:], folder: TemporaryFolder? = nil
    ) throws -> PinctlRun {
        let run = try PinctlRun.spawn(arguments, environment: environment, folder: folder?.url)
        for text in [run.text, run.errors] {
            #expect(!text.contains(Self.user.password) && !text.contains(Self.user.name), "\(run)")
        }
        return run
    }

    private func passwordFile(_ folder: TemporaryFolder, _ password: String = user.password) throws -> String {
        try folder.write(password + "\n", to: "password")
    }

    /// Whether curl gets through the proxy to the server.
    private func curlSucceeds(_ proxy: String, port: UInt16, host: String = "localhost", options: [String] = []) throws
        -> Bool
    {
        let outcome = try ChildProcess.run(
            ["curl", "-s", "-o", "/dev/null", "-m", "10", "--cacert", anchors, "-x", proxy] + options
                + ["https://\(host):\(port)/"])
        return outcome.end == .exit(0)
    }

    private func host(_ run: PinctlRun) throws -> Host {
        let hosts = try JSONDecoder().decode(Report.self, from: Data(run.output)).hosts
        return try #require(hosts.first, "\(run)")
    }

    private struct VerifyReport: Decodable {
        struct Result: Decodable { let proxy: String? }
        let results: [Result]
    }
    private struct Report: Decodable { let hosts: [Host] }
    private struct Host: Decodable {
        struct Trust: Decodable { let trusted: Bool }
        struct Failure: Decodable {
            let code: String
            let message: String
        }
        struct Entry: Decodable { let pin: String }
        let address: String?
        let proxy: String?
        let trust: Trust?
        let chain: [Entry]
        let error: Failure?
    }

    // MARK: squid

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

    // MARK: HTTPS proxies

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

    // MARK: tinyproxy and SOCKS

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

    // MARK: Environment

    /// The variables, their order, and the exemptions are those of curl, which connects or fails in the same cases. The only proxy
    /// refuses all connections, so a run succeeds exactly if it uses no proxy.
    @Test(
        arguments: [
            (["https_proxy": "P"], nil), (["HTTPS_PROXY": "P"], nil), (["all_proxy": "P"], nil),
            (["ALL_PROXY": "P"], nil),
            (["https_proxy": ""], nil), (["https_proxy": "", "all_proxy": "P"], nil), (["http_proxy": "P"], nil),
            (["https_proxy": "P", "no_proxy": "localhost"], nil),
            (["https_proxy": "P", "NO_PROXY": ".localhost"], nil),
            (["https_proxy": "P", "no_proxy": "*"], nil), (["https_proxy": "P", "no_proxy": "other,*"], nil),
            (["https_proxy": "P", "no_proxy": "ocalhost"], nil),
            (["https_proxy": "P", "no_proxy": "127.0.0.0/8"], nil),
            (["https_proxy": "P", "no_proxy": "other", "NO_PROXY": "localhost"], nil),
            (["https_proxy": "P", "no_proxy": "localhost"], ""), (["https_proxy": "P"], "a.test localhost"),
        ] as [([String: String], String?)])
    func environment(variables: [String: String], noProxy: String?) throws {
        try withServer { port in
            try RawPeer.run {
                _ = $0.read()
                $0.write("HTTP/1.1 403 No\r\nContent-Length: 0\r\n\r\n")
            } _: { refusing in
                let environment = variables.mapValues { $0.replacing("P", with: "http://\(refusing.endpoint)") }
                let curl = try ChildProcess.run(
                    ["curl", "-s", "-o", "/dev/null", "--cacert", anchors, "https://localhost:\(port)/"]
                        + (noProxy.map { ["--noproxy", $0] } ?? []),
                    environment: TestEnvironment.base.merging(environment) { $1 })
                let run = try PinctlRun.spawn(
                    ["fetch", "localhost:\(port)", "--anchors", anchors] + (noProxy.map { ["--no-proxy", $0] } ?? []),
                    environment: environment)
                #expect((run.status == 0) == (curl.end == .exit(0)), "\(variables): \(curl.end) \(run)")
                #expect((run.status == 3) == run.errors.contains("proxy http://\(refusing.endpoint): "), "\(run)")
            }
        }
    }

    @Test func optionsReplaceTheEnvironment() throws {
        try withServer { port in
            let environment = ["https_proxy": "http://\(Self.user.name):hunter2@127.0.0.1:1", "all_proxy": "junk://x"]
            for none in ["none", ""] {
                let run = try pinctl(
                    "fetch", "localhost:\(port)", "--anchors", anchors, "--proxy", none, environment: environment)
                #expect(run.status == 0, "\(run)")
                #expect(!run.text.contains("through"))
            }
            let invalid = try pinctl("fetch", "localhost:\(port)", environment: environment)
            #expect(invalid.status == 2)
            #expect(invalid.errors.contains("the environment variable all_proxy: the scheme \"junk\""), "\(invalid)")
        }
    }

    @Test(
        arguments: [
            (["--proxy-user", "x"], "\"--proxy-user NAME\" has no effect without a proxy"),
            (["--proxy-pins", "x"], "\"--proxy-pins x\" has no effect without a proxy"),
            (["--no-proxy", "x"], "\"--no-proxy x\" has no effect without a proxy"),
            (["--proxy", "http://p", "--proxy-pins", "x"], "only an https proxy has a certificate"),
            (["--proxy", "http://p", "--no-proxy", "*.x"], "\"*.x\" matches no host"),
            (["--proxy", "http://p", "--proxy-user", "a:hunter2"], "takes a user name, which has no colon"),
            (["--proxi=http://u:hunter2@p"], "fetch has no option \"--proxi\""),
            (["--proxy", "ftp://u:hunter2@p"], "the scheme \"ftp\" is not that of a proxy"),
            (["--proxy", "http://u:hunter2@p/x"], "the URL of a proxy has no path"),
            (["--proxy", "http://u:hunter2@p", "--proxy", "http://u:hunter2@p"], "given twice"),
            (["--proxy=http://u:hunter2@p", "--proxy=http://u:hunter2@p"], "given twice"),
            (["--proxy", "socks4://u:hunter2@p"], "SOCKS4 has no passwords"),
            (["--proxy", "http://p", "--proxy-password-file", "x"], "needs \"--proxy-user NAME\""),
        ] as [([String], String)])
    func usageErrorsShowNoPassword(arguments: [String], message: String) throws {
        let run = try PinctlRun.spawn(["fetch", "localhost:1"] + arguments)
        #expect(run.status == 2, "\(run)")
        #expect(run.errors.contains(message), "\(run)")
        #expect(!run.errors.contains("hunter2"), "\(run)")
    }

    // MARK: Secrets

    /// The proxy answers only after the test has read the command line of pinctl, from which the password is gone by then.
    @Test func aPasswordInTheURLIsErasedAndNotShown() throws {
        let secret = "hunter2secret"
        for form in [["--proxy", "URL"], ["--proxy=URL"]] {
            let asked = Counter()
            try RawPeer.run { connection in
                _ = connection.read()
                _ = asked.next()
                connection.drain()
            } _: { peer in
                let url = "http://\(Self.user.name):\(secret)@\(peer.endpoint)"
                let process = try ChildProcess(
                    [PinctlRun.executable, "fetch", "localhost:443", "--timeout", "5"]
                        + form.map { $0.replacing("URL", with: url) },
                    environment: TestEnvironment.base)
                defer { process.stop() }
                while asked.value == 0, process.isRunning { usleep(1000) }
                let line = try #require(process.commandLine, "there is no /proc")
                #expect(line.contains(peer.endpoint), "\(line)")
                #expect(!line.contains(secret) && !line.contains(Self.user.name), "\(line)")
                process.stop()
                let errors = String(decoding: process.errorsSoFar, as: UTF8.self)
                #expect(errors.contains("warning: the password in the URL of --proxy was visible"), "\(errors)")
                #expect(!errors.contains(secret) && !errors.contains(Self.user.name))
            }
        }
    }

    #if os(Linux)
        /// A command can wait for its inputs for any time. The input is a FIFO, which pinctl opens after it has protected the password.
        @Test(arguments: [
            ["verify", "--pins", "pipe", "x.test"], ["refresh", "--pins", "pipe"], ["fetch", "--from", "pipe"],
            ["fetch", "--anchors", "pipe", "x.test"], ["explain", "pipe"], ["challenge", "--from", "pipe"],
            ["challenge", "--pins", "pipe", "x.test"], ["lint", "--live", "pipe"], ["diff", "pipe", "x.test"],
            ["init", "x.test", "--from-csr", "pipe"], ["inspect", "pipe", "x.test"],
        ])
        func thePasswordIsProtectedBeforeTheFirstInput(arguments: [String]) throws {
            let secret = "hunter2secret"
            let url = "http://\(Self.user.name):\(secret)@127.0.0.1:9"
            for (option, variables) in [(["--proxy", url], [:]), ([], ["https_proxy": url])] {
                let folder = try TemporaryFolder("pipe")
                defer { folder.remove() }
                try #require(unsafe mkfifo(folder.path("pipe"), 0o600) == 0)
                let process = try ChildProcess(
                    ["sh", "-c", "ulimit -c unlimited; exec \"$0\" \"$@\"", PinctlRun.executable] + arguments + option,
                    environment: TestEnvironment.base.merging(variables) { $1 }, folder: folder.url)
                defer { process.stop() }
                // Without a reader, open(2) fails with ENXIO.
                var pipe = unsafe open(folder.path("pipe"), O_WRONLY | O_NONBLOCK)
                while pipe < 0, process.isRunning {
                    usleep(1000)
                    pipe = unsafe open(folder.path("pipe"), O_WRONLY | O_NONBLOCK)
                }
                defer { close(pipe) }
                let line = try #require(process.commandLine)
                #expect(line.contains("pipe") && !line.contains(secret) && !line.contains(Self.user.name), "\(line)")
                let limits = try String(contentsOfFile: "/proc/\(process.identifier)/limits", encoding: .utf8)
                let core = try #require(limits.split(separator: "\n").first { $0.hasPrefix("Max core file size") })
                #expect(core.split(separator: " ").dropFirst(4).first == "0", "\(arguments): \(core)")
            }
        }
    #endif

    /// The credential is for the proxy: neither the server nor a proxy that asks for nothing gets it.
    @Test func theCredentialGoesToTheProxyOnly() throws {
        let requests = Requests()
        try RawPeer.run { connection in
            if let bytes = connection.read() { requests.add(bytes) }
            connection.write("HTTP/1.1 200 OK\r\n\r\n")
            if let bytes = connection.read() { requests.add(bytes) }
        } _: { peer in
            let run = try pinctl(
                "fetch", "localhost:443",
                environment: ["https_proxy": "http://\(Self.user.name):hunter2@\(peer.endpoint)"])
            #expect(run.status == 3, "\(run)")
            #expect(run.errors.contains("localhost:443 (through http://\(peer.endpoint))"), "\(run)")
        }
        let all = requests.bytes
        #expect(!all.isEmpty && all.firstRange(of: Array("hunter2".utf8)) == nil)
        #expect(all.firstRange(of: Array("Authorization".utf8)) == nil)
        #expect(all.firstRange(of: Array(Data("\(Self.user.name):hunter2".utf8).base64EncodedString().utf8)) == nil)
    }
}

/// Bytes that several threads collect.
final class Requests: @unchecked Sendable {
    private let lock = NSLock()
    private var collected: [UInt8] = []

    func add(_ bytes: [UInt8]) { lock.withLock { collected += bytes } }

    var bytes: [UInt8] { lock.withLock { collected } }
}
