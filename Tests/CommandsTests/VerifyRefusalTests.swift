import Foundation
import InProcessRuns
import TestSupport
import Testing

/// Usage errors of `pinctl verify`: exit status 2, no standard output, no connection.
@Suite(.blocking) struct VerifyRefusalTests {
    private static let pin = "C5+lpZ7tcVwmwQIMcRtPbsQtWLABXhQzejna0wHFr8M="
    private static let set = #"{"version":1,"hosts":{"a.example.com":["\#(pin)"],"b.example.com":["\#(pin)"]}}"#

    private func refusal(_ arguments: String..., input: String = set) async throws -> [String] {
        let run = try PinctlRun.inProcess(["verify"] + arguments, input: Array(input.utf8))
        #expect(run.text == "")
        #expect(run.status == 2)
        return run.errorLines.map { String($0.trimmingPrefix("pinctl: ")) }
    }

    @Test func needsAPinSet() async throws {
        #expect(
            try await refusal() == [
                #"error: verify needs the option "--pins FILE""#, #"hint: run "pinctl verify --help" for the usage"#,
            ]
        )
        #expect(try await refusal("--pins", "nowhere.json") == [#"error: there is no file "nowhere.json""#])
        #expect(try await refusal("--pins", "/").first == #"error: "/" is a folder: expected a file"#)
    }

    @Test func rejectsInsecure() async throws {
        #expect(
            try await refusal("--pins", "-", "--insecure") == [
                #"error: verify has no option "--insecure""#,
                "hint: if you trust this CA, use --anchors FILE; only fetch shows pins of untrusted chains (--insecure)",
            ]
        )
    }

    @Test(arguments: [
        (#"{"version":1,"hosts":{"a.example.com":{"pins":[]}}}"#, "1:47"),
        ("{\"version\":1,\n \"hosts\":{\"https://a.example.com\":[\"\(pin)\"]}}", "2:11"),
        (#"{"version":1,"hosts":{"a.example.com":["47DEQpj8HBSa+/TImW+5JCeuQeRkm5NMpJWZG3hSuFU="]}}"#, "1:40"),
        (#"{"version":2,"hosts":{}}"#, "1:12"),
    ])
    func reportsThePositionOfAnErrorInTheSet(set: String, place: String) async throws {
        let lines = try await refusal("--pins", "-", input: set)
        #expect(lines.first?.hasPrefix("error: standard input:\(place): ") == true, "\(lines)")
        #expect(lines.last?.hasPrefix("hint: ") == true)
    }

    @Test func reportsTheFileOfAnError() async throws {
        let file = FileManager.default.temporaryDirectory.appending(path: "\(UUID().uuidString).json")
        defer { try? FileManager.default.removeItem(at: file) }
        try Data("-----BEGIN".utf8).write(to: file)
        let lines = try await refusal("--pins", file.path())
        #expect(lines.first == "error: \(file.path()): the file is not a pin set in a known format")
        #expect(lines.last?.hasPrefix("hint: use a pin set in JSON such as ") == true)
    }

    @Test func reportsAnEmptySet() async throws {
        let lines = try await refusal("--pins", "-", input: #"{"version":1,"hosts":{}}"#)
        #expect(lines == ["error: the pin set has no hosts to verify"])
    }

    @Test func acceptsOneHostForASavedChain() async throws {
        let hint = "hint: add the HOST that the chain is for"
        #expect(
            try await refusal("--pins", "-", "--chain", "x.pem") == [
                #"error: "--chain x.pem" is the chain of one host: the pin set has 2"#, hint,
            ]
        )
        #expect(
            try await refusal("--pins", "-", "--chain", "x.pem", "a.example.com", "b.example.com") == [
                #"error: "--chain x.pem" is the chain of one host: 2 were given"#, hint,
            ]
        )
        #expect(
            try await refusal("--pins", "-", "--chain", "nowhere.pem", "a.example.com")
                == [#"error: there is no file "nowhere.pem""#]
        )
    }

    @Test(arguments: [
        ["--timeout", "3"], ["--connect-to", "127.0.0.1"], ["--servername", "x.test"], ["-4"], ["-6"], ["--jobs", "2"],
        ["--tls-min", "1.2"], ["--tls-max", "1.2"], ["--alpn", "h2"], ["--from", "hosts.txt"],
    ])
    func connectsToNoHostForASavedChain(option: [String]) async throws {
        let run = try PinctlRun.inProcess(["verify", "--pins", "-", "--chain", "x.pem"] + option)
        let spelling = ["-4": "-4", "-6": "-6"][option[0]] ?? option[0]
        #expect(run.errors == "pinctl: error: \"--chain\" and \"\(spelling)\" cannot be used together\n")
        #expect(run.status == 2)
    }

    @Test func readsStandardInputOnce() async throws {
        #expect(
            try await refusal("--pins", "-", "--chain", "-", "a.example.com")
                == [#"error: "--pins -" and "--chain -" cannot both read standard input"#]
        )
        #expect(
            try await refusal("--pins", "-", "--from", "-")
                == [#"error: "--pins -" and "--from -" cannot both read standard input"#]
        )
    }

    @Test func serverNameRequiresOneHost() async throws {
        #expect(
            try await refusal("--pins", "-", "--servername", "a.example.com") == [
                #"error: "--servername" needs a HOST: otherwise all hosts of the pin set would be checked for one name"#
            ]
        )
    }

    @Test func systemAnchorsRequireAnchors() async throws {
        let lines = try await refusal("--pins", "-", "--system-anchors", "a.example.com")
        #expect(lines.first?.hasPrefix(#"error: "--system-anchors" needs "--anchors""#) == true)
    }

    @Test func rejectsAFileWithoutAChain() async throws {
        let pki = try TestPKI.shared()
        let key = try await refusal("--pins", "-", "--chain", pki.path("leaf.key"), "a.example.com")
        #expect(key == [#"error: "\#(pki.path("leaf.key"))" contains no certificate in PEM or DER"#])
    }

    /// The address has no listener, and pinctl does not connect: the verdict needs no chain.
    @Test func contactsNoHostWithoutPins() async throws {
        let run = try PinctlRun.inProcess(
            ["verify", "--pins", "-", "--connect-to", "127.0.0.1:1", "aa.example.com", "--format", "ndjson"],
            input: Array(Self.set.utf8)
        )
        #expect(run.text.contains(#""verdict":"no-pins""#))
        #expect(run.text.contains(#""error":null"#))
        #expect(run.status == 1)
    }

    @Test func failureTakesPrecedenceOverUndecided() async throws {
        let flags = ["verify", "--pins", "-", "--connect-to", "127.0.0.1:1"]
        let unreachable = try PinctlRun.inProcess(flags, input: Array(Self.set.utf8))
        #expect(unreachable.text == "")
        #expect(unreachable.errorLines.count == 3)
        #expect(
            unreachable.errorLines.last?.hasPrefix(
                "pinctl: 2 of 2 hosts fail: a.example.com:443 (unreachable), b.example.com:443 (unreachable); next: ")
                == true)
        #expect(unreachable.status == 3)
        let both = try PinctlRun.inProcess(flags + ["a.example.com", "c.example.org"], input: Array(Self.set.utf8))
        // Usage errors take precedence.
        #expect(
            both.errorLines.last
                == "pinctl: 2 of 2 hosts fail: a.example.com:443 (unreachable), c.example.org:443 (no-pins); "
                + "next: add pins for these hosts to the pin set, or omit the hosts")
        #expect(both.status == 1)
    }
}
