import TestSupport
import Testing

/// Reports and messages show no user and no password of a URL in the answer of a server or a proxy.
@Suite(.blocking) struct ServerURLTests {
    static let pin = "C5+lpZ7tcVwmwQIMcRtPbsQtWLABXhQzejna0wHFr8M="

    static let longPassword = String(repeating: "hunter22", count: 40)

    /// The second answer is cut within the password.
    static let answers: [String] = [
        "554 https://o'anna:hunter22@v.test/k",
        "554 \(String(repeating: "x ", count: 60))https://anna:\(longPassword)@v.test",
    ]

    static let commands: [[String]] = [
        ["fetch"], ["fetch", "-f", "json"], ["fetch", "-f", "csv"], ["inspect"], ["inspect", "-f", "json"],
        ["verify", "--pins", "pins.json"], ["verify", "--pins", "pins.json", "-f", "json"],
        ["verify", "--pins", "pins.json", "--html", "page.html"], ["refresh", "--pins", "pins.json"],
        ["refresh", "--pins", "pins.json", "-f", "json"], ["lint", "--live", "pins.json"],
        ["lint", "--live", "pins.json", "-f", "json"],
    ]

    @Test(arguments: answers, commands)
    func mailServers(answer: String, command: [String]) throws {
        let folder = try TemporaryFolder("server-url")
        defer { folder.remove() }
        try folder.write(#"{"version":1,"hosts":{"127.0.0.1":["\#(Self.pin)"]}}"#, to: "pins.json")
        try RawPeer.run { connection in
            connection.write(answer + "\r\n")
            connection.drain()
        } _: { peer in
            var arguments: [String] = command
            arguments += ["--starttls", "smtp"]
            if command[0] == "refresh" || command[0] == "lint" { arguments.append("--connect-to") }
            arguments.append(peer.endpoint)
            let run = try PinctlRun.spawn(arguments, folder: folder.url)
            var shown: String = run.text + run.errors
            if command.contains("--html") { shown += try folder.text("page.html") }
            #expect(run.status != 0 && shown.contains("https://…"), "\(run)")
            #expect(!shown.contains("hunter22") && !shown.contains("anna"), "\(run)")
        }
    }

    static let protocols: [String] = [
        "smtp", "imap", "pop3", "ftp", "nntp", "sieve", "ldap", "postgres", "mysql", "xmpp",
    ]

    @Test(arguments: protocols, ["text", "json"])
    func otherProtocols(name: String, format: String) throws {
        for answer in ["https://anna:hunter22@v.test/k", Self.answers[1]] {
            try RawPeer.run { connection in
                connection.write(answer + "\r\n")
                connection.drain()
            } _: { peer in
                let run = try PinctlRun.spawn(["fetch", "-f", format, "--starttls", name, peer.endpoint])
                #expect(run.status != 0, "\(run)")
                #expect(!run.text.contains("hunter22") && !run.errors.contains("hunter22"), "\(run)")
            }
        }
    }

    static let heads: [String] = [
        "HTTP/1.1 403 https://anna:hunter22@v.test/k\r\n",
        "HTTP/1.1 403 x x x x x x x x x x x x x x x x x x https://anna:\(longPassword)@v.test\r\n",
        "https://anna:hunter22@v.test/k\r\n\r\n", "https://anna:\(longPassword)@v.test\r\n\r\n",
        "HTTP/1.1 401 x\r\nWWW-Authenticate: Basic realm=\"https://anna:hunter22@v.test/k\"\r\n",
        "HTTP/1.1 302 x\r\nLocation: http://anna:hunter22@127.0.0.1:1/\r\n",
        "HTTP/1.1 302 x\r\nLocation: //anna:hunter22@127.0.0.1:1/\r\n",
        "HTTP/1.1 302 x\r\nLocation: ssh:anna:hunter22@127.0.0.1:1/\r\n",
        "HTTP/1.1 302 x\r\nLocation: http://anna:\(longPassword)@127.0.0.1:1/\r\n",
    ]

    @Test(arguments: heads, ["text", "json"])
    func webServers(head: String, format: String) throws {
        try RawPeer.run { connection in
            _ = connection.read()
            connection.write("\(head)Content-Length: 0\r\nConnection: close\r\n\r\n")
        } _: { peer in
            let commands: [[String]] = [
                ["challenge", "http://\(peer.endpoint)/"],
                ["challenge", "http://192.0.2.1/", "--proxy", "http://\(peer.endpoint)"],
                ["fetch", "192.0.2.1", "--proxy", "http://\(peer.endpoint)"],
            ]
            for command in commands {
                let run = try PinctlRun.spawn(command + ["-f", format])
                #expect(!run.text.contains("hunter22") && !run.errors.contains("hunter22"), "\(run)")
                #expect(!run.text.contains("anna") && !run.errors.contains("anna"), "\(run)")
                if command.count == 2 { #expect(run.text.contains("…") || run.errors.contains("…"), "\(run)") }
            }
        }
    }

    @Test(arguments: ["text", "json"]) func filesOverFTP(format: String) throws {
        for answer in Self.answers {
            try RawPeer.run { connection in
                connection.write(answer + "\r\n")
                connection.drain()
            } _: { peer in
                let run = try PinctlRun.spawn(["challenge", "-f", format, "ftp://\(peer.endpoint)/"])
                #expect(run.status != 0, "\(run)")
                #expect(!run.text.contains("hunter22") && !run.errors.contains("hunter22"), "\(run)")
            }
        }
    }
}
