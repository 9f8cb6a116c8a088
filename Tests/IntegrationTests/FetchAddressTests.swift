import TestSupport
import Testing

/// Which address is gone to, and how targets that are addresses are validated.
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
            // 127.0.0.2 goes to the same server, whose certificate says nothing of it.
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
            // Without brackets there is no room for a port.
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
            // The target's own port stands where none is given.
            let port = try report(
                "api.example.test:\(server.port)", "--connect-to", "127.0.0.1", "--anchors", anchors, status: 0)
            #expect(port.address == server.endpoint)
            let text = try fetch("api.example.test:8443", "--connect-to", server.endpoint, "--anchors", anchors)
            #expect(text.lines.first == "api.example.test:8443  trusted  TLSv1.3  \(server.endpoint)")
        }
    }

    /// A name with an address of each family, one of which nobody listens at: the other is tried too.
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
            #expect(refused.error?.message == "nobody listens at \(absent): the connection was refused")
        }
    }

    @Test(.enabled(if: NameService.exists, needsNames), .enabled(if: Loopback.hasIPv6, needsIPv6))
    func noAddressTakesTheConnection() throws {
        let folder = try TemporaryFolder()
        defer { folder.remove() }
        let names = try NameService.environment("::1 both.example.test\n127.0.0.1 both.example.test", in: folder)
        let (four, six) = (try LoopbackSocket(boundTo: .ipv4), try LoopbackSocket.freePort(on: .ipv6))
        _ = six
        let run = try fetch("both.example.test:\(four.port)", environment: names)
        #expect(run.status == 3)
        let order = ["[::1]:\(four.port) or 127.0.0.1:\(four.port)", "127.0.0.1:\(four.port) or [::1]:\(four.port)"]
        let errors = order.map {
            "pinctl: error: both.example.test:\(four.port): nobody listens at \($0): the connection was refused\n"
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
}
