import Foundation
import TestSupport
import Testing

/// Lists of any length, read as a stream. Invalid lines are reported and skipped.
@Suite(.blocking) struct FetchListTests {
    let pki: TestPKI
    let folder: TemporaryFolder

    init() throws {
        pki = try TestPKI.shared()
        folder = try TemporaryFolder("list")
    }

    private func withServer(_ body: (ServerProcess) throws -> Void) throws {
        defer { folder.remove() }
        try Nginx.run {
            Nginx.host($0, "leaf") + Nginx.host($0, "leaf-api", names: "api.example.test")
        } _: {
            try body($0)
        }
    }

    @Test func reportsAndCountsInvalidLines() throws {
        try withServer { server in
            let list = "127.0.0.1:\(server.port)\nnot a host\n\nlocalhost:\(server.port)\n192.0.2.0/33\nlocalhost:0\n"
            let run = try fetch("--from", "-", "-k", "-f", "pin", "-s", "leaf", input: Array(list.utf8))
            #expect(run.status == 3, "\(run)")
            let pin = try pki.pin("leaf")
            #expect(run.lines == ["127.0.0.1:\(server.port)", "localhost:\(server.port)"].map { "\(pin)  \($0)" })
            let errors = run.errorLines.filter { $0.hasPrefix("pinctl: error: ") }
            #expect(errors.count == 3, "\(run)")
            for (error, line) in zip(errors, [2, 5, 6]) { #expect(error.contains("line \(line) of standard input: ")) }
            #expect(run.errorLines.last == "pinctl: 2 hosts: 2 not trusted, 3 invalid lines", "\(run)")
        }
    }

    @Test func onlyInvalidLinesAreAUsageError() throws {
        let run = try fetch("--from", "-", input: Array("a b\n\nc d\n".utf8))
        #expect(run.status == 2, "\(run)")
        #expect(run.output.isEmpty)
        #expect(run.errorLines.last == "pinctl: 0 hosts: 2 invalid lines", "\(run)")
    }

    /// A network can be a line of a list or an operand.
    @Test func rangesContainEveryAddress() throws {
        try withServer { server in
            let pin = try pki.pin("leaf")
            let common = ["-k", "-f", "pin", "-s", "leaf", "--connect-to", "127.0.0.1:\(server.port)"]
            let expected = (0..<64).map { "\(pin)  10.1.2.\(128 + $0):8443" }
            let listed = try PinctlRun.spawn(
                ["fetch", "--from", "-"] + common, input: Array("10.1.2.128/26:8443\n".utf8))
            #expect(listed.status == 0, "\(listed)")
            #expect(listed.lines == expected)
            let typed = try PinctlRun.spawn(["fetch", "10.1.2.128/26:8443"] + common)
            #expect(typed.status == 0, "\(typed)")
            #expect(typed.lines == expected)
            let six = try PinctlRun.spawn(["fetch", "[2001:db8::/126]:8443"] + common)
            #expect(six.lines == ["", "1", "2", "3"].map { "\(pin)  [2001:db8::\($0)]:8443" })
        }
    }

    /// The server name of the line is sent to the server and is in the result.
    @Test func linesHaveTheirOwnServerNames() throws {
        try withServer { server in
            let api = "127.0.0.1:\(server.port)=api.example.test"
            let list = "\(api)\n127.0.0.1:\(server.port)\n"
            let run = try fetch(
                "--from", "-", "-f", "json", "--anchors", pki.path("root.pem"), input: Array(list.utf8))
            let report = try JSONDecoder().decode(FetchReport.self, from: Data(run.output))
            #expect(report.hosts.map(\.target) == [api, "127.0.0.1:\(server.port)"])
            #expect(report.hosts.map(\.serverName) == ["api.example.test", nil])
            #expect(try report.hosts.map(\.pins.first) == [pki.pin("leaf-api"), pki.pin("leaf")])
            // It takes precedence over --servername.
            let pins = try fetch(
                api, "127.0.0.1:\(server.port)", "--servername", "localhost", "-k", "-f", "pin", "-s", "leaf")
            #expect(
                try pins.lines == [
                    "\(pki.pin("leaf-api"))  \(api)", "\(pki.pin("leaf"))  127.0.0.1:\(server.port)",
                ])
        }
    }

    /// A writer that pauses delays no host. pinctl processes the lines so far, and a silent host has its time limit.
    @Test func slowListDelaysNoHost() throws {
        try RawPeer.run {
            $0.drain()
        } _: { silent in
            try withServer { server in
                let script = """
                    { echo 127.0.0.1:\(silent.port); echo 127.0.0.1:\(server.port); sleep 3; echo localhost:\(server.port); } |
                    '\(PinctlRun.executable)' fetch --from - -k -f ndjson --timeout 1 |
                    while read -r line; do echo "$(date +%s%N) $line"; done
                    """
                let start =
                    Double(
                        String(decoding: try ChildProcess.output(of: ["date", "+%s%N"]), as: UTF8.self).dropLast()) ?? 0
                let run = try ChildProcess.run(["sh", "-c", script])
                let lines = run.text.split(separator: "\n").map { $0.split(separator: " ", maxSplits: 1) }
                #expect(lines.count == 3, "\(run.text) \(run.errors)")
                let seconds = lines.map { ((Double($0[0]) ?? 0) - start) / 1e9 }
                #expect(lines[0][1].contains(#""target":"127.0.0.1:\#(server.port)""#))
                #expect(seconds[0] < 2)
                #expect(lines[1][1].contains(#""code":"timeout""#))
                #expect(seconds[1] < 2.9)
                #expect(lines[2][1].contains(#""target":"localhost:\#(server.port)""#))
                #expect(seconds[2] >= 3)
            }
        }
    }

    /// Results are printed before the list ends, even in formats with input order.
    @Test func processesListsWithoutAnEnd() throws {
        try withServer { server in
            let script = """
                yes localhost:\(server.port) | '\(PinctlRun.executable)' fetch --from - -k -f pin -s leaf | head -n 700
                """
            let run = try ChildProcess.run(["sh", "-c", script])
            #expect(run.text.split(separator: "\n").count == 700)
            #expect(run.errors.isEmpty || run.errors.hasPrefix("pinctl: "), "\(run.errors)")
        }
    }

    /// Each host is in exactly one part, which does not depend on other hosts.
    @Test func shardsDivideAList() throws {
        try withServer { server in
            let names = (0..<60).map { "h\($0).example.test:\(server.port)" }
            let common = ["-k", "-f", "pin", "-s", "leaf", "--connect-to", "127.0.0.1"]
            var parts: [[String]] = []
            for index in 0..<4 {
                let list = index.isMultiple(of: 2) ? names : names.reversed()
                let run = try PinctlRun.spawn(
                    ["fetch", "--from", "-", "--shard", "\(index)/4"] + common,
                    input: Array((list.joined(separator: "\n") + "\n").utf8))
                #expect(run.status == 0, "\(run)")
                parts.append(run.lines.compactMap { $0.split(separator: " ").last.map(String.init) })
            }
            #expect(parts.flatMap { $0 }.sorted() == names.sorted())
            #expect(parts.allSatisfy { !$0.isEmpty })
            // Computed by another program.
            let script = """
                import hashlib, sys
                for name in sys.argv[1:]:
                    print(int.from_bytes(hashlib.sha256(name.encode()).digest()[:8], "big") % 4)
                """
            let shards = String(
                decoding: try ChildProcess.output(of: ["python3", "-c", script] + names), as: UTF8.self
            )
            .split(separator: "\n").compactMap { Int($0) }
            for (name, shard) in zip(names, shards) { #expect(parts[shard].contains(name)) }
            #expect(shards.count == names.count)
        }
    }

    @Test(arguments: ["4/4", "-1/4", "0/0", "x", "1", "1/2/3"]) func refusesAnInvalidShard(text: String) throws {
        let run = try fetch("localhost", "--shard", text)
        #expect(run.status == 2)
        #expect(run.errors.contains("expected an index from 0 and a number of parts"), "\(run)")
    }

    /// ndjson formats shared certificates once. The output must not show this.
    @Test func ndjsonContainsTheSameAsJSON() throws {
        try withServer { server in
            let arguments = ["127.0.0.1:\(server.port)", "localhost:\(server.port)", "api.example.test:\(server.port)"]
            for anchors in ["root", "other-root"] {
                let common = ["--connect-to", "127.0.0.1", "--anchors", pki.path("\(anchors).pem"), "-j", "1"]
                let document = try PinctlRun.spawn(["fetch", "-f", "json"] + arguments + common)
                let lines = try PinctlRun.spawn(["fetch", "-f", "ndjson"] + arguments + common)
                let report = try JSONSerialization.jsonObject(with: Data(document.output)) as? [String: Any]
                let hosts = try #require(report?["hosts"] as? [NSDictionary])
                let objects = try lines.lines.map {
                    try #require(JSONSerialization.jsonObject(with: Data($0.utf8)) as? NSDictionary)
                }
                #expect(hosts.count == 3)
                #expect(objects == hosts)
            }
        }
    }

    /// A report larger than the buffer is written to its file completely, and no temporary file remains.
    @Test func largeReportInAFile() throws {
        try withServer { server in
            let arguments = [
                "10.0.0.0/25:\(server.port)", "-k", "--connect-to", "127.0.0.1", "-j", "32", "-o", "all.json",
            ]
            let run = try PinctlRun.spawn(["fetch"] + arguments, folder: folder.url)
            #expect(run.status == 0, "\(run)")
            try #expect(folder.names() == ["all.json"])
            let bytes = try folder.bytes("all.json")
            #expect(bytes.count > 200_000)
            try #expect(JSONDecoder().decode(FetchReport.self, from: Data(bytes)).hosts.count == 128)
        }
    }
}
