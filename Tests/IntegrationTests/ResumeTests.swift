import Foundation
import Synchronization
import TestSupport
import Testing

/// A stopped run continues where it stopped, and its file contains no host twice.
@Suite(.blocking) struct ResumeTests {
    let pki: TestPKI
    let folder: TemporaryFolder

    init() throws {
        pki = try TestPKI.shared()
        folder = try TemporaryFolder("resume")
    }

    private func withServer(_ body: (ServerProcess) throws -> Void) throws {
        defer { folder.remove() }
        try Nginx.run {
            Nginx.host($0, "leaf")
        } _: {
            try body($0)
        }
    }

    /// The targets of the file, whose lines must be complete.
    private func targets(in name: String = "results.ndjson") throws -> [String] {
        let text = try folder.text(name)
        #expect(text.isEmpty || text.hasSuffix("\n"))
        return try text.split(separator: "\n").map {
            try JSONDecoder().decode(FetchReport.Host.self, from: Data($0.utf8)).target
        }
    }

    private func fileSize() throws -> Int {
        (try FileManager.default.attributesOfItem(atPath: folder.path("results.ndjson"))[.size] as? Int) ?? 0
    }

    /// The limit of the shell is 1,024 bytes, and a line is longer. Later there is space.
    @Test func aLineThatDoesNotFitIsRemoved() throws {
        try withServer { server in
            let command =
                "trap '' XFSZ; '\(PinctlRun.executable)' fetch \(server.localhost) --anchors '\(pki.path("root.pem"))'"
                + " --resume results.ndjson"
            let full = try ChildProcess.run(
                ["bash", "-c", "ulimit -f 1; " + command], environment: TestEnvironment.base, folder: folder.url)
            #expect(full.end == .exit(3) && full.errors.contains("file too large"), "\(full.errors)")
            try #expect(fileSize() == 0)
            let later = try ChildProcess.run(
                ["bash", "-c", command], environment: TestEnvironment.base, folder: folder.url)
            #expect(later.end == .exit(0), "\(later.errors)")
            try #expect(targets() == [server.localhost])
        }
    }

    /// Twenty runs that are killed at random times, and one that finishes.
    @Test func killedAtAnyMoment() throws {
        try withServer { server in
            // A refused connection is a result, too.
            let dead = try LoopbackSocket()
            defer { withExtendedLifetime(dead) {} }
            let names = (0..<900).map {
                $0.isMultiple(of: 7) ? "127.0.1.\($0 % 250):\(dead.port)" : "h\($0).example.test:\(server.port)"
            }
            let expected = Set(names)
            let list = try folder.write(names.joined(separator: "\n") + "\n", to: "hosts.txt")
            let command = [
                PinctlRun.executable, "fetch", "--from", list, "--resume", folder.path("results.ndjson"), "-k", "-j",
                "16",
                "--connect-to", "127.0.0.1",
            ]
            var generator = SystemRandomNumberGenerator()
            var sizes: [Int] = []
            try folder.write("", to: "results.ndjson")
            for round in 0..<20 {
                let process = try ChildProcess(command, environment: TestEnvironment.base)
                // Some runs are killed at their start, but most after they wrote results. The times depend on the machine.
                let size = sizes.last ?? 0
                let deadline = ContinuousClock.now + .seconds(10)
                while !round.isMultiple(of: 4), try fileSize() == size, process.isRunning,
                    ContinuousClock.now < deadline
                {
                    usleep(500)
                }
                usleep(UInt32.random(in: 0...40_000, using: &generator))
                process.send(SIGKILL)
                #expect(process.wait(atMost: .seconds(10)) != nil)
                sizes.append(try fileSize())
            }
            // Runs between the first and the last wrote results.
            #expect((sizes.last ?? 0) > (sizes.first ?? 0))
            let last = try ChildProcess.run(command)
            #expect(last.end == .exit(3) || last.end == .exit(0), "\(last.errors)")
            let found = try targets()
            #expect(found.count == expected.count)
            #expect(Set(found) == expected)
            // Another run has no host left.
            let size = try folder.bytes("results.ndjson").count
            let again = try ChildProcess.run(command)
            #expect(again.end == .exit(0), "\(again.errors)")
            #expect(again.errors == "pinctl: 0 hosts: \(names.count) skipped (already in the file)\n")
            try #expect(folder.bytes("results.ndjson").count == size)
        }
    }

    /// An incomplete last line is repeated, and the earlier lines stay.
    @Test(arguments: [1, 2, 30, 400]) func repeatsAnIncompleteLine(missing: Int) throws {
        try withServer { server in
            let names = (0..<5).map { "h\($0).example.test:\(server.port)" }
            let arguments = ["fetch"] + names + ["-k", "-j", "1", "--connect-to", "127.0.0.1", "--resume", "r.ndjson"]
            try #expect(PinctlRun.spawn(arguments, folder: folder.url).status == 0)
            let whole = try folder.bytes("r.ndjson")
            try folder.write(whole.dropLast(missing), to: "r.ndjson")
            let run = try PinctlRun.spawn(arguments, folder: folder.url)
            #expect(run.status == 0, "\(run)")
            // A line without its line feed is complete.
            let summary = missing == 1 ? "0 hosts: 5 skipped" : "1 host: 1 not trusted, 4 skipped"
            #expect(run.errors == "pinctl: \(summary) (already in the file)\n")
            #expect(run.output.isEmpty)
            try #expect(targets(in: "r.ndjson") == names)
        }
    }

    /// A list can contain a host twice, even with two spellings. The file contains it once.
    @Test func sameHostTwice() throws {
        try withServer { server in
            let run = try fetch(
                "a.example.test:\(server.port)", "A.example.test.:\(server.port)", "a.example.test:\(server.port)",
                "-k",
                "--connect-to", "127.0.0.1", "--resume", "r.ndjson", folder: folder.url)
            #expect(run.status == 0, "\(run)")
            try #expect(targets(in: "r.ndjson") == ["a.example.test:\(server.port)"])
        }
    }

    @Test func verifyResumes() throws {
        try withServer { server in
            let pins =
                #"{ "version": 1, "hosts": { "example.test": { "subdomains": "all", "pins": ["\#(try pki.pin("leaf"))"] } } }"#
            try folder.write(pins, to: "pins.json")
            let names = (0..<6).map { "h\($0).example.test:\(server.port)" }
            func verify(_ hosts: ArraySlice<String>) throws -> PinctlRun {
                try PinctlRun.spawn(
                    ["verify", "--pins", "pins.json", "--anchors", pki.path("root.pem"), "--connect-to", "127.0.0.1"]
                        + ["--resume", "v.ndjson", "elsewhere.example"] + hosts, folder: folder.url)
            }
            #expect(try verify(names[..<3]).status == 1)
            let run = try verify(names[...])
            #expect(run.errors.hasSuffix("4 skipped (already in the file)\n"), "\(run)")
            let lines = try folder.text("v.ndjson").split(separator: "\n")
            #expect(lines.count == 7)
            #expect(lines.count { $0.contains(#""verdict":"no-pins""#) } == 1)
            for name in names { #expect(lines.count { $0.hasPrefix(#"{"target":"\#(name)","#) } == 1) }
        }
    }

    /// A file without line feeds is not read to its end. This one has only a start on the disk.
    @Test(arguments: ["", "{\"target\":\"a.example:443\""]) func refusesALargeFileOfAnotherFormat(start: String) throws
    {
        defer { folder.remove() }
        try folder.write(start, to: "image")
        let file = try FileHandle(forUpdating: folder.url.appending(path: "image"))
        try file.truncate(atOffset: 1 << 40)
        try file.close()
        let run = try fetch("localhost", "--resume", "image", folder: folder.url)
        #expect(run.status == 2, "\(run)")
        #expect(run.errors.hasPrefix("pinctl: error: line 1 of \"image\" is not a complete line"), "\(run)")
    }

    @Test func refusesAFileOfAnotherFormat() throws {
        defer { folder.remove() }
        let text = "{\"target\":\"a.example:443\",\"error\":null}\n# notes\n"
        try folder.write(text, to: "notes.txt")
        let run = try fetch("localhost", "--resume", "notes.txt", folder: folder.url)
        #expect(run.status == 2, "\(run)")
        #expect(
            run.errors.hasPrefix("pinctl: error: line 2 of \"notes.txt\" is not a complete line of an ndjson report\n"),
            "\(run)")
        try #expect(folder.text("notes.txt") == text)
        for arguments in [["-f", "json"], ["-o", "out.json"]] {
            let run = try PinctlRun.spawn(
                ["fetch", "localhost", "--resume", "new.ndjson"] + arguments, folder: folder.url)
            #expect(run.status == 2, "\(run)")
        }
    }

    /// A run with the file r.ndjson, and for `verify` with a set for 127.0.0.1.
    private func resume(_ command: String, _ targets: [String]) throws -> PinctlRun {
        try folder.write(
            #"{"version":1,"hosts":{"127.0.0.1":["C5+lpZ7tcVwmwQIMcRtPbsQtWLABXhQzejna0wHFr8M="]}}"#, to: "pins.json")
        let options = command == "verify" ? ["--pins", "pins.json"] : []
        return try PinctlRun.spawn([command] + targets + ["--resume", "r.ndjson"] + options, folder: folder.url)
    }

    /// A line that was cut off, although an editor or `cat` completed its end, has no result of its target.
    @Test(arguments: ["fetch", "verify"]) func refusesALineWithoutItsResult(command: String) throws {
        defer { folder.remove() }
        func run() throws -> PinctlRun { try resume(command, ["127.0.0.1:1", "127.0.0.1:2"]) }
        try #expect(run().status == 3)
        let lines = try folder.text("r.ndjson").split(separator: "\n").map(String.init)
        try #require(lines.count == 2)
        let field = command == "verify" ? #""verdict":"unreachable","# : #","error":{"code":"refused","#
        let cut = [22, 60, 200, lines[0].utf8.count - 1].map { String(lines[0].prefix($0)) }
        for line in cut + [lines[0] + "}", lines[0] + lines[1], lines[0].replacing(field, with: ",\"other\":{")] {
            for text in ["\(line)\n\(lines[1])\n", "\(lines[1])\n\(line)\n", "\(lines[1])\n\(line)\(lines[0])\n"] {
                try folder.write(text, to: "r.ndjson")
                let again = try run()
                let number = text.hasPrefix(lines[1]) ? 2 : 1
                #expect(again.status == 2, "\(line): \(again)")
                #expect(
                    again.errors.hasPrefix(
                        "pinctl: error: line \(number) of \"r.ndjson\" is not a complete line of an ndjson report\n"),
                    "\(line): \(again)")
                try #expect(folder.text("r.ndjson") == text)
            }
        }
        // An editor of another system ends lines with CR LF.
        try folder.write("\(lines[0])\r\n\(lines[1])\r\n", to: "r.ndjson")
        let last = try run()
        #expect(last.status == 0 && last.errors.contains("2 skipped"), "\(last)")
    }

    /// The targets of the other command have no result of this one.
    @Test func refusesAFileOfAnotherCommand() throws {
        defer { folder.remove() }
        try folder.write(
            #"{"version":1,"hosts":{"a.example":["C5+lpZ7tcVwmwQIMcRtPbsQtWLABXhQzejna0wHFr8M="]}}"#, to: "pins.json")
        let verify = ["verify", "--pins", "pins.json"]
        let target = ["a.example", "--connect-to", "127.0.0.1:1", "--resume", "r.ndjson"]
        for (first, second, name) in [(["fetch"], verify, "fetch"), (verify, ["fetch"], "verify")] {
            let earlier = try PinctlRun.spawn(first + target, folder: folder.url)
            #expect(earlier.status == 3, "\(earlier)")
            let text = try folder.text("r.ndjson")
            let run = try PinctlRun.spawn(second + target, folder: folder.url)
            #expect(run.status == 2 && run.errors.contains("is a result of pinctl \(name)"), "\(run)")
            try #expect(folder.text("r.ndjson") == text)
            try FileManager.default.removeItem(atPath: folder.path("r.ndjson"))
        }
    }

    /// A last line without a line feed is removed only if it is the rest of a report after complete lines.
    @Test(arguments: [
        #"{"version":1,"hosts":{}}"#, "my notes", "{\"target\":\"a.example:443\"}\nmy notes", "{", "{\"tar",
        "{\"target\":\"a.example:443\",\"chain\":", "{\"target\":\"my notes", "{\"target\":\"a\\u0062",
        "{\"target\":\"a.example:443\",\"addressNumber\":null,\"chain", #"{"target":"a.example:443","level":"info"}"#,
        "{\"target\":\"a.example:443\",\"addressNumber\":null,\"addressCount\":null,\"chainNumber\":null,\"chainCount\":null,\"host\":",
    ]) func keepsFilesOfOtherPrograms(text: String) throws {
        defer { folder.remove() }
        try folder.write(text, to: "mine")
        let run = try fetch("127.0.0.1:1", "--resume", "mine", folder: folder.url)
        #expect(run.status == 2, "\(run)")
        try #expect(folder.text("mine") == text)
    }

    /// The first result of a run, of which only a part was written.
    @Test(arguments: ["fetch", "verify"]) func repeatsAnIncompleteFirstLine(command: String) throws {
        defer { folder.remove() }
        func run() throws -> PinctlRun { try resume(command, ["127.0.0.1:1"]) }
        let first = try run()
        #expect(first.status == 3, "\(first)")
        let whole = try folder.bytes("r.ndjson")
        let head = #"{"target":""#.utf8.count
        for count in Array(1...150) + [300, whole.count - 2] {
            try folder.write(whole.prefix(count), to: "r.ndjson")
            let again = try run()
            #expect(again.status == (count < head ? 2 : 3), "\(count): \(again)")
            try #expect(
                folder.bytes("r.ndjson") == (count < head ? Array(whole.prefix(count)) : Array(whole)), "\(count)")
        }
    }

    /// The only line may lack its line feed, because an editor removed it.
    @Test func keepsOneLineWithoutALineFeed() throws {
        try withServer { server in
            let target = "a.example.test:\(server.port)"
            let fields = ["addressNumber", "addressCount", "chainNumber", "chainCount", "proven", "error"]
            let line = "{\"target\":\"\(target)\"" + fields.map { ",\"\($0)\":null" }.joined() + "}"
            try folder.write(line, to: "r.ndjson")
            let run = try fetch(target, "-k", "--connect-to", "127.0.0.1", "--resume", "r.ndjson", folder: folder.url)
            #expect(run.status == 0 && run.errors.contains("1 skipped"), "\(run)")
            try #expect(folder.text("r.ndjson") == line + "\n")
        }
    }

    /// A device or pipe never ends, or loses the data that was read from it.
    @Test(arguments: ["/dev/zero", "/dev/null", "pipe"]) func refusesWhatIsNotAFile(path: String) throws {
        defer { folder.remove() }
        _ = try ChildProcess.output(of: ["mkfifo", folder.path("pipe")])
        let run = try fetch("127.0.0.1:1", "--resume", path, folder: folder.url)
        #expect(run.status == 2, "\(run)")
        #expect(run.errors.contains("\"--resume \(path)\": not a regular file"), "\(run)")
    }

    /// The results of the run would be in a file without a name.
    @Test(arguments: ["rm r.ndjson", "cp r.ndjson new; mv new r.ndjson"]) func fileThatIsReplaced(command: String)
        throws
    {
        defer { folder.remove() }
        let directory = folder.url
        try RawPeer.run { _ in
            _ = try? ChildProcess.output(of: ["sh", "-c", command], folder: directory)
        } _: { peer in
            let run = try fetch(peer.endpoint, "--resume", "r.ndjson", folder: folder.url)
            #expect(run.status == 3, "\(run)")
            #expect(run.errors.contains("another process removed, replaced or changed \"r.ndjson\""), "\(run)")
        }
    }

    /// Two runs that append to one file would process each host twice.
    @Test func fileOfAnotherRun() throws {
        let isConnected = Mutex(false)
        try RawPeer.run {
            isConnected.withLock { $0 = true }
            $0.drain()
        } _: { silent in
            defer { folder.remove() }
            func command(_ target: String) -> [String] {
                [PinctlRun.executable, "fetch", target, "--resume", folder.path("r.ndjson")]
            }
            let first = try ChildProcess(command(silent.endpoint), environment: TestEnvironment.base)
            defer { first.stop() }
            let deadline = ContinuousClock.now + .seconds(20)
            while !isConnected.withLock({ $0 }), ContinuousClock.now < deadline { usleep(10_000) }
            let second = try ChildProcess.run(command("127.0.0.1:1"))
            #expect(second.end == .exit(2))
            #expect(second.errors.hasPrefix("pinctl: error: another run is writing to "), "\(second.errors)")
        }
    }
}
