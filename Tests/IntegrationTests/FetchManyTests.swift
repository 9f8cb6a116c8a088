import Foundation
import TestSupport
import Testing

/// Several hosts in one run: their order, their independence, and the exit status.
@Suite(.blocking) struct FetchManyTests {
    let pki: TestPKI
    var anchors: String { pki.path("root.pem") }

    init() throws { pki = try TestPKI.shared() }

    @Test func outputIsInInputOrder() throws {
        try Nginx.run {
            Nginx.host($0, "leaf") + Nginx.host($0, "leaf-api", names: "api.example.test")
        } _: { server in
            let dead = try LoopbackSocket()
            defer { withExtendedLifetime(dead) {} }
            let names = ["api", "b", "c", "d", "e"].map { "\($0).example.test:\(server.port)" }
            let targets = names + ["127.0.0.1:\(dead.port)"]
            let options = ["--connect-to", "127.0.0.1", "--anchors", anchors]

            let text = try PinctlRun.spawn(["fetch"] + targets + options)
            #expect(text.status == 3)
            #expect(text.lines.filter { !$0.hasPrefix(" ") }.map { $0.prefix { $0 != " " } } == names.map { $0[...] })
            #expect(text.text.components(separatedBy: "\n\n").count == names.count)
            #expect(text.errors.hasPrefix("pinctl: error: cannot connect to 127.0.0.1:\(dead.port)"), "\(text)")

            let json = try PinctlRun.spawn(["fetch", "-f", "json"] + targets + options)
            #expect(json.status == 3)
            #expect(json.errors.isEmpty)
            let report = try JSONDecoder().decode(FetchReport.self, from: Data(json.output))
            #expect(report.hosts.map(\.target) == targets)
            #expect(report.hosts.map { $0.error?.code } == [nil, nil, nil, nil, nil, "refused"])

            let pins = try PinctlRun.spawn(["fetch", "-f", "pin", "-s", "leaf"] + targets + options)
            #expect(pins.status == 3)
            let expected = try names.enumerated().map { "\(try pki.pin($0 == 0 ? "leaf-api" : "leaf"))  \($1)" }
            #expect(pins.lines == expected)

            let lines = try PinctlRun.spawn(["fetch", "-f", "ndjson"] + targets + options)
            #expect(lines.status == 3)
            #expect(Set(try hosts(inLinesOf: lines).map(\.target)) == Set(targets))

            let base64 = try PinctlRun.spawn(["fetch", "-f", "base64", "-s", "root"] + names + options)
            #expect(base64.status == 0)
            let root = Data(try pki.bytes("root.der")).base64EncodedString()
            #expect(base64.lines == names.map { "\(root)  \($0)" })
        }
    }

    struct Mixture: CustomTestStringConvertible, Sendable {
        let hosts: [String]
        let status: Int32
        var testDescription: String { hosts.joined(separator: ", ") }
    }

    static let mixtures = [
        Mixture(hosts: ["good", "good"], status: 0),
        Mixture(hosts: ["good", "untrusted"], status: 1),
        Mixture(hosts: ["good", "dead"], status: 3),
        Mixture(hosts: ["dead", "untrusted"], status: 1),
        Mixture(hosts: ["untrusted", "dead"], status: 1),
        Mixture(hosts: ["dead", "good", "untrusted", "good"], status: 1),
    ]

    @Test(arguments: mixtures) func failureTakesPrecedenceOverUndecided(mixture: Mixture) throws {
        try Nginx.run {
            Nginx.host($0, "leaf")
        } _: { good in
            try Nginx.run {
                Nginx.host($0, "leaf-self-signed")
            } _: { untrusted in
                let dead = try LoopbackSocket()
                defer { withExtendedLifetime(dead) {} }
                let places = ["good": good.localhost, "untrusted": untrusted.localhost]
                let targets = mixture.hosts.map { places[$0] ?? "127.0.0.1:\(dead.port)" }
                for format in ["text", "json", "ndjson", "pin", "pem"] {
                    let run = try PinctlRun.spawn(["fetch", "--anchors", anchors, "-f", format] + targets)
                    #expect(run.status == mixture.status, "\(format): \(run)")
                }
            }
        }
    }

    /// Good hosts and ten silent ones in one run. The good hosts finish at once, and the silent hosts wait in parallel.
    @Test func goodHostsDoNotWaitForSilentOnes() throws {
        try RawPeer.run {
            $0.drain()
        } _: { silent in
            try Nginx.run {
                Nginx.host($0, "leaf")
            } _: { server in
                let (dead, good) = ("127.0.0.1:\(silent.port)", server.localhost)
                let targets = repeatElement([dead, good], count: 5).flatMap { $0 }
                let run = try PinctlRun.spawn(
                    ["fetch", "-f", "ndjson", "--timeout", "2", "--anchors", anchors] + targets)
                #expect(run.status == 3, "\(run)")
                let hosts = try hosts(inLinesOf: run)
                let expected = Array(repeating: good, count: 5) + Array(repeating: dead, count: 5)
                #expect(hosts.map(\.target) == expected)
                #expect(hosts.suffix(5).allSatisfy { $0.error?.code == "timeout" })
                // One after another, the silent hosts would take ten seconds.
                #expect(run.duration < .seconds(8))
            }
        }
    }

    /// With one job, the order of the lines is the order of the hosts.
    @Test func oneJob() throws {
        try Nginx.run {
            Nginx.host($0, "leaf")
        } _: { server in
            let targets = (1...6).map { "127.0.0.\($0):\(server.port)" }
            let run = try PinctlRun.spawn(
                ["fetch", "-f", "ndjson", "--jobs", "1", "--connect-to", "127.0.0.1", "-k"] + targets)
            #expect(run.status == 0, "\(run)")
            try #expect(hosts(inLinesOf: run).map(\.target) == targets)
        }
    }

    @Test func hostsFromFilesAndStandardInput() throws {
        let folder = try TemporaryFolder()
        defer { folder.remove() }
        try Nginx.run {
            Nginx.host($0, "leaf")
        } _: { server in
            let port = server.port
            try folder.write(
                "# ours\r\n\r\n  b.example.test:\(port)  # the second\r\nhttps://c.example.test:\(port)/x\n",
                to: "hosts.txt")
            let run = try fetch(
                "a.example.test:\(port)", "--from", "hosts.txt", "--from", "-", "-f", "pin", "-s", "leaf",
                "--connect-to",
                "127.0.0.1", "--anchors", anchors, input: Array("bücher.example.test:\(port)".utf8), folder: folder.url)
            #expect(run.status == 0, "\(run)")
            let pin = try pki.pin("leaf")
            #expect(
                run.lines == ["a", "b", "c", "xn--bcher-kva"].map { "\(pin)  \($0).example.test:\(port)" })
        }
    }

    /// More hosts than jobs and than the backlog of the server. Each has a result.
    @Test func twoHundredHosts() throws {
        try Nginx.run {
            Nginx.host($0, "leaf")
        } _: { server in
            let targets = (1...200).map { "h\($0).example.test:\(server.port)" }
            let list = Array((targets.joined(separator: "\n") + "\n").utf8)
            let run = try fetch(
                "--from", "-", "-f", "pin", "-s", "leaf", "--connect-to", "127.0.0.1", "--anchors", anchors,
                "--timeout", "60",
                input: list)
            #expect(run.status == 0, "\(run.errors)")
            let pin = try pki.pin("leaf")
            #expect(run.lines == targets.map { "\(pin)  \($0)" })
        }
    }
}
