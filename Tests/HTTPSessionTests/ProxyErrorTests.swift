import HTTPSession
import TestSupport
import Testing

/// Errors of proxies, and of servers behind them. Both name the proxy (proxies.md).
@Suite(.blocking) struct ProxyErrorTests {
    enum Failure: CaseIterable {
        case silence, close, reset, otherProtocol, endlessHeaders, incompleteHeaders, incompleteBody, invalidFraming
        case invalidChallenge, challengesWithoutEnd

        func serve(_ connection: RawPeer.Connection) {
            switch self {
            case .silence: connection.drain()
            case .close: break
            case .reset: connection.resetOnClose()
            case .otherProtocol: connection.write("SSH-2.0-OpenSSH\r\n")
            case .endlessHeaders:
                connection.write("HTTP/1.1 200 OK\r\n")
                while connection.write(String(repeating: "x-a: b\r\n", count: 500)) {}
            case .incompleteHeaders: connection.write("HTTP/1.1 200 OK\r\nContent-Length: 5\r\n")
            case .incompleteBody: connection.write("HTTP/1.1 200 OK\r\nContent-Length: 5\r\n\r\nabc")
            case .invalidFraming:
                connection.write("HTTP/1.1 502 x\r\nContent-Length: 5\r\nContent-Length: 6\r\n\r\n")
            case .invalidChallenge:
                connection.write(
                    "HTTP/1.1 407 x\r\nProxy-Authenticate: Digest realm=\"\r\nContent-Length: 0\r\n\r\n")
            case .challengesWithoutEnd:
                let fields = String(repeating: "Proxy-Authenticate: NTLM\r\n", count: 65)
                connection.write("HTTP/1.1 407 x\r\n\(fields)Content-Length: 0\r\n\r\n")
            }
        }
    }

    /// The first URL is requested from the proxy (RFC 9112, section 3.2.2), the second one with CONNECT.
    @Test(arguments: Failure.allCases, ["http://origin.test/", "https://origin.test/"])
    func failures(failure: Failure, url: String) throws {
        try RawPeer.run { connection in
            _ = connection.read()
            failure.serve(connection)
        } _: { peer in
            let result = try SessionFixture.run(url) {
                if failure == .silence { $0.timeout = .milliseconds(300) }
                try $0.useProxy("http://proxyuser7:hunter22x@\(peer.endpoint)")
            }
            let error = try #require(result.error, "\(result)")
            #expect(error.code == .proxy && !error.isRefusal && result.admission == .undecided, "\(error)")
            #expect(error.message.hasPrefix("proxy http://\(peer.endpoint): "), "\(error)")
            #expect(!error.message.contains("proxyuser7") && !error.message.contains("hunter22x"), "\(error)")
        }
    }

    /// Answers the request for a tunnel: RFC 9110, section 9.3.6; the definition of SOCKS 4; RFC 1928, sections 3 and 6.
    private static func connect(_ connection: RawPeer.Connection, _ scheme: String) {
        _ = connection.read()
        switch scheme {
        case "http": connection.write("HTTP/1.1 200 OK\r\n\r\n")
        case "socks4", "socks4a": connection.write([0, 90, 0, 0, 0, 0, 0, 0])
        default:
            connection.write([5, 0])
            _ = connection.read()
            connection.write([5, 0, 0, 1, 0, 0, 0, 0, 0, 0])
        }
    }

    /// - Parameter scheme: of the proxy. It also decides whether the proxy receives the name or the address of the server.
    @Test(arguments: [
        ("http", "https://origin.test/", "origin.test:443"),
        ("socks4", "http://127.0.0.1:9/", "127.0.0.1:9"), ("socks4", "https://127.0.0.1:9/", "127.0.0.1:9"),
        ("socks4a", "http://origin.test/", "origin.test:80"), ("socks4a", "https://origin.test/", "origin.test:443"),
        ("socks5", "http://127.0.0.1:9/", "127.0.0.1:9"),
        ("socks5h", "http://origin.test:81/", "origin.test:81"),
        ("socks5h", "https://origin.test/", "origin.test:443"),
    ]) func serversBehindATunnel(scheme: String, url: String, server: String) throws {
        let isTLS = url.hasPrefix("https:")
        let codes: [(Failure, SessionError.Code)] = [
            (.silence, .timeout), (.close, .connection), (.otherProtocol, isTLS ? .connection : .response),
        ]
        for (failure, code) in codes {
            try RawPeer.run { connection in
                Self.connect(connection, scheme)
                _ = connection.read()
                failure.serve(connection)
            } _: { peer in
                let proxy = "\(scheme)://\(peer.endpoint)"
                let result = try SessionFixture.run(url) {
                    if failure == .silence { $0.timeout = .seconds(1) }
                    try $0.useProxy(proxy)
                }
                let error = try #require(result.error, "\(result)")
                #expect(error.code == code && result.admission == .undecided, "\(failure) \(error)")
                let name = "\(server) (through \(proxy))"
                #expect(error.message.contains(name), "\(failure) \(error)")
                // The address of the proxy is not named as that of the server.
                #expect(!error.message.replacing(name, with: "").contains(peer.endpoint), "\(failure) \(error)")
            }
        }
    }

    /// An FTP server behind a tunnel greets first.
    @Test(arguments: ["http", "socks5h"]) func ftpServerBehindATunnel(scheme: String) throws {
        try RawPeer.run {
            Self.connect($0, scheme)
        } _: { peer in
            let proxy = "\(scheme)://\(peer.endpoint)"
            let result = try SessionFixture.run("ftp://origin.test/") { try $0.useProxy(proxy) }
            let error = try #require(result.error, "\(result)")
            #expect(error.code == .connection, "\(error)")
            #expect(error.message.contains("origin.test:21 (through \(proxy))"), "\(error)")
        }
    }

    /// The proxy may be the reason for a chain that is not trusted.
    @Test func untrustedServerBehindATunnel() throws {
        try Nginx.run {
            Nginx.host($0, "leaf", more: "location / { return 200 hello; }")
        } _: { server in
            let port = server.port
            try RawPeer.run { connection in
                Self.connect(connection, "http")
                connection.forward(to: port) { $0.write($1) }
            } _: { peer in
                let proxy = "http://\(peer.endpoint)"
                let result = try SessionFixture.run("https://\(server.localhost)/") {
                    $0.anchors = try SessionFixture.otherAnchors()
                    try $0.useProxy(proxy)
                }
                let error = try #require(result.error, "\(result)")
                #expect(error.code == .untrusted, "\(error)")
                #expect(error.message.hasPrefix("\(server.localhost) (through \(proxy)): "), "\(error)")
            }
        }
    }
}
