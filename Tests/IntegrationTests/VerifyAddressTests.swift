import Foundation
import TestSupport
import Testing

/// `pinctl verify` for a name with several addresses, each with its own server.
@Suite(.blocking) struct VerifyAddressTests {
    let pki: TestPKI

    init() throws { pki = try TestPKI.shared() }

    /// Runs verify for a name whose addresses 1 and 3 have the pinned key, 2 another key, and 4 no listener.
    private func withAddresses(
        _ addresses: [Int], _ body: (_ target: String, _ verify: (String...) throws -> PinctlRun) throws -> Void
    ) throws {
        let folder = try TemporaryFolder("verify-addresses")
        defer { folder.remove() }
        try Nginx.run { endpoint in
            Nginx.host(endpoint, "leaf")
                + Nginx.host(endpoint.replacing("127.0.0.1", with: "127.0.0.2"), "leaf-www")
                + Nginx.host(endpoint.replacing("127.0.0.1", with: "127.0.0.3"), "leaf")
        } _: { server in
            let names = addresses.map { "127.0.0.\($0) www.example.test" }.joined(separator: "\n")
            let environment = try NameService.environment(names, in: folder)
            let pin = try pki.pin("leaf")
            try folder.write(
                #"{"version":1,"hosts":{"www.example.test":{"pins":[{"sha256":"\#(pin)","role":"leaf"}]}}}"#,
                to: "p.json")
            let target = "www.example.test:\(server.port)"
            try body(target) { (arguments: String...) in
                try PinctlRun.spawn(
                    ["verify", "-p", "p.json", target, "--anchors", pki.path("root.pem")] + arguments,
                    environment: environment, folder: folder.url)
            }
        }
    }

    @Test(.enabled(if: NameService.exists, FetchAddressTests.needsNames)) func aServerWithAnotherKeyIsFound() throws {
        try withAddresses([1, 2, 3, 4]) { target, verify in
            let run = try verify()
            #expect(run.status == 1, "\(run)")
            let match = try #require(run.lines.first { $0.contains("  match  ") }, "\(run)")
            #expect(
                match.hasPrefix("\(target) at 127.0.0.1 and 127.0.0.3  ")
                    || match.hasPrefix("\(target) at 127.0.0.3 and 127.0.0.1  "))
            #expect(run.lines.contains { $0.hasPrefix("\(target)  mismatch  ") && $0.contains("127.0.0.2") }, "\(run)")
            #expect(run.errors.contains("cannot connect to 127.0.0.4:"), "\(run)")
            #expect(
                run.errorLines.last?.hasPrefix("pinctl: \(target) at 127.0.0.2 fails (mismatch); next: ") == true,
                "\(run)")
        }
    }

    /// `lint --live` compares each address, too.
    @Test(.enabled(if: NameService.exists, FetchAddressTests.needsNames)) func lintFindsAServerWithAnotherKey() throws {
        let folder = try TemporaryFolder("lint-addresses")
        defer { folder.remove() }
        try Nginx.run { endpoint in
            Nginx.host(endpoint, "leaf")
                + Nginx.host(endpoint.replacing("127.0.0.1", with: "127.0.0.2"), "leaf-www")
        } _: { server in
            for (addresses, status) in [([1], Int32(0)), ([1, 2], 1), ([2, 1], 1), ([1, 4], 3)] {
                let names = addresses.map { "127.0.0.\($0) www.example.test" }.joined(separator: "\n")
                let environment = try NameService.environment(names, in: folder)
                let pins = [try pki.pin("leaf"), try pki.pin("other-root")].map { "\"\($0)\"" }.joined(separator: ",")
                let endpoint = "www.example.test:\(server.port)"
                try folder.write(
                    #"{"version":1,"hosts":{"www.example.test":{"endpoints":["\#(endpoint)"],"pins":[\#(pins)]}}}"#,
                    to: "p.json")
                let run = try PinctlRun.spawn(
                    ["lint", "--live", "p.json", "--anchors", pki.path("root.pem")], environment: environment,
                    folder: folder.url)
                #expect(run.status == status, "\(run)")
                let text = "no pin matches one of the chains of the addresses of \"www.example.test\""
                #expect((run.text + run.errors).contains(text) == (status == 1), "\(run)")
            }
        }
    }

    @Test(.enabled(if: NameService.exists, FetchAddressTests.needsNames)) func equalAddressesAreOneResult() throws {
        try withAddresses([1, 3]) { target, verify in
            let run = try verify()
            #expect(run.status == 0, "\(run)")
            #expect(run.lines.count == 1)
            #expect(run.text.hasPrefix("\(target)  match  "), "\(run)")
        }
    }

    @Test(.enabled(if: NameService.exists, FetchAddressTests.needsNames)) func jsonHasOneObjectForEachAddress() throws {
        try withAddresses([1, 2, 3]) { target, verify in
            let run = try verify("--format", "ndjson")
            #expect(run.status == 1)
            let verdicts = run.lines.compactMap { $0.firstMatch(of: #/"verdict":"([a-z-]*)"/#)?.1 }.sorted()
            #expect(verdicts == ["match", "match", "mismatch"])
            #expect(run.lines.allSatisfy { $0.contains(#""addressCount":3"#) })
            #expect(run.errorLines.last?.contains("1 of") == false, "\(run)")
        }
    }

    @Test(.enabled(if: NameService.exists, FetchAddressTests.needsNames)) func aDocumentCountsTheHostOnce() throws {
        try withAddresses([1, 2, 3]) { target, verify in
            let run = try verify("--format", "junit")
            #expect(run.status == 1)
            #expect(run.text.contains(#"tests="1" failures="1""#), "\(run)")
            #expect(run.text.contains("at 127.0.0.2: the chain is valid, but no pin matches"), "\(run)")
        }
    }

    @Test(.enabled(if: NameService.exists, FetchAddressTests.needsNames)) func theFirstAddressIsEnoughOnRequest() throws
    {
        try withAddresses([4, 1]) { target, verify in
            #expect(try verify().status == 3)
            let run = try verify("--first-address", "--format", "json")
            #expect(run.status == 0, "\(run)")
            #expect(run.text.contains(#""addressNumber": null"#), "\(run)")
        }
    }

    /// The server listens on 127.0.0.1 only. A connection to 0.0.0.0, which is no loopback address, reaches it too.
    @Test(
        .enabled(if: NameService.exists, FetchAddressTests.needsNames),
        .enabled(if: Loopback.hasIPv6, FetchAddressTests.needsIPv6),
        arguments: [("127.0.0.1", true), ("0.0.0.0", false)])
    func onlyAHostWithLoopbackAddressesMayLackAListener(address: String, matches: Bool) throws {
        let folder = try TemporaryFolder("verify-local")
        defer { folder.remove() }
        try Nginx.run {
            Nginx.host($0, "leaf")
        } _: { server in
            let environment = try NameService.environment(
                "\(address) www.example.test\n::1 www.example.test", in: folder)
            let pin = try pki.pin("leaf")
            try folder.write(
                #"{"version":1,"hosts":{"www.example.test":{"pins":[{"sha256":"\#(pin)","role":"leaf"}]}}}"#,
                to: "p.json")
            let run = try PinctlRun.spawn(
                ["verify", "-p", "p.json", "www.example.test:\(server.port)", "--anchors", pki.path("root.pem")],
                environment: environment, folder: folder.url)
            #expect(run.status == (matches ? 0 : 3), "\(run)")
            #expect(run.text.contains("  match  "), "\(run)")
            #expect(
                run.errors.contains("cannot connect to [::1]:\(server.port): connection refused") != matches, "\(run)")
        }
    }
}
