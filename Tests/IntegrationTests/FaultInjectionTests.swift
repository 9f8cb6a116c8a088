import Foundation
import TestSupport
import Testing

/// Every command that writes a file. At each of its system calls, the call fails, the process is killed, or another process
/// changes the file.
@Suite(.blocking, .enabled(if: FaultInjection.isSupported, "LD_PRELOAD is needed")) struct FaultInjectionTests {
    /// A command and the file that it writes.
    struct Scenario: CustomTestStringConvertible, Sendable {
        let name: String
        /// The file that is written.
        let target: String
        /// The contents of the folder before the run, possibly with `target`.
        var files: [String: String]
        /// The version that another process writes to the target; nil if the target must not exist for the command.
        var edited: String?
        /// What another process appends to the target.
        var appended: String?
        /// What the target must contain after a change by another process.
        var mark: String
        /// Whether the command reads the target. In this case it can change the version of the other process.
        var merges: Bool
        let arguments: @Sendable (_ folder: TemporaryFolder, _ host: String) -> [String]
        var needsServer = true
        /// Files that a run creates next to the target.
        var others: Set<String> = []

        var testDescription: String { name }
    }

    private let pki: TestPKI

    init() throws { pki = try TestPKI.shared() }

    private static func trust(_ folder: TemporaryFolder) -> [String] { ["-4", "--anchors", folder.path("root.pem")] }

    private static func pins(_ more: String = "") -> String {
        #"{"version":1,"hosts":{"localhost":{"pins":[{"sha256":"$WWW","role":"leaf"},{"sha256":"$ROOT","role":"root"}]}"#
            + more + "}}\n"
    }

    private static let android =
        "<network-security-config><!-- a --><domain-config><domain>localhost</domain><pin-set>"
        + "<pin digest=\"SHA-256\">$WWW</pin></pin-set></domain-config></network-security-config>\n"

    static let scenarios = [
        Scenario(
            name: "refresh --write", target: "pins.json", files: ["pins.json": pins()],
            edited: pins(#","person.test":{"pins":["$ROOT"]}"#), appended: "\n \t\n", mark: "person", merges: true,
            arguments: { ["refresh", "--pins", $0.path("pins.json"), "--write", $1] + trust($0) }),
        Scenario(
            name: "add", target: "pins.json", files: ["pins.json": pins()],
            edited: pins(#","person.test":{"pins":["$ROOT"]}"#), appended: "\n \t\n", mark: "person", merges: true,
            arguments: { folder, _ in
                let pin = "C5+lpZ7tcVwmwQIMcRtPbsQtWLABXhQzejna0wHFr8M="
                return ["add", "--pins", folder.path("pins.json"), "--pin", pin, "localhost"]
            }, needsServer: false),
        Scenario(
            name: "retire", target: "pins.json", files: ["pins.json": pins()],
            edited: pins(#","person.test":{"pins":["$ROOT"]}"#), appended: "\n \t\n", mark: "person", merges: true,
            arguments: { folder, _ in
                ["retire", "--pins", folder.path("pins.json"), "--from-cert", folder.path("root.pem"), "localhost"]
            }, needsServer: false),
        Scenario(
            name: "convert --into", target: "config.xml", files: ["pins.json": pins(), "config.xml": android],
            edited: "<!-- person -->" + android, appended: "<!-- person -->\n", mark: "person", merges: true,
            arguments: { folder, _ in
                ["convert", "--to", "android", "--into", folder.path("config.xml"), folder.path("pins.json")]
            }, needsServer: false),
        Scenario(
            name: "sync --write", target: "config.xml",
            files: [
                "pins.json": pins(), "config.xml": android,
                "sync.json": #"{"version":1,"set":"pins.json","copies":[{"file":"config.xml","format":"android"}]}"#,
            ],
            edited: "<!-- person -->" + android, appended: "<!-- person -->\n", mark: "person", merges: true,
            arguments: { folder, _ in ["sync", "--write", folder.path("sync.json")] }, needsServer: false),
        Scenario(
            name: "convert --output", target: "Pins.kt", files: ["pins.json": pins(), "Pins.kt": "// old\n"],
            edited: "// person\n", appended: "// person\n", mark: "person", merges: false,
            arguments: { folder, _ in
                ["convert", "--to", "okhttp", "--output", folder.path("Pins.kt"), folder.path("pins.json")]
            }, needsServer: false),
        Scenario(
            name: "init --output", target: "new.json", files: [:], edited: "person\n", mark: "person", merges: false,
            arguments: { ["init", "--no-backup", "--output", $0.path("new.json"), $1] + trust($0) }),
        Scenario(
            name: "init --overwrite", target: "new.json", files: ["new.json": "old\n"], edited: "person\n",
            appended: "person\n", mark: "person", merges: false,
            arguments: { ["init", "--no-backup", "--overwrite", "--output", $0.path("new.json"), $1] + trust($0) }),
        Scenario(
            name: "fetch --output", target: "out.txt", files: ["out.txt": "old\n"], edited: "person\n",
            appended: "person\n", mark: "person", merges: false,
            arguments: { ["fetch", "--format", "pin", "--output", $0.path("out.txt"), $1] + trust($0) }),
        Scenario(
            name: "fetch --output FOLDER/", target: "certs/localhost-443.leaf.pin", files: ["certs/other": ""],
            edited: "person\n", mark: "person", merges: false,
            arguments: {
                ["fetch", "--format", "pin", "--select", "leaf", "--output", $0.path("certs/"), "localhost"]
                    + ["--connect-to", $1] + trust($0)
            }),
    ]

    // MARK: Tests

    /// The file is either the old version or the new one. A run that succeeds has written the new one.
    @Test(arguments: scenarios) func aFailedCallLeavesAWholeFile(scenario: Scenario) throws {
        try with(scenario) { run in
            for (number, call) in run.calls.enumerated() {
                let actions: [FaultInjection.Action] =
                    call == "write" ? [.failure(ENOSPC), .shortWrite] : [.failure(EIO)]
                for action in actions {
                    try run.prepare()
                    let outcome = try run.faults.run(run.arguments, action, at: number)
                    let comment: Comment = "\(call) (\(number)): \(action): \(outcome.end) \(outcome.errors)"
                    guard case .exit(let status) = outcome.end else {
                        Issue.record(comment)
                        continue
                    }
                    let contents = try run.contents()
                    #expect(contents == run.old || contents == run.new, comment)
                    if status == 0 { #expect(contents == run.new, comment) }
                    // If removing a file fails, the file stays, and the run reports it.
                    let leftovers = try run.leftovers()
                    if call != "unlink" { #expect(leftovers.isEmpty, comment) }
                    for name in leftovers {
                        let isReported = outcome.errors.contains("cannot remove the temporary file")
                        #expect(isReported && outcome.errors.contains(name), comment)
                    }
                }
            }
        }
    }

    /// A process that is killed after a call leaves the same as one that is killed before the next one.
    @Test(arguments: scenarios) func aKilledProcessLeavesAWholeFile(scenario: Scenario) throws {
        try with(scenario) { run in
            for (number, action) in Self.kills(of: run.firstWrite..<run.calls.count) {
                try run.prepare()
                let outcome = try run.faults.run(run.arguments, action, at: number)
                let comment: Comment = "\(run.calls[number]) (\(number)): \(action)"
                #expect(outcome.end == .signal(SIGKILL), comment)
                let contents = try run.contents()
                #expect(contents == run.old || contents == run.new, comment)
                // The next run finds no lock.
                let again = try ChildProcess.run([PinctlRun.executable] + run.arguments)
                if again.end == .exit(0) { try #expect(run.contents() == run.new) }
            }
        }
    }

    /// A kill before each call, and after the last one.
    private static func kills(of calls: Range<Int>) -> [(number: Int, action: FaultInjection.Action)] {
        calls.map { ($0, .killBefore) } + calls.suffix(1).map { ($0, .killAfter) }
    }

    /// Before one of the calls, another process replaces the file or appends to it.
    @Test(arguments: scenarios) func aConcurrentEditIsNotLost(scenario: Scenario) throws {
        try with(scenario) { run in
            let outside = try TemporaryFolder("edit")
            defer { outside.remove() }
            for number in (scenario.merges ? 0 : run.firstWrite)..<run.calls.count {
                for (edit, isWhole) in [(scenario.edited, true), (scenario.appended, false)] {
                    guard let edit else { continue }
                    try run.prepare()
                    let path = try outside.write(run.filled(edit), to: "edit")
                    let target = run.folder.path(scenario.target)
                    let outcome = try run.faults.run(
                        run.arguments,
                        isWhole ? .replace(edit: path, target: target) : .append(edit: path, target: target), at: number
                    )
                    let comment: Comment =
                        "\(run.calls[number]) (\(number)), \(isWhole ? "replaced" : "appended"): \(outcome.end) \(outcome.errors)"
                    let text = String(decoding: try run.contents() ?? [], as: UTF8.self)
                    if isWhole || edit.contains(scenario.mark) {
                        #expect(text.contains(scenario.mark), comment)
                    } else {
                        #expect(text.hasSuffix(edit), comment)
                    }
                    guard case .exit = outcome.end else {
                        Issue.record(comment)
                        continue
                    }
                }
            }
        }
    }

    /// An editor tries to open the old version, and opens the new one before pinctl restores the old one.
    @Test(arguments: scenarios.filter { $0.appended?.contains($0.mark) ?? false })
    func anEditOfTheNewVersionIsNotLost(scenario: Scenario) throws {
        try with(scenario) { run in
            let outside = try TemporaryFolder("edit")
            defer { outside.remove() }
            let path = try outside.write(run.filled(try #require(scenario.appended)), to: "edit")
            for number in run.firstWrite..<run.calls.count {
                try run.prepare()
                let outcome = try run.faults.run(
                    run.arguments, .lateAppend(edit: path, target: run.folder.path(scenario.target)), at: number)
                let comment: Comment = "\(run.calls[number]) (\(number)): \(outcome.end) \(outcome.errors)"
                // The editor waits for the new version to be free, and then opens the name. If the old version has the name at that
                // moment, the edit is in the old version, which pinctl keeps and names.
                let kept = try run.leftovers().filter {
                    outcome.errors.contains("\"\(run.folder.path($0))\" contains the version of one of them")
                }
                let texts = try ([scenario.target] + kept).map { try run.folder.text($0) }
                #expect(texts.contains { $0.contains(scenario.mark) }, comment)
                guard case .exit = outcome.end else {
                    Issue.record(comment)
                    continue
                }
            }
        }
    }

    /// The lines of an earlier run stay. Another run completes the file, so that it has one complete line for each host.
    @Test func resumeCompletesAfterAnyFault() throws {
        let folder = try TemporaryFolder("resume-faults")
        defer { folder.remove() }
        let hosts = (0..<3).map { "127.0.0.1:\($0 + 1)" }
        let arguments = ["fetch", "--timeout", "5", "--resume", folder.path("r.ndjson")] + hosts
        func lines() throws -> [String] { try folder.text("r.ndjson").split(separator: "\n").map(String.init) }
        func isComplete() throws -> Bool {
            let lines = try lines()
            let text = try folder.text("r.ndjson")
            return lines.count == hosts.count && text.hasSuffix("\n")
                && hosts.allSatisfy { host in lines.count { $0.hasPrefix("{\"target\":\"\(host)\",") } == 1 }
        }
        _ = try PinctlRun.spawn(["fetch", "--resume", folder.path("r.ndjson"), hosts[0]])
        let first = try folder.bytes("r.ndjson")
        let faults = FaultInjection(folder: folder)
        let (calls, outcome) = try faults.calls(of: arguments)
        #expect(outcome.end == .exit(3) && calls.contains("write"), "\(outcome.errors)")
        try #expect(isComplete())
        for (number, call) in calls.enumerated() {
            let kills: [FaultInjection.Action] = number + 1 == calls.count ? [.killBefore, .killAfter] : [.killBefore]
            for action in kills + (call == "write" ? [.failure(ENOSPC), .shortWrite] : [.failure(ENOSPC)]) {
                try folder.write(first, to: "r.ndjson")
                _ = try faults.run(arguments, action, at: number)
                try #expect(folder.bytes("r.ndjson").starts(with: first), "\(call) (\(number)): \(action)")
                _ = try PinctlRun.spawn(arguments)
                let text = try folder.text("r.ndjson")
                try #expect(isComplete(), "\(call) (\(number)): \(action): \(text)")
            }
        }
    }

    /// The run leaves both files or neither. If the process is killed, it leaves the complete key or nothing, and never a copy of
    /// the key under another name.
    @Test func keygenLeavesNoPartOfAKey() throws {
        let folder = try TemporaryFolder("keygen-faults")
        defer { folder.remove() }
        let arguments = ["keygen", "--no-encrypt", folder.path("k.key")]
        let faults = FaultInjection(folder: folder)
        let (calls, outcome) = try faults.calls(of: arguments)
        #expect(outcome.end == .exit(0), "\(outcome.errors)")
        try #expect(folder.names() == ["k.csr", "k.key"])
        func empty() throws { for name in try folder.names() { unsafe unlink(folder.path(name)) } }
        func isKey() throws -> Bool {
            try ChildProcess.run(["openssl", "pkey", "-in", folder.path("k.key"), "-noout", "-check"]).end == .exit(0)
        }
        for (number, call) in calls.enumerated() {
            for action in [FaultInjection.Action.failure(EIO), .failure(EOPNOTSUPP), .shortWrite] {
                try empty()
                let outcome = try faults.run(arguments, action, at: number)
                let names = try folder.names()
                let comment: Comment = "\(call) (\(number)): \(action): \(names) \(outcome.errors)"
                if outcome.end == .exit(0) {
                    #expect(names == ["k.csr", "k.key"], comment)
                    try #expect(isKey(), comment)
                } else {
                    #expect(outcome.end == .exit(2), comment)
                    if call != "unlink" { #expect(names.isEmpty, comment) }
                }
            }
        }
        for (number, action) in Self.kills(of: calls.indices) {
            try empty()
            _ = try faults.run(arguments, action, at: number)
            let names = try folder.names()
            let comment: Comment = "\(calls[number]) (\(number)): \(action): \(names)"
            #expect([[], ["k.key"], ["k.csr", "k.key"]].contains(names), comment)
            if !names.isEmpty { try #expect(isKey(), comment) }
        }
    }

    // MARK: Support

    private struct Run {
        let scenario: Scenario
        let folder: TemporaryFolder
        let arguments: [String]
        let faults: FaultInjection
        let pki: TestPKI
        var calls: [String] = []
        /// The number of the call that creates the file with the new contents.
        var firstWrite = 0
        var old: [UInt8]?
        var new: [UInt8]?
        var names: Set<String> = []

        func filled(_ text: String) throws -> String {
            try text.replacing("$WWW", with: pki.pin("leaf-www")).replacing("$ROOT", with: pki.pin("root"))
        }

        /// Restores the contents of the folder.
        func prepare() throws {
            for name in try all() where scenario.files[name] == nil { unsafe unlink(folder.path(name)) }
            for (name, text) in scenario.files { try folder.write(filled(text), to: name) }
            try folder.write(pki.bytes("root.pem"), to: "root.pem")
        }

        func contents() throws -> [UInt8]? {
            try all().contains(scenario.target) ? folder.bytes(scenario.target) : nil
        }

        private func all() throws -> Set<String> {
            let paths = try FileManager.default.subpathsOfDirectory(atPath: folder.path)
            return Set(paths.filter { $0 != "certs" })
        }

        func leftovers() throws -> Set<String> { try all().subtracting(names) }

        mutating func measure() throws {
            try prepare()
            old = try contents()
            let outcome: ChildProcess.Outcome
            (calls, outcome) = try faults.calls(of: arguments)
            #expect(outcome.end == .exit(0), "\(outcome.errors)")
            new = try contents()
            names = try all()
            firstWrite = try #require(calls.firstIndex(of: "write")) - 1
            #expect(new != nil && new != old)
        }
    }

    private func with(_ scenario: Scenario, _ body: (Run) throws -> Void) throws {
        let folder = try TemporaryFolder("faults")
        defer { folder.remove() }
        func run(_ host: String) throws {
            var run = Run(
                scenario: scenario, folder: folder, arguments: scenario.arguments(folder, host),
                faults: FaultInjection(folder: folder), pki: pki)
            try run.measure()
            try body(run)
        }
        guard scenario.needsServer else { return try run("") }
        try Nginx.run {
            Nginx.host($0, "leaf")
        } _: { server in
            try run(server.localhost)
        }
    }
}
