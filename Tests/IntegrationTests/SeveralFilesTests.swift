import Foundation
import TestSupport
import Testing

/// Commands that write several files which belong together: if one of them cannot be written, none is.
@Suite(.blocking, .enabled(if: FaultInjection.isSupported, "LD_PRELOAD is needed")) struct SeveralFilesTests {
    private let pki: TestPKI
    private let folder: TemporaryFolder

    init() throws {
        pki = try TestPKI.shared()
        folder = try TemporaryFolder("several")
    }

    private static let x1 = "C5+lpZ7tcVwmwQIMcRtPbsQtWLABXhQzejna0wHFr8M="
    private static let x2 = "diGVwiVYbubAI3RW4hB9xU8e/CH2GnkuvVFZE8zmgzI="

    /// The files of the folder that the command writes.
    private func contents() throws -> [String: [UInt8]] {
        guard FileManager.default.fileExists(atPath: folder.path("out")) else { return [:] }
        let names = try FileManager.default.contentsOfDirectory(atPath: folder.path("out"))
        return try Dictionary(uniqueKeysWithValues: names.map { ($0, try folder.bytes("out/\($0)")) })
    }

    private func restore(_ files: [String: [UInt8]]) throws {
        for name in try contents().keys { unsafe unlink(folder.path("out/\(name)")) }
        for (name, bytes) in files { try folder.write(bytes, to: "out/\(name)") }
    }

    /// - Parameter other: the pin of a second host.
    private func writeSet(_ first: String, _ second: String, _ other: String) throws {
        try folder.write(
            #"{"version":1,"hosts":{"a.example.com":["\#(first)","\#(second)"],"b.example.com":["\#(other)"]}}"#,
            to: "pins.json")
    }

    private func writeOldSet() throws { try writeSet(Self.x1, Self.x2, Self.x2) }

    private func writeNewSet() throws { try writeSet(pki.pin("leaf"), pki.pin("root"), pki.pin("leaf")) }

    /// Until the first file gets its name, each call can fail without a change.
    ///
    /// - Parameter writesOthers: whether the other files are written if pinctl takes the failure for a change by another process.
    private func check(_ arguments: [String], writesOthers: Bool = false) throws {
        let old = try contents()
        let faults = FaultInjection(folder: folder)
        let (calls, outcome) = try faults.calls(of: arguments)
        #expect(outcome.end == .exit(0), "\(outcome.errors)")
        let new = try contents()
        let changed = new.filter { old[$0.key] != $0.value }.keys
        #expect(changed.count > 1, "\(changed)")
        let firstName = try #require(calls.firstIndex(of: "linkat"))
        #expect(calls[..<firstName].count { $0 == "fsync" } == changed.count)
        for (number, call) in calls.enumerated() {
            for action in [FaultInjection.Action.failure(ENOSPC)] + (call == "write" ? [.shortWrite] : []) {
                try restore(old)
                let outcome = try faults.run(arguments, action, at: number)
                // The output is kept in another file if pinctl takes the failure for a change by another process.
                let found = try contents().filter {
                    !outcome.errors.contains("use the output in \"\(folder.path("out/\($0.key)"))\"")
                }
                let comment: Comment = "\(call) (\(number)): \(action): \(outcome.end) \(outcome.errors)"
                if outcome.end == .exit(0) {
                    for name in changed { #expect(found[name] != nil && found[name] != old[name], comment) }
                } else if number <= firstName,
                    !writesOthers || !outcome.errors.contains("has changed it during this run")
                {
                    #expect(found == old, comment)
                }
                if call != "unlink" { #expect(Set(found.keys).isSubset(of: new.keys), comment) }
            }
        }
    }

    /// The .json file of Chromium refers to the names in the .pins file, which can be those of other keys in another version.
    @Test func convertToChromium() throws {
        defer { folder.remove() }
        let arguments = ["convert", "--to", "chromium", "-o", folder.path("out/"), folder.path("pins.json")]
        try writeOldSet()
        try #expect(PinctlRun.spawn(arguments).status == 0)
        try writeNewSet()
        try check(arguments)
    }

    @Test func syncOfChromium() throws {
        defer { folder.remove() }
        try folder.write("", to: "out/other")
        try folder.write(
            #"{"version":1,"set":"pins.json","copies":[{"file":"out/c.json","format":"chromium"}]}"#, to: "sync.json")
        let arguments = ["sync", "--write", folder.path("sync.json")]
        try writeOldSet()
        try #expect(PinctlRun.spawn(arguments).status == 0)
        try writeNewSet()
        try check(arguments)
    }

    @Test func convertToCertificates() throws {
        defer { folder.remove() }
        try folder.write("", to: "out/other")
        try writeNewSet()
        try check(
            ["convert", "--to", "certificates", "--host", "a.example.com", "--certificates", pki.path("leaf.pem")]
                + ["--certificates", pki.path("root.pem"), "-o", folder.path("out"), folder.path("pins.json")])
    }

    @Test func fetchToAFolder() throws {
        defer { folder.remove() }
        try folder.write("", to: "out/other")
        try Nginx.run {
            Nginx.host($0, "leaf")
        } _: { server in
            try check(
                ["fetch", "-4", "localhost", "--connect-to", server.endpoint, "--anchors", pki.path("root.pem")]
                    + ["-o", folder.path("out/")], writesOthers: true)
        }
    }

    /// The new version of one file would refer to the old version of the other one.
    @Test func convertWhileAnotherProcessChangesAFile() throws {
        defer { folder.remove() }
        try writeOldSet()
        let command = ["convert", "--to", "chromium", "-o", "out/"]
        try #expect(PinctlRun.spawn(command + ["pins.json"], folder: folder.url).status == 0)
        let old = try contents()
        try writeNewSet()
        _ = try ChildProcess.output(of: ["mkfifo", folder.path("pipe")])
        let edited = "transport_security_state_static_pins.json"
        // The shell opens the pipe when pinctl has opened it.
        let writer = try ChildProcess(
            ["sh", "-c", "{ printf edit >out/\(edited); cat pins.json; } >pipe"], environment: TestEnvironment.base,
            folder: folder.url)
        defer { writer.stop() }
        let run = try PinctlRun.spawn(command + ["pipe"], folder: folder.url)
        #expect(run.status == 3 && run.errors.contains("has changed it during this run"), "\(run)")
        #expect(run.errors.contains("hint: run the command again\n"), "\(run)")
        try #expect(contents() == old.merging([edited: Array("edit".utf8)]) { $1 })
    }

    /// The limit is large enough for the file that is written first. A folder that the run created does not stay.
    @Test(arguments: [true, false]) func convertWithoutSpace(exists: Bool) throws {
        defer { folder.remove() }
        let command = ["convert", "--to", "chromium", "-o", "out/", "pins.json"]
        func write(_ pins: [String]) throws {
            let hosts = (0..<60).map { "\"host\($0).example.com\":[\"\(pins[$0 % 2])\"]" }.joined(separator: ",")
            try folder.write("{\"version\":1,\"hosts\":{\(hosts)}}", to: "pins.json")
        }
        try write([Self.x1, Self.x2])
        if exists { try #expect(PinctlRun.spawn(command, folder: folder.url).status == 0) }
        let old = try contents()
        try write([Self.x2, Self.x1])
        let run = try ChildProcess.run(
            ["bash", "-c", #"ulimit -f 4; exec "$0" "$@""#, PinctlRun.executable] + command,
            environment: TestEnvironment.base, folder: folder.url)
        #expect(run.end == .exit(2) && run.errors.contains(".json\": file too large"), "\(run.errors)")
        try #expect(contents() == old)
        try #expect(folder.names() == (exists ? ["out", "pins.json"] : ["pins.json"]))
    }

    /// What is not a regular file cannot be replaced, and opening a FIFO would wait for a reader. A FIFO or a device that the command line
    /// names is written to.
    @Test(arguments: [
        ("mkfifo", "a FIFO"), ("ln -s /dev/null", "a device"),
        (#"python3 -c "import socket, sys; socket.socket(socket.AF_UNIX).bind(sys.argv[1])""#, "a socket"),
    ]) func somethingElseThanAFile(command: String, kind: String) throws {
        defer { folder.remove() }
        try writeNewSet()
        for name in ["transport_security_state_static.pins", "transport_security_state_static_pins.json"] {
            try? FileManager.default.removeItem(atPath: folder.path("out"))
            try FileManager.default.createDirectory(atPath: folder.path("out"), withIntermediateDirectories: false)
            _ = try ChildProcess.output(
                of: ["sh", "-c", "\(command) \(name)"], folder: folder.url.appending(path: "out"))
            let run = try PinctlRun.spawn(
                ["convert", "--to", "chromium", "-o", "out/", "pins.json"], folder: folder.url, atMost: .seconds(10))
            #expect(run.status == 2, "\(run)")
            let reason = "cannot write \"out/\(name)\": it is \(kind), not a regular file\n"
            #expect(run.errors.hasPrefix("pinctl: error: \(reason)pinctl: hint: "), "\(run)")
            try #expect(FileManager.default.contentsOfDirectory(atPath: folder.path("out")) == [name])
        }
    }

    /// All files are open at the same time.
    @Test func moreFilesThanTheSoftLimit() throws {
        defer { folder.remove() }
        try folder.write("", to: "certs/notes")
        let keys = (0..<20).map { "k\($0)" }
        for name in keys {
            _ = try ChildProcess.output(
                of: ["openssl", "req", "-x509", "-newkey", "ec", "-pkeyopt", "ec_paramgen_curve:P-256", "-nodes"]
                    + ["-keyout", "key.pem", "-subj", "/CN=\(name)", "-days", "30", "-out", "certs/\(name).pem"],
                folder: folder.url)
        }
        let pins = try keys.map { try PinctlRun.spawn(["hash", folder.path("certs/\($0).pem")]).text.prefix(44) }
        try folder.write(
            #"{"version":1,"hosts":{"a.example.com":["\#(pins.joined(separator: #"",""#))"]}}"#, to: "pins.json")
        let command =
            ["convert", "--to", "certificates", "--certificates", "certs", "-o", "out/", "pins.json"]
        for (limit, status) in [("-Sn 24", Int32(0)), ("-n 24", 2), ("-Sn 24", 0)] {
            let run = try ChildProcess.run(
                ["bash", "-c", "ulimit \(limit); exec \"$0\" \"$@\"", PinctlRun.executable] + command,
                environment: TestEnvironment.base, folder: folder.url)
            #expect(run.end == .exit(status), "\(run.errors)")
            if status == 2 { #expect(run.errors.contains("hint: raise the limit of open files"), "\(run.errors)") }
            try #expect(contents().count == 20)
        }
    }

    /// Whether a process may mount a folder in its own namespace.
    private static let canMount =
        (try? ChildProcess.run(["unshare", "-m", "mount", "--bind", "/tmp", "/tmp"]).end) == .exit(0)

    /// The file has its own mount, so that no other file can get its name: rename(2) fails with EBUSY.
    @Test(.enabled(if: canMount, "unshare(1) and mount(8) are not permitted")) func aFileThatCannotGetItsName() throws {
        defer { folder.remove() }
        try writeOldSet()
        let command = ["convert", "--to", "chromium", "-o", "out/", "pins.json"]
        try #expect(PinctlRun.spawn(command, folder: folder.url).status == 0)
        try writeNewSet()
        let (first, second) = ("transport_security_state_static.pins", "transport_security_state_static_pins.json")
        try folder.write("", to: "mounted")
        let script = #"mount --bind mounted "out/$1" && shift && "$0" "$@""#
        let run = try ChildProcess.run(
            ["unshare", "-m", "sh", "-c", script, PinctlRun.executable, second] + command,
            environment: TestEnvironment.base, folder: folder.url)
        #expect(run.end == .exit(2), "\(run.errors)")
        let clause = "/out/\(first)\" has its new contents, so run the command again"
        #expect(run.errors.contains(clause), "\(run.errors)")
    }
}
