import Foundation
import TestSupport
import Testing

/// `--fetch-issuers` through proxies.
extension FetchIssuersTests {
    static let user = (name: "proxyuser7", password: "hunter2-p:ss%w0rd")

    /// Runs pinctl through a proxy. Without the proxy, the URLs of the issuers do not work.
    private func completesThrough(
        _ scheme: String, _ login: Bool, proxy: ((ServerProcess) throws -> Void) throws -> Void
    ) throws {
        try folder.write(Self.user.password + "\n", to: "password")
        try proxy { proxy in
            try publishing { files in
                let urls = ["lower", "upper"].map { "http://\(files.endpoint)/\($0).der" }
                try makePKI(leafURL: urls[0], lowerURL: urls[1])
                try serving { server in
                    let path = try TestPKI.shared().path("root.pem")
                    var options = ["--proxy", "\(scheme)://localhost:\(proxy.port)"]
                    if scheme == "https" { options += ["--proxy-anchors", path] }
                    let credential = ["--proxy-user", Self.user.name, "--proxy-password-file", folder.path("password")]
                    let run = try PinctlRun.spawn(
                        [
                            "fetch", "\(server.endpoint)=localhost", "--anchors", folder.path("root.pem"),
                            "--fetch-issuers", "-f", "ndjson",
                        ] + options + (login ? credential : []))
                    #expect(run.status == 0, "\(run)\n\(proxy.log)")
                    let found = try JSONDecoder().decode(Report.self, from: Data(run.output))
                    #expect(found.chain.map(\.source) == ["served", "fetched", "fetched", "store"])
                    // curl gets the same certificate through this proxy.
                    let anchors = scheme == "https" ? ["--proxy-cacert", path] : []
                    let user = login ? ["-U", "\(Self.user.name):\(Self.user.password)", "--proxy-anyauth"] : []
                    let outcome = try ChildProcess.run(
                        // curl sends an address as a name in SOCKS4a, which Dante refuses.
                        ["curl", "-s", "-x", options[1].replacing("socks4a:", with: "socks4:")] + anchors + user + [
                            urls[0]
                        ])
                    #expect(outcome.output == (try folder.bytes("lower.der")))
                }
            }
        }
    }

    /// The answer of an HTTPS proxy that has no length, and ends without close_notify. The certificate proves itself by its signature.
    @Test func throughAProxyWithoutCloseNotify() throws {
        try makePKI(leafURL: "http://127.0.0.1:1/lower.der", lowerURL: "http://127.0.0.1:1/upper.der")
        let connection = """
            name = session.recv(65536).split()[1].decode().rsplit("/", 1)[1]
            with open(os.path.join(arguments[0], name), "rb") as file:
                session.sendall(b"HTTP/1.1 200 OK\\r\\n\\r\\n" + file.read())
            os.close(session.detach())
            """
        let pki = try TestPKI.shared()
        try PythonTLSServer.run([folder.path], connection: connection) { proxy in
            try serving { server in
                let found = try report(
                    server, "--proxy", "https://\(proxy.localhost)", "--proxy-anchors", pki.path("root.pem"),
                    "--no-proxy",
                    "localhost", status: 0)
                #expect(found.chain.map(\.source) == ["served", "fetched", "fetched", "store"], "\(found)")
            }
        }
    }

    @Test(.enabled(if: Squid.path != nil, "squid is not installed")) func throughSquid() throws {
        try completesThrough("http", false) { try Squid.run([], $0) }
        try completesThrough("http", true) { try Squid.run([.basic], user: Self.user, $0) }
        try completesThrough("http", true) { try Squid.run([.digest, .basic], user: Self.user, $0) }
        try completesThrough("https", true) { try Squid.run([.digest], certificate: "leaf", user: Self.user, $0) }
    }

    @Test(.enabled(if: Microsocks.path != nil, "microsocks is not installed")) func throughMicrosocks() throws {
        try completesThrough("socks5", false) { try Microsocks.run($0) }
        try completesThrough("socks5h", true) { try Microsocks.run(user: Self.user, $0) }
    }

    @Test(.enabled(if: Dante.path != nil, "danted is not installed")) func throughDante() throws {
        try completesThrough("socks4", false) { try Dante.run($0) }
        try completesThrough("socks4a", false) { try Dante.run($0) }
    }

    /// The proxy gets the credential only after it has asked for it, and a server that answers 407 never gets it.
    @Test func theCredentialGoesToTheProxyOnly() throws {
        let requests = Requests()
        try folder.write("user-password\n", to: "password")
        try RawPeer.run { connection in
            while let bytes = connection.read() {
                requests.add(bytes)
                connection.write(
                    "HTTP/1.1 407 No\r\nProxy-Authenticate: Basic realm=x\r\nContent-Length: 0\r\nConnection: close\r\n\r\n"
                )
            }
        } _: { peer in
            try makePKI(leafURL: "http://\(peer.endpoint)/a", lowerURL: "http://\(peer.endpoint)/b")
            try serving { server in
                try Microsocks.run { proxy in
                    let run = try PinctlRun.spawn([
                        "fetch", server.localhost, "--anchors", folder.path("root.pem"), "--fetch-issuers", "--proxy",
                        "socks5://localhost:\(proxy.port)", "--proxy-user", "anna", "--proxy-password-file",
                        folder.path("password"),
                    ])
                    #expect(run.status == 1, "\(run)")
                }
            }
        }
        let text = String(decoding: requests.bytes, as: UTF8.self)
        #expect(text.hasPrefix("GET /a HTTP/1.1\r\n") && !text.contains("Authorization"), "\(text)")
    }
}
