import Foundation
import TestSupport
import Testing

/// Names with more addresses than pinctl connects to.
@Suite(.blocking) struct ManyAddressesTests {
    let pki: TestPKI
    let folder: TemporaryFolder

    private static let name = "www.example.test"

    init() throws {
        pki = try TestPKI.shared()
        folder = try TemporaryFolder("many-addresses")
    }

    private static func addresses(_ count: Int) -> [String] {
        (1...count).map { "127.0.\($0 / 250 + 1).\($0 % 250 + 1)" }
    }

    private func environment(_ count: Int) throws -> [String: String] {
        let lines = Self.addresses(count).map { "\($0) \(Self.name)" }
        var names = try NameService.environment(lines.joined(separator: "\n"), in: folder)
        // By default, nss_wrapper reads at most 100 lines.
        names["NSS_WRAPPER_MAX_HOSTENTS"] = "\(2 * count)"
        return names
    }

    /// Runs a server at all of these addresses, whose key is pinned.
    private func serving(_ count: Int, _ body: (_ target: String, [String: String]) throws -> Void) throws {
        let pin = try pki.pin("leaf")
        try folder.write(
            #"{"version":1,"hosts":{"\#(Self.name)":{"pins":[{"sha256":"\#(pin)","role":"leaf"}]}}}"#, to: "p.json")
        try Nginx.run { endpoint in
            let listeners = Self.addresses(count).map {
                "listen \(endpoint.replacing("127.0.0.1", with: $0)) ssl;"
            }
            return Nginx.host(endpoint, "leaf", more: listeners.joined(separator: " "))
        } _: { server in
            try body("\(Self.name):\(server.port)", environment(count))
        }
    }

    private func pinctl(_ arguments: [String], _ environment: [String: String]) throws -> PinctlRun {
        try PinctlRun.spawn(
            arguments + ["--anchors", pki.path("root.pem")], environment: environment, folder: folder.url)
    }

    @Test(.enabled(if: NameService.exists, FetchAddressTests.needsNames), arguments: [256, 257])
    func verifyAtTheLimit(count: Int) throws {
        try serving(count) { target, environment in
            let isComplete = count == 256
            let run = try pinctl(["verify", "-p", "p.json", target], environment)
            #expect(run.status == (isComplete ? 0 : 3), "\(run)")
            // One line for all addresses that match. Only a complete result is about the name as a whole.
            let match = try #require(run.lines.first { $0.contains("  match  ") }, "\(run)")
            #expect(match.hasPrefix("\(target)  match  ") == isComplete, "\(run)")
            let error = "\"\(Self.name)\" has 257 addresses, and pinctl connects to at most 256: "
            #expect(run.errors.contains(error) != isComplete, "\(run)")

            let json = try pinctl(["verify", "-p", "p.json", target, "-f", "ndjson"], environment)
            #expect(json.lines.count == count)
            #expect(json.lines.allSatisfy { $0.contains("\"addressCount\":\(count)") })
            #expect(json.lines.count { $0.contains(#""verdict":"match""#) } == 256)
            #expect(json.lines.last?.contains(#""code":"too-many-addresses""#) != isComplete, "\(json)")
        }
    }

    /// A server that was not contacted may have the pin that no contacted server has.
    @Test(.enabled(if: NameService.exists, FetchAddressTests.needsNames), arguments: [256, 257])
    func refreshAtTheLimit(count: Int) throws {
        try serving(count) { target, environment in
            let (pin, old) = (try pki.pin("leaf"), try pki.pin("leaf-www"))
            try folder.write(
                #"""
                {"version":1,"hosts":{"\#(Self.name)":{"pins":[
                {"sha256":"\#(pin)","role":"leaf","added":"2026-02-01"},
                {"sha256":"\#(old)","role":"leaf","added":"2026-01-01"}]}}}
                """#, to: "p.json")
            let run = try pinctl(
                ["refresh", "--write", "--assume-complete", "--retain", "0", "-p", "p.json", target], environment)
            let isComplete = count == 256
            #expect(run.status == (isComplete ? 0 : 3), "\(run)")
            try #expect(folder.text("p.json").contains("retired") == isComplete, "\(run)")
        }
    }

    /// Thousands of addresses refuse the connection. `fetch` without an option stops after the limit too.
    @Test(.enabled(if: NameService.exists, FetchAddressTests.needsNames), arguments: [[], ["--all-addresses"]])
    func fetchStopsAtTheLimit(options: [String]) throws {
        let run = try pinctl(["fetch", "\(Self.name):1", "-f", "ndjson"] + options, environment(3900))
        #expect(run.status == 3, "\(run)")
        #expect(run.lines.count == (options.isEmpty ? 1 : 257))
        #expect(run.lines.first?.contains(#""code":"refused""#) == true)
        #expect(run.lines.first?.contains(" or 240 other addresses: connection refused") == options.isEmpty)
        let last = "\"\\\"\(Self.name)\\\" has 3900 addresses, and pinctl connects to at most 256: "
        #expect(run.lines.last?.contains(last) != options.isEmpty)
    }
}
