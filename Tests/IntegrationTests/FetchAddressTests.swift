import TestSupport
import Testing

/// The address that pinctl connects to, and the validation of targets that are addresses.
@Suite(.blocking) struct FetchAddressTests {
    let pki: TestPKI
    var anchors: String { pki.path("root.pem") }

    init() throws { pki = try TestPKI.shared() }

    static let needsIPv6: Comment = "this machine has no IPv6"
    static let needsNames: Comment = "libnss-wrapper is not installed"

    @Test func literalIPv4() throws {
        try Nginx.run {
            Nginx.host($0, "leaf")
        } _: { server in
            let host = try report("127.0.0.1:\(server.port)", "--anchors", anchors, status: 0)
            #expect(host.target == "127.0.0.1:\(server.port)")
            #expect(host.serverName == nil)
            #expect(host.pins.first == (try pki.pin("leaf")))
            for url in ["https://127.0.0.1:\(server.port)/a/b?c#d", "HTTPS://127.0.0.1:\(server.port)"] {
                try #expect(report(url, "--anchors", anchors, status: 0).target == host.target)
            }
            // 127.0.0.2 is the same server, and its certificate does not contain this address.
            try #expect(
                report("127.0.0.2:443", "--connect-to", server.endpoint, "--anchors", anchors, status: 1).trust?.code
                    == "name-mismatch")
        }
    }

    @Test(.enabled(if: Loopback.hasIPv6, needsIPv6)) func literalIPv6() throws {
        try Nginx.run(on: .ipv6) {
            Nginx.host($0, "leaf")
        } _: { server in
            for target in ["[::1]:\(server.port)", "[0:0:0:0:0:0:0:1]:\(server.port)", "https://[::1]:\(server.port)/"]
            {
                let host = try report(target, "--anchors", anchors, status: 0)
                #expect(host.target == "[::1]:\(server.port)")
                #expect(host.address == "[::1]:\(server.port)")
                #expect(host.serverName == nil)
                #expect(host.trust?.trusted == true)
            }
            // Without brackets, an IPv6 address has no port.
            try #expect(
                report("::1", "--connect-to", server.endpoint, "--anchors", anchors, status: 0).target == "[::1]:443")
        }
    }

    @Test func connectToAnotherAddress() throws {
        try Nginx.run {
            Nginx.host($0, "leaf")
        } _: { server in
            let host = try report(
                "api.example.test:8443", "--connect-to", server.endpoint, "--anchors", anchors, status: 0)
            #expect(host.target == "api.example.test:8443")
            #expect(host.address == server.endpoint)
            // If no port is given, the port of the target is used.
            let port = try report(
                "api.example.test:\(server.port)", "--connect-to", "127.0.0.1", "--anchors", anchors, status: 0)
            #expect(port.address == server.endpoint)
            let text = try fetch("api.example.test:8443", "--connect-to", server.endpoint, "--anchors", anchors)
            #expect(text.lines.first == "api.example.test:8443  trusted  TLSv1.3  \(server.endpoint)")
        }
    }

    /// A name with an address of each family, one of which has no listener. pinctl tries the other one too.
    @Test(
        .enabled(if: NameService.exists, needsNames), .enabled(if: Loopback.hasIPv6, needsIPv6),
        arguments: [Loopback.ipv4, .ipv6])
    func everyAddressIsTried(loopback: Loopback) throws {
        let folder = try TemporaryFolder()
        defer { folder.remove() }
        let names = try NameService.environment("::1 both.example.test\n127.0.0.1 both.example.test", in: folder)
        try Nginx.run(on: loopback) {
            Nginx.host($0, "leaf")
        } _: { server in
            let target = "both.example.test:\(server.port)"
            let host = try report(target, "--anchors", anchors, environment: names, status: 0)
            #expect(host.address == server.endpoint)

            let (own, other) = loopback == .ipv4 ? ("-4", "-6") : ("-6", "-4")
            try #expect(
                report(target, "--anchors", anchors, own, environment: names, status: 0).address == server.endpoint)
            let refused = try report(target, "--anchors", anchors, other, environment: names, status: 3)
            #expect(refused.error?.code == "refused")
            let absent = (loopback == .ipv4 ? Loopback.ipv6 : .ipv4).endpoint(server.port)
            #expect(refused.error?.message == "cannot connect to \(absent): connection refused")
        }
    }

    @Test(.enabled(if: NameService.exists, needsNames), .enabled(if: Loopback.hasIPv6, needsIPv6))
    func noAddressAcceptsTheConnection() throws {
        let folder = try TemporaryFolder()
        defer { folder.remove() }
        let names = try NameService.environment("::1 both.example.test\n127.0.0.1 both.example.test", in: folder)
        let four = try LoopbackSocket(boundTo: .ipv4)
        let run = try fetch("both.example.test:\(four.port)", environment: names)
        #expect(run.status == 3)
        let order = ["[::1]:\(four.port) or 127.0.0.1:\(four.port)", "127.0.0.1:\(four.port) or [::1]:\(four.port)"]
        let errors = order.map {
            "pinctl: error: both.example.test:\(four.port): cannot connect to \($0): connection refused\n"
        }
        #expect(errors.contains(run.errors), "\(run)")
        withExtendedLifetime(four) {}
    }

    @Test(.enabled(if: NameService.exists, needsNames)) func nameWithoutAnAddressOfTheFamily() throws {
        let folder = try TemporaryFolder()
        defer { folder.remove() }
        let names = try NameService.environment("127.0.0.1 four.example.test", in: folder)
        let host = try report("four.example.test:443", "-6", environment: names, status: 3)
        #expect(host.error?.code == "resolve")
        #expect(host.error?.message.contains("\"four.example.test\"") == true)
    }

    @Test func nameThatDoesNotResolve() throws {
        // RFC 6761, section 6.4: no name below "invalid" ever resolves.
        let run = try fetch("nosuch.invalid", "--format", "json")
        #expect(run.status == 3)
        #expect(run.errors.isEmpty)
        let host = try report("nosuch.invalid", status: 3)
        #expect(host.error?.code == "resolve")
        #expect(host.error?.message.contains("\"nosuch.invalid\"") == true)
        #expect(host.address == nil)
        let text = try fetch("nosuch.invalid")
        #expect(text.errors.hasPrefix("pinctl: error: nosuch.invalid:443: "), "\(text)")
        #expect(text.output.isEmpty)
    }

    // MARK: Every address

    /// Addresses with the same certificate, one with an old certificate, and one without a listener.
    private func withOldCertificateOnOneAddress(
        _ body: (_ port: UInt16, (String...) throws -> PinctlRun) throws -> Void
    ) throws {
        let folder = try TemporaryFolder("addresses")
        defer { folder.remove() }
        try Nginx.run { endpoint in
            Nginx.host(endpoint, "leaf")
                + Nginx.host(endpoint.replacing("127.0.0.1", with: "127.0.0.2"), "leaf-api")
                + Nginx.host(endpoint.replacing("127.0.0.1", with: "127.0.0.3"), "leaf")
        } _: { server in
            let hosts = (1...4).map { "127.0.0.\($0) many.example.test" }.joined(separator: "\n")
            let environment = try NameService.environment(hosts, in: folder)
            try body(server.port) { (arguments: String...) in
                try PinctlRun.spawn(
                    ["fetch", "many.example.test:\(server.port)", "--all-addresses"] + arguments,
                    environment: environment, folder: folder.url)
            }
        }
    }

    @Test(.enabled(if: NameService.exists, needsNames)) func everyAddressHasAResult() throws {
        try withOldCertificateOnOneAddress { port, fetch in
            let (leaf, other) = (try pki.pin("leaf"), try pki.pin("leaf-api"))
            let run = try fetch("-k", "-f", "pin", "-s", "leaf")
            #expect(run.status == 3, "\(run)")
            let target = "many.example.test:\(port)"
            let expected = [(leaf, 1), (other, 2), (leaf, 3)].map { "\($0)  \(target)  127.0.0.\($1):\(port)" }
            #expect(Set(run.lines) == Set(expected), "\(run)")
            #expect(run.errors.contains("cannot connect to 127.0.0.4:\(port)"), "\(run)")
            let warning = try #require(run.errorLines.first { $0.hasPrefix("pinctl: warning: ") })
            #expect(warning.hasPrefix("pinctl: warning: the addresses of \(target) disagree: "))
            #expect(warning.contains("127.0.0.2 presents \(other)"))
            #expect(warning.contains(#/127\.0\.0\.[13] and 127\.0\.0\.[13] present /#))
            #expect(warning.contains("present \(leaf)"))
            #expect(!warning.contains("127.0.0.4"))
        }
    }

    @Test(.enabled(if: NameService.exists, needsNames)) func everyAddressInJSON() throws {
        try withOldCertificateOnOneAddress { port, fetch in
            let run = try fetch("-k", "-f", "ndjson")
            let hosts = try hosts(inLinesOf: run)
            #expect(hosts.allSatisfy { $0.target == "many.example.test:\(port)" && $0.addressCount == 4 })
            #expect(hosts.map(\.addressNumber) == [1, 2, 3, 4])
            #expect(Set(hosts.compactMap(\.address)) == Set((1...4).map { "127.0.0.\($0):\(port)" }))
            #expect(hosts.count { $0.error?.code == "refused" } == 1)
            // Without a difference there is no warning.
            let two = try fetch("-k", "-f", "ndjson", "-s", "leaf", "--connect-to", "127.0.0.1")
            #expect(two.errors.isEmpty, "\(two)")
        }
    }

    /// An incomplete group of lines is written again completely.
    @Test(.enabled(if: NameService.exists, needsNames)) func everyAddressWithResume() throws {
        try withOldCertificateOnOneAddress { port, fetch in
            let whole = try fetch("-k", "-f", "ndjson").output
            let firsts = whole.split(separator: UInt8(ascii: "\n")).prefix(2)
            let torn = firsts.flatMap { $0 + [UInt8(ascii: "\n")] } + whole.prefix(20)
            let folder = try TemporaryFolder("torn")
            defer { folder.remove() }
            let file = try folder.write(torn, to: "r.ndjson")
            #expect(try fetch("-k", "--resume", file).status == 3)
            let lines = try folder.text("r.ndjson").split(separator: "\n")
            #expect(lines.count == 4)
            #expect(Set(lines.compactMap { $0.firstMatch(of: #/"address":"([^"]*)"/#)?.1 }).count == 4)
            let again = try fetch("-k", "--resume", file)
            #expect(again.errors.hasSuffix("1 skipped (already in the file)\n"), "\(again)")
            try #expect(folder.text("r.ndjson").split(separator: "\n").count == 4)
        }
    }
}
