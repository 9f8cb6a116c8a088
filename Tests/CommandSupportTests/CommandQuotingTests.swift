import Foundation
import InProcessRuns
import TestSupport
import Testing

/// A message with a command names files as a shell reads them. A repository can contain a file with any name.
@Suite(.blocking) struct CommandQuotingTests {
    /// The name has a space, a semicolon, an apostrophe, quotes and a substitution.
    private static let name = #"my 's"e"t;touch INJECTED;$(touch INJECTED)"#

    let folder: TemporaryFolder

    init() throws { folder = try TemporaryFolder("quoting") }

    private func run(_ arguments: String..., input: String = "") throws -> PinctlRun {
        try PinctlRun.inProcess(arguments, input: Array(input.utf8), folder: folder.url)
    }

    /// The words of the command that begins with some words, as bash reads them.
    private func words(of run: PinctlRun, from start: String) throws -> [String] {
        let text = run.text + run.errors
        let line = try #require(
            text.split(separator: "\n").first { $0.contains(start) }, "\(run)")
        let first = try #require(line.firstRange(of: start)?.lowerBound)
        let script = "pinctl() { printf '%s\\0' \"$@\"; }; \(line[first...])"
        let shell = try ChildProcess.run(["bash", "-c", script], folder: folder.url)
        #expect(shell.end == .exit(0), "\(script): \(shell.errors)")
        try #expect(!folder.names().contains("INJECTED"), "\(script)")
        return shell.text.split(separator: "\0", omittingEmptySubsequences: false).dropLast().map { String($0) }
    }

    private static let pin = "C5+lpZ7tcVwmwQIMcRtPbsQtWLABXhQzejna0wHFr8M="
    private static let set = #"{"version":1,"hosts":{"api.example.com":{"pins":["\#(pin)"]}}}"#

    @Test func sync() throws {
        defer { folder.remove() }
        try folder.write(Self.set, to: "pins.json")
        try folder.write(
            #"{"version":1,"set":"pins.json","copies":[{"file":"z.kt","format":"okhttp"}]}"#, to: Self.name)
        for format in ["text", "json"] {
            let run = try run("sync", "--check", "-f", format, Self.name)
            guard format == "text" else { continue }
            try #expect(words(of: run, from: "pinctl sync --write") == ["sync", "--write", Self.name], "\(run)")
        }
    }

    @Test func keygen() throws {
        defer { folder.remove() }
        let run = try PinctlRun.spawn(["keygen", Self.name, "--no-encrypt"], folder: folder.url)
        try #expect(
            words(of: run, from: "pinctl add")
                == ["add", "--pins", "FILE", "--from-csr", Self.name + ".csr", "HOST"], "\(run)")
    }

    @Test func initOfAnExistingFile() throws {
        defer { folder.remove() }
        try folder.write(Self.set, to: Self.name)
        let run = try run("init", "api.example.com", "--no-backup", "--output", Self.name)
        try #expect(
            words(of: run, from: "pinctl refresh").prefix(4) == ["refresh", "--pins", Self.name, "--write"], "\(run)")
    }

    @Test func convert() throws {
        defer { folder.remove() }
        let backup = #"{"sha256":"hUcFFip1z0GOioWs8QmYV5gIdp2/HK7UBvar+BfuTNU=","role":"leaf","state":"backup"}"#
        try folder.write(
            #"{"version":1,"hosts":{"api.example.com":{"pins":[{"sha256":"\#(Self.pin)","role":"root"},\#(backup)]}}}"#,
            to: Self.name)
        let run = try run("convert", "--to", "apple", Self.name)
        try #expect(
            words(of: run, from: "pinctl add")
                == ["add", "--pins", Self.name, "--backup-authority", "CA", "api.example.com"], "\(run)")
    }

    @Test func diff() throws {
        defer { folder.remove() }
        try folder.write(Self.set, to: Self.name)
        let chain = try TestPKI.shared().path("leaf.pem")
        let run = try run("diff", Self.name, chain)
        try #expect(
            words(of: run, from: "pinctl verify").prefix(6)
                == ["verify", "--pins", Self.name, "--chain", chain, "HOST"], "\(run)")
    }

    @Test func explain() throws {
        defer { folder.remove() }
        let log = """
            javax.net.ssl.SSLPeerUnverifiedException: Certificate pinning failure!
              Peer certificate chain:
                sha256/\(Self.pin): CN=api.example.com
              Pinned certificates for api.example.com:
                sha256/hUcFFip1z0GOioWs8QmYV5gIdp2/HK7UBvar+BfuTNU=
            """
        try folder.write(log, to: Self.name)
        try folder.write(Self.set, to: "pins.json")
        let run = try run("explain", "--offline", Self.name)
        try #expect(words(of: run, from: "pinctl ").contains(Self.name), "\(run)")
    }

    @Test func unknownCommand() throws {
        defer { folder.remove() }
        let run = try run("https://api.example.com/$(touch INJECTED)")
        try #expect(
            words(of: run, from: "pinctl fetch") == ["fetch", "https://api.example.com/$(touch INJECTED)"], "\(run)")
    }
}
