import Foundation
import InProcessRuns
import TestSupport
import Testing

/// A user and a password in a target are an error that does not show them, because a log can keep messages.
@Suite(.blocking) struct TargetUserInfoTests {
    /// The text of a connection to a database has the password in a parameter.
    @Test(
        arguments: [
            "x;Password=hunter22;Server=h", "jdbc:postgresql://h/db?password=hunter22", "host=h password=hunter22",
            "postgres://anna@h/db?user=x&password=hunter22", "host=h password='x hunter22'", "h;Pwd=\"x;hunter22\"",
            "Server=h;Password=x hunter22", "h:1;pwd=x:hunter22", "[h;pwd=hunter22]", "h%pwd=hunter22",
            "pwd=hunter22://h", "pwd=x'hunter22 \"hunter22",
        ],
        [
            ["fetch"], ["init"], ["inspect"], ["challenge"], ["diff", "x.json"], ["keygen", "k", "--host"], ["lint"],
            ["fetch", "x.test", "--connect-to"], ["fetch", "x.test", "--servername"], ["fetch", "x.test", "--proxy"],
            ["fetch", "--starttls"], ["verify", "--pins"], ["explain"], ["fetch", "--pins"], [],
        ])
    func passwordParametersAreNotShown(text: String, command: [String]) throws {
        let run = try PinctlRun.inProcess(command + [text])
        #expect(run.status == 2 && run.errors.contains("pinctl: "), "\(run)")
        #expect(!"\(run.text)\(run.errors)".contains("hunter22"), "\(run)")
        guard ["fetch", "challenge"].contains(command.last) else { return }
        let list = try PinctlRun.inProcess(command + ["--from", "-"], input: Array((text + "\n").utf8))
        #expect(list.status != 0 && !list.errors.contains("hunter22"), "\(list)")
        // `challenge` shows no part of a line.
        #expect(list.errors.contains("…") == (command.last == "fetch"), "\(list)")
    }

    @Test(arguments: [
        ["fetch", "https://anna:hunter22@host.test"], ["fetch", "https://hunter22@host.test/"],
        ["fetch", "anna:hunter22@host.test"], ["fetch", "gopher://anna:hunter22@host.test"],
        ["fetch", "https://anna:hunter22/x@host.test:443"], ["fetch", "anna:x=hunter22@host.test"],
        ["fetch", "https://anna:[hunter22@host.test"], ["fetch", "127.0.0.1/32:anna:hunter22@host.test"],
        ["fetch", "10.0.0.0/anna:hunter22@host.test"], ["init", "10.0.0.0/99:hunter22@host.test"],
        ["fetch", "anna:hunter22@host.test/24"],
        ["fetch", "--connect-to", "anna:hunter22@host.test", "x.test"],
        ["fetch", "--servername=anna:hunter22@host.test", "x.test"], ["https://anna:hunter22@host.test"],
        ["keygen", "a.key", "https://anna:hunter22@host.test"], ["init", "smtp://anna:hunter22@host.test"],
        ["inspect", "https://anna:hunter22@host.test/"], ["inspect", "anna:hunter22@host.test/x"],
        ["inspect", "https://anna:hunter22/x@host.test/"], ["diff", "https://anna:hunter22@host.test/", "x.json"],
        ["diff", "x.test", "https://anna:hunter22@host.test/"], ["diff", "x.test", "anna:hunter22@host.test"],
        ["challenge", "https://anna:hunter22/9@host.test/"], ["challenge", "https://anna:hunter22#9@host.test"],
        ["challenge", "https://anna:hunter22?9@host.test"], ["challenge", "anna:hunter22@host.test://x"],
        ["challenge", "anna:hunter22://9@host.test"],
        ["keygen", "k", "--host", "https://anna:hunter22 9@host.test/"],
        ["keygen", "k", "--host", "anna:hunter22@host.test/24"],
        ["keygen", "k", "--host", "*.anna:hunter22*@host.test"], ["keygen", "k", "--host", "hunter22@host.test"],
        ["fetch", "hunter22=@host.test"], ["challenge", "anna,hunter22@host.test:1"], ["fetch", "hunter22@host.test"],
        ["fetch", "--connect-to", "hunter22;x@host.test", "x.test"], ["inspect", "hunter22=@host.test"],
        ["fetch", "--servername", "hunter22@host.test", "x.test"], ["init", "anna:hunter22@host.test/24"],
        ["explain", "https://anna:hunter22@host.test/"], ["verify", "--pins", "https://anna:hunter22@host.test", "h"],
    ]) func argumentsAreNotShown(arguments: [String]) throws {
        let run = try PinctlRun.inProcess(arguments)
        #expect(run.status == 2, "\(run)")
        #expect(run.errors.contains("@host.test"), "\(run)")
        #expect(!run.errors.contains("hunter22") && !run.errors.contains("anna"), "\(run)")
    }

    @Test(arguments: [
        "anna:hunter22%40host.test", "anna%3Ahunter22%40host.test", "hunter22%2540host.test",
        // NFKC replaces these characters by an at sign.
        "anna:hunter22\u{FF20}host.test", "anna:hunter22\u{FE6B}host.test", "hunter22\u{FF20}host.test",
    ])
    func usersBeforeAnEncodedAtSignAreNotShown(text: String) throws {
        for target in [text, "https://\(text)", "https://\(text)/x", "\(text):1"] {
            for arguments in [
                ["fetch"], ["challenge"], ["inspect"], ["fetch", "--connect-to"], ["init", "--no-backup"],
            ] {
                let run = try PinctlRun.inProcess(arguments + [target])
                #expect(run.status == 2 && run.errors.contains("host.test"), "\(run)")
                #expect(!run.errors.contains("hunter22") && !run.errors.contains("anna"), "\(run)")
            }
            for command in ["fetch", "challenge"] {
                let list = try PinctlRun.inProcess([command, "--from", "-"], input: Array("\(target)\n".utf8))
                #expect(list.status != 0 && !list.errors.contains("hunter22"), "\(list)")
            }
            let proxy = try PinctlRun.inProcess(["fetch", "x.test", "--proxy", target])
            #expect(proxy.status == 2 && proxy.errors.contains("--proxy: "), "\(proxy)")
            #expect(!proxy.errors.contains("hunter22"), "\(proxy)")
            let variable = try PinctlRun.inProcess(["fetch", "x.test"], environment: ["https_proxy": target])
            #expect(variable.status == 2 && variable.errors.contains("https_proxy"), "\(variable)")
            #expect(!variable.errors.contains("hunter22"), "\(variable)")
        }
    }

    /// The request contains the query as it is.
    @Test(arguments: ["text", "json"]) func urlsInAQueryAreNotShown(format: String) throws {
        for inner in ["https://anna:hunter22@i.test/", "https%3A%2F%2Fanna%3Ahunter22%40i.test%2F"] {
            try RawPeer.run { connection in
                let request = String(decoding: connection.read() ?? [], as: UTF8.self)
                let isWhole = request.hasPrefix("GET /?u=\(inner) ")
                connection.write("HTTP/1.1 \(isWhole ? 200 : 404) x\r\nContent-Length: 0\r\n\r\n")
            } _: { peer in
                let run = try PinctlRun.spawn(["challenge", "-f", format, "http://\(peer.endpoint)/?u=\(inner)"])
                #expect(run.status == 0 && run.text.contains("200") && run.text.contains("i.test"), "\(run)")
                #expect(!run.text.contains("hunter22") && !run.errors.contains("hunter22"), "\(run)")
            }
        }
    }

    /// A name of a file can contain an `@`.
    @Test func aFileThatIsMissing() throws {
        let run = try PinctlRun.inProcess(["inspect", "anna@host.pem"])
        #expect(run.status == 2 && run.errors.contains("there is no file \"anna@host.pem\""), "\(run)")
        for text in ["anna:hunter22@host.pem", "anna%3Ahunter22@host.pem"] {
            let run = try PinctlRun.inProcess(["inspect", text])
            #expect(run.status == 2 && run.errors.contains("…@host.pem"), "\(run)")
            #expect(!run.errors.contains("hunter22") && !run.errors.contains("anna"), "\(run)")
        }
    }

    @Test func hostsWithoutEffectAreNotShown() throws {
        let set = #"{"version":1,"hosts":{"localhost":["C5+lpZ7tcVwmwQIMcRtPbsQtWLABXhQzejna0wHFr8M="]}}"#
        for host in ["anna:hunter22@host.test", "//anna:hunter22@host.test"] {
            let run = try PinctlRun.inProcess(
                ["convert", "--to", "okhttp", "--host", host, "-"], input: Array(set.utf8))
            #expect(run.errors.contains("\"--host …@host.test\" has no effect"), "\(run)")
        }
    }

    @Test func linesOfAListAreNotShown() throws {
        let padding = String(repeating: "x", count: 100)
        for line in [
            "https://anna:hunter22@host.test", "https://anna:hunter22\(padding)@host.test",
            "https://anna:hunter22#9@host.test", "https://anna:hunter22#9@host.test # comment",
        ] {
            let run = try PinctlRun.inProcess(["fetch", "--from", "-"], input: Array("\(line)\n".utf8))
            #expect(run.errors.contains("invalid host \"https://…@host.test\": it has a user name"), "\(run)")
            #expect(!run.errors.contains("hunter22"), "\(run)")
        }
    }

    @Test(arguments: ["fetch", "challenge"], ["hunter22#9", "hunter22/9", "hunter22?9", "hunter22 9", "9 hunter22"])
    func passwordsWithADelimiterInAListAreNotShown(command: String, password: String) throws {
        for user in ["https://anna:\(password)@host.test", "anna:\(password)@host.test"] {
            let run = try PinctlRun.inProcess([command, "--from", "-"], input: Array("\(user)\n".utf8))
            #expect(run.status != 0 && !run.errors.contains("hunter22") && !run.errors.contains("anna"), "\(run)")
        }
    }

    @Test(arguments: ["127.0.0.1/32:anna:hunter22@host.test", "[10.0.0.0/anna:hunter22@host.test]:1"])
    func rangesInAListAreNotShown(line: String) throws {
        let run = try PinctlRun.inProcess(["fetch", "--from", "-"], input: Array("\(line)\n".utf8))
        #expect(run.errors.contains("it has a user name"), "\(run)")
        #expect(!run.errors.contains("hunter22") && !run.errors.contains("anna"), "\(run)")
    }

    static let hosts = [
        "https://anna:hunter22@host.test/", "anna:hunter22@host.test", "anna:hunter22/x@host.test:443",
        "https://anna:\(String(repeating: "hunter22", count: 20))@host.test",
        "anna:\(String(repeating: "hunter22", count: 20))@host.test",
    ]

    @Test(arguments: hosts, ["text", "json", "ndjson", "junit", "sarif", "github", "prometheus"])
    func hostsOfASetAreNotShown(host: String, format: String) throws {
        let pin = "C5+lpZ7tcVwmwQIMcRtPbsQtWLABXhQzejna0wHFr8M="
        let set = #"{"version":1,"hosts":{"\#(host)":["\#(pin)"]}}"#
        let kotlin = #"val p = CertificatePinner.Builder().add("\#(host)", "sha256/\#(pin)").build()"#
        // Only a URL is recognized in the messages about a pattern.
        for input in host.contains("://") ? [set, kotlin] : [set] {
            let run = try PinctlRun.inProcess(["lint", "-f", format, "-"], input: Array(input.utf8))
            #expect(run.status != 0, "\(run)")
            #expect(format == "prometheus" || "\(run.text)\(run.errors)".contains("@host.test"), "\(run)")
            #expect(!run.text.contains("hunter22") && !run.errors.contains("hunter22"), "\(run)")
        }
        let page = try TemporaryFolder("user-info")
        defer { page.remove() }
        try page.write(set, to: "pins.json")
        let run = try PinctlRun.inProcess(["lint", "--html", "page.html", "pins.json"], folder: page.url)
        #expect(!run.text.contains("hunter22") && !run.errors.contains("hunter22"), "\(run)")
        try #expect(!page.text("page.html").contains("hunter22"))
    }

    @Test(arguments: hosts.filter { $0.contains("://") }) func urlsInOtherCommandsAreNotShown(host: String) throws {
        let pin = "C5+lpZ7tcVwmwQIMcRtPbsQtWLABXhQzejna0wHFr8M="
        let set = #"{"version":1,"hosts":{"\#(host)":["\#(pin)"]}}"#
        let kotlin = #"val p = CertificatePinner.Builder().add("\#(host)", "sha256/\#(pin)").build()"#
        let folder = try TemporaryFolder("user-info")
        defer { folder.remove() }
        try folder.write(set, to: "pins.json")
        try folder.write(kotlin, to: "Pins.kt")
        let good = set.split(separator: host).joined(separator: "x.test")
        try folder.write(String(good), to: "good.json")
        try folder.write(
            #"{"version":1,"set":"good.json","copies":[{"file":"Pins.kt","format":"okhttp"}]}"#, to: "sync.json")
        for arguments in [
            ["verify", "--pins", "pins.json"], ["convert", "--to", "okhttp", "pins.json"],
            ["convert", "--to", "pins", "Pins.kt"], ["sync", "--check", "sync.json"],
            ["sync", "--check", "-f", "json", "sync.json"], ["sync", "--check", "-f", "github", "sync.json"],
            ["diff", "pins.json", "Pins.kt"], ["refresh", "--pins", "pins.json"],
        ] {
            let run = try PinctlRun.inProcess(arguments, folder: folder.url)
            #expect(run.status != 0, "\(run)")
            #expect(!run.text.contains("hunter22") && !run.errors.contains("hunter22"), "\(run)")
        }
    }

    @Test(arguments: [
        "https://anna:hunter22@host.test", "gopher://anna:hunter22@host.test", "https://anna:hunter22%40host.test/",
        "https://anna:hunter22%40host.test", "https://anna:hunter22%2540host.test", "smtp://anna:hunter22%40host.test",
        "anna:hunter22%40host.test", "anna:hunter22%40host.test:443", "anna%3Ahunter22%40host.test",
        "gopher://anna:hunter22%40host.test", "https://anna:hunter22%40[::1]:443", "hunter22%40host.test",
        "https://anna:hunter22\u{FF20}host.test", "anna:hunter22\u{FE6B}host.test:443", "hunter22\u{FF20}host.test",
        "https://anna:hunter22%EF%BC%A0host.test", "anna:hunter22%EF%B9%ABhost.test:443",
    ]) func endpointsOfASetAreNotShown(endpoint: String) throws {
        let pin = "C5+lpZ7tcVwmwQIMcRtPbsQtWLABXhQzejna0wHFr8M="
        let set = #"{"version":1,"hosts":{"host.test":{"endpoints":["\#(endpoint)"],"pins":["\#(pin)"]}}}"#
        for arguments in [
            ["verify", "--pins", "-", "host.test"], ["lint", "-"], ["lint", "-f", "json", "-"],
            ["convert", "--to", "okhttp", "-"],
        ] {
            let run = try PinctlRun.inProcess(arguments, input: Array(set.utf8))
            let output = run.text + run.errors
            #expect(run.status != 0 && output.contains("the endpoint"), "\(run)")
            #expect(!output.contains("hunter22") && !output.contains("anna"), "\(run)")
        }
    }

    /// The next command repeats the options for the connection.
    @Test(arguments: ["text", "json"]) func protocolNamesAreNotShown(format: String) throws {
        let run = try PinctlRun.inProcess(
            ["explain", "-", "--format", format, "--alpn", "https://anna:hunter22@host.test/"],
            input: Array("x509: certificate signed by unknown authority\n".utf8))
        #expect(run.text.contains("--alpn") && run.text.contains("@host.test"), "\(run)")
        #expect(!run.text.contains("hunter22") && !run.errors.contains("hunter22"), "\(run)")
    }

    /// The hint names the host in a URL.
    @Test(arguments: ["https://anna:hunter22%40host.test/", "https://hunter22/9:x@host.test/"])
    func hintsDoNotNameTheUser(host: String) throws {
        for arguments in [["keygen", "k", "--host", host], ["add", "--pins", "none.json", host]] {
            let run = try PinctlRun.inProcess(arguments)
            #expect(run.status == 2 && !run.errors.contains("hunter22") && !run.errors.contains("anna"), "\(run)")
        }
    }

    @Test(arguments: ["text", "json", "ndjson", "junit", "sarif", "github", "prometheus"])
    func namesOfCopiesAreNotShown(format: String) throws {
        let folder = try TemporaryFolder("user-info")
        defer { folder.remove() }
        let pin = "C5+lpZ7tcVwmwQIMcRtPbsQtWLABXhQzejna0wHFr8M="
        try folder.write(#"{"version":1,"hosts":{"h.test":["\#(pin)"]}}"#, to: "pins.json")
        try folder.write(
            #"{"version":1,"set":"pins.json","copies":[{"file":"https://anna:hunter22@host.test/a.kt"}]}"#,
            to: "sync.json")
        for action in ["--check", "--write"] {
            let run = try PinctlRun.inProcess(["sync", action, "-f", format, "sync.json"], folder: folder.url)
            #expect(run.status != 0 && (run.text + run.errors).contains("host.test"), "\(run)")
            #expect(!run.text.contains("hunter22") && !run.errors.contains("hunter22"), "\(run)")
        }
    }

    @Test(arguments: ["text", "json", "ndjson", "junit", "sarif", "github"])
    func labelsAreNotShown(format: String) throws {
        let pki = try TestPKI.shared()
        for name in ["leaf", "other-root"] {
            let set =
                #"{"version":1,"hosts":{"localhost":{"pins":[{"sha256":"\#(try pki.pin(name))","label":"see https://anna:hunter22@host.test"}]}}}"#
            let run = try PinctlRun.inProcess(
                [
                    "verify", "--pins", "-", "--chain", pki.path("leaf.chain.pem"), "--anchors", pki.path("root.pem"),
                    "-f", format,
                ], input: Array(set.utf8))
            #expect(run.status == (name == "leaf" ? 0 : 1), "\(run)")
            #expect(!run.text.contains("hunter22") && !run.errors.contains("hunter22"), "\(run)")
        }
    }

    /// Without the @, or with another mistake, the parts of the URL of a proxy are not known. So none is shown.
    @Test(arguments: [
        "http://anna:hunter22", "http://anna:hunter22:3128", "anna:hunter22", "socks5://[::1]:hunter22",
        "http://[hunter22]:3128", "http://[::1]hunter22",
    ]) func proxiesAreNotShown(url: String) throws {
        let variables = ["https_proxy", "HTTPS_PROXY", "all_proxy", "ALL_PROXY"].map { [$0: url] }
        for environment in variables + [[:]] {
            let arguments = ["fetch", "x.test"] + (environment.isEmpty ? ["--proxy", url] : [])
            let run = try PinctlRun.inProcess(arguments, environment: environment)
            #expect(run.status == 2 && run.errors.contains(environment.keys.first ?? "--proxy"), "\(run)")
            #expect(!run.errors.contains("hunter22"), "\(run)")
        }
    }

    @Test(arguments: [
        "https://anna:hunter22@host.test", "anna:hunter22,x@host.test", "https://anna:hun,hunter22@host.test",
    ])
    func exemptHostsAreNotShown(url: String) throws {
        for proxy in [[], ["--proxy", "http://127.0.0.1:1"]] {
            let run = try PinctlRun.inProcess(["fetch", "x.test", "--no-proxy", url] + proxy)
            #expect(run.status == 2 && run.errors.contains("--no-proxy"), "\(run)")
            #expect(!run.errors.contains("hunter22") && !run.errors.contains("hun,"), "\(run)")
        }
    }

    @Test(arguments: [
        ["fetch", "--password=hunter22", "x.test"], ["--token=hunter22"], ["diff", "-secret=hunter22"],
        ["challenge", "--user", "x", "-phunter22", "https://host.test"], ["fetch", "-qphunter22=x", "x.test"],
        ["challenge", "--netrc=hunter22", "https://host.test"], ["keygen", "k", "--no-encrypt=hunter22"],
        ["fetch", "--pasword=\u{301}hunter22", "x.test"], ["challenge", "--user", "--netrc=hunter22", "x.test"],
        ["challenge", "-uhunter22", "-uhunter22", "x.test"],
    ])
    func valuesOfUnknownOptionsAreNotShown(arguments: [String]) throws {
        let run = try PinctlRun.inProcess(arguments)
        #expect(run.status == 2 && !run.errors.isEmpty, "\(run)")
        #expect(!run.errors.contains("hunter22"), "\(run)")
    }

    @Test(arguments: ["text", "json"]) func namesOfALogAreNotShown(format: String) throws {
        let logs = [
            """
            javax.net.ssl.SSLPeerUnverifiedException: Certificate pinning failure!
              Peer certificate chain:
                sha256/C5+lpZ7tcVwmwQIMcRtPbsQtWLABXhQzejna0wHFr8M=: CN=https://anna:hunter22@host.test
              Pinned certificates for api.example.com:
                sha256/hUcFFip1z0GOioWs8QmYV5gIdp2/HK7UBvar+BfuTNU=
            """,
            "curl: (60) SSL: no alternative certificate subject name matches target host name 'anna:hunter22@host.test'\n",
        ]
        for log in logs {
            let run = try PinctlRun.inProcess(["explain", "--offline", "-f", format, "-"], input: Array(log.utf8))
            #expect(run.text.contains("…@host.test"), "\(run)")
            #expect(!run.text.contains("hunter22") && !run.errors.contains("hunter22"), "\(run)")
        }
    }

    @Test(arguments: ["text", "json"]) func urlsOfALogAreNotShown(format: String) throws {
        let log = "curl: (90) SSL: public key does not match pinned public key https://anna:hunter22@127.0.0.1/x@y\n"
        let run = try PinctlRun.inProcess(["explain", "--offline", "-f", format, "-"], input: Array(log.utf8))
        #expect(run.text.contains("https://…@127.0.0.1/x@y"), "\(run)")
        #expect(!run.text.contains("hunter22") && !run.errors.contains("hunter22"), "\(run)")
    }
}
