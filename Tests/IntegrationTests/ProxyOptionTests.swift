import Foundation
import TestSupport
import Testing

/// The environment variables and the options that select a proxy.
@Suite(.blocking) struct ProxyOptionTests: ProxySuite {
    let pki: TestPKI

    init() throws { pki = try TestPKI.shared() }

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

    /// The characters of a dump contain an `@`, which also ends a user.
    @Test func aKeyInAVariableIsNotShown() throws {
        var dump = ""
        while !dump.contains("@") {
            let pem = try ChildProcess.output(of: ["openssl", "genrsa", "-traditional", "1024"])
            let der = try ChildProcess.output(of: ["openssl", "rsa", "-traditional", "-outform", "DER"], input: pem)
            dump = String(
                decoding: try ChildProcess.output(of: ["od", "-v", "-A", "x", "-t", "x1z"], input: der), as: UTF8.self)
        }
        let run = try PinctlRun.spawn(["fetch", "127.0.0.1:1"], environment: ["all_proxy": dump])
        #expect(run.status == 2)
        let message =
            "the environment variable all_proxy: the value contains a private key, and is not the URL of a proxy"
        #expect(run.errors.hasPrefix("pinctl: error: \(message)\n"), "\(run)")
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
}
