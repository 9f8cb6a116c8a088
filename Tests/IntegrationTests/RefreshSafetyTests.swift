import Foundation
import TestSupport
import Testing

/// The keys that refresh must never learn, and the files that it must never damage.
@Suite(.blocking) struct RefreshSafetyTests {
    let pki: TestPKI
    let folder: TemporaryFolder

    init() throws {
        pki = try TestPKI.shared()
        folder = try TemporaryFolder("refresh-safety")
    }

    // MARK: Interceptions

    /// A trusted CA that the set does not contain.
    @Test func doesNotLearnFromAChainWithoutAMatch() throws {
        try write(key("leaf-www", "leaf"), key("other-root", "root"))
        let before = try folder.bytes("pins.json")
        try Nginx.run {
            Nginx.host($0, "leaf")
        } _: { server in
            let run = try refresh(server, "--write", "--retain", "0", status: 1)
            try #expect(folder.bytes("pins.json") == before)
            #expect(run.text.contains("the connection is intercepted"), "\(run)")
            #expect(run.text.contains("--accept-new localhost"), "\(run)")
            try #expect(run.text.contains(pki.pin("leaf")), "\(run)")
            #expect(run.errorLines.count == 1 && run.errors.contains("(mismatch); next: compare"), "\(run)")
            // With all options.
            try refresh(server, "--check", status: 1)
            try refresh(server, status: 1)
            try #expect(folder.bytes("pins.json") == before)
        }
    }

    @Test func acceptNewLearnsNewKeys() throws {
        try write(key("leaf-www", "leaf"), key("other-root", "root"))
        try Nginx.run {
            Nginx.host($0, "leaf")
        } _: { server in
            let run = try refresh(server, "--write", "--accept-new", "LOCALHOST", status: 0)
            #expect(run.errors.contains("is now up to date"))
            let text = try folder.text("pins.json")
            for name in ["leaf", "root", "leaf-www", "other-root"] { try #expect(text.contains(pki.pin(name))) }
            try #expect(!text.contains(pki.pin("intermediate")))
            #expect(text.components(separatedBy: "goneSince").count == 3)
            try refresh(server, "--check", status: 0)
        }
    }

    /// A lost key that a person retired. The retired root does not prevent that a new leaf is learned.
    @Test(arguments: [("leaf", 1), ("root", 0)] as [(String, Int32)])
    func acceptNewDoesNotReactivateAWithdrawnPin(role: String, status: Int32) throws {
        try write(key(role, role, #", "state": "retired""#), key("leaf-www", "leaf"))
        let before = try folder.bytes("pins.json")
        try Nginx.run {
            Nginx.host($0, "leaf")
        } _: { server in
            let run = try refresh(server, "--write", "--accept-new", "localhost", status: status)
            try #expect((folder.bytes("pins.json") == before) == (status == 1), "\(run)")
            #expect(run.text.contains("was retired by hand") == (status == 1), "\(run)")
            #expect(!run.text.contains("use --accept-new"), "\(run)")
            try #expect(folder.text("pins.json").contains("\"retired\""))
        }
    }

    /// A time in the future would retire pins too early; with a time in the past, an expired chain would be valid.
    @Test(arguments: ["2020-01-01", "2040-01-01"]) func writesNothingForAnotherTime(time: String) throws {
        try write(key("leaf", "leaf"), key("root", "root"))
        let before = try folder.bytes("pins.json")
        let run = try PinctlRun.spawn(
            ["refresh", "--write", "--at", time, "--pins", folder.path("pins.json"), "localhost"])
        #expect(run.status == 2 && run.errors.contains("\"--write\" cannot be used with \"--at\""), "\(run)")
        try #expect(folder.bytes("pins.json") == before)
    }

    /// refresh never learns from an untrusted chain, even with --accept-new and even if a pin matches.
    @Test func neverLearnsFromAnUntrustedChain() throws {
        try write(key("leaf", "leaf"), key("root", "root"), key("leaf-www", "leaf"))
        let before = try folder.bytes("pins.json")
        try Nginx.run {
            Nginx.host($0, "leaf")
        } _: { server in
            let run = try refresh(server, "--write", "--accept-new", "localhost", anchors: "other-root", status: 1)
            #expect(run.text.contains("serves a chain that is not trusted"), "\(run)")
            #expect(run.text.contains("check the anchors of --anchors"), "\(run)")
            try #expect(folder.bytes("pins.json") == before)
        }
        // The next step fits the reason why the chain is untrusted.
        try Nginx.run {
            Nginx.host($0, "leaf-expired")
        } _: { server in
            let run = try refresh(server, "--write", status: 1)
            #expect(run.text.contains("expired on"), "\(run)")
            #expect(run.text.contains("replace the server's certificate"), "\(run)")
            #expect(!run.text.contains("--anchors") && !run.text.contains("intercepted"), "\(run)")
        }
        try #expect(folder.bytes("pins.json") == before)
    }

    /// refresh does not contact subdomains, and a pin that the host no longer uses can belong to one.
    @Test func subdomainsKeepTheirPins() throws {
        let pins = [try key("leaf-www", "leaf"), try key("leaf-api", "leaf")]
        let backup = "{ \"sha256\": \"\(try pki.pin("leaf"))\", \"role\": \"leaf\", \"state\": \"backup\" }"
        try write(pins[0], pins[1], backup, more: " \"subdomains\": \"all\",")
        try Nginx.run {
            Nginx.host($0, "leaf")
        } _: { server in
            let run = try refresh(server, "--write", "--retain", "0", status: 1)
            #expect(run.text.contains("subdomains of the host, which pinctl does not contact, may use it"), "\(run)")
            let text = try folder.text("pins.json")
            #expect(!text.contains("retired") && !text.contains("goneSince"))
        }
    }

    /// A key that another host uses is not a backup.
    @Test(arguments: ["--write", "--check"]) func refusesABackupKeyThatAnotherHostUses(mode: String) throws {
        let other = "\"api.example.com\": { \"pins\": [\(try key("root", "root"))] }"
        try write(key("leaf", "leaf"), key("root", "root"), others: other)
        let before = try folder.bytes("pins.json")
        try Nginx.run {
            Nginx.host($0, "leaf") + Nginx.host($0, "leaf-api", names: "api.example.com")
        } _: { server in
            let hosts = [server.localhost, "\(server.endpoint)=api.example.com"]
            let run = try PinctlRun.spawn(
                ["refresh", "-4", "--assume-complete", "--pins", "pins.json", "--anchors", pki.path("root.pem"), mode]
                    + hosts
                    + ["--from-key", pki.path("leaf-api.key")], folder: folder.url)
            #expect(run.status == 1, "\(run)")
            #expect(run.text.components(separatedBy: "cannot be a backup").count == 3, "\(run)")
            try #expect(folder.bytes("pins.json") == before)
        }
    }

    /// --accept-new for a host does not apply to another name of the same entry.
    @Test func acceptNewAppliesToOneNameOnly() throws {
        try write(key("leaf-www", "leaf"), key("other-root", "root"), more: " \"subdomains\": \"all\",")
        let before = try folder.bytes("pins.json")
        try Nginx.run {
            Nginx.host($0, "leaf")
        } _: { server in
            let other = "\(server.endpoint)=www.localhost"
            let run = try PinctlRun.spawn(
                ["refresh", "--pins", "pins.json", other, "--anchors", pki.path("root.pem"), "--write"]
                    + ["--accept-new", "localhost"], folder: folder.url)
            #expect(run.status == 2 && run.errors.contains("add it as a HOST"), "\(run)")
            try #expect(folder.bytes("pins.json") == before)
        }
    }

    /// A server appends the pinned certificate without having its key (CVE-2016-2402).
    @Test func appendedCertificateDoesNotMatch() throws {
        try write(key("other-root", "root"))
        let before = try folder.bytes("pins.json")
        try OpenSSLServer.run("leaf", chain: "leaf.extra.pem") { server in
            let run = try refresh(server, "--write", status: 1)
            #expect(run.text.contains("no pin matches"))
            try #expect(folder.bytes("pins.json") == before)
        }
    }

    @Test(.enabled(if: Mitmproxy.isExpected, "\(Mitmproxy.absence)"))
    func doesNotLearnFromMitmproxy() throws {
        try write(key("leaf", "leaf"), key("root", "root"))
        let before = try folder.bytes("pins.json")
        try Nginx.run {
            Nginx.host($0, "leaf")
        } _: { server in
            try Mitmproxy.run(inFrontOf: server) { proxy in
                // Its CA is installed, as on a managed machine, so only the pins detect it.
                let arguments = ["localhost:\(proxy.port)", "--write", "--retain", "0", "--anchors", proxy.authority]
                let run = try refresh(arguments, status: 1)
                #expect(run.text.contains("mitmproxy") && run.text.contains("is intercepted"), "\(run)")
                try #expect(folder.bytes("pins.json") == before)
                // Without the CA, the chain does not validate.
                let other = try refresh(["localhost:\(proxy.port)", "--write"], status: 1)
                #expect(other.text.contains("not trusted"), "\(other)")
                try #expect(folder.bytes("pins.json") == before)
            }
        }
    }

    /// A key of the live chain is not a backup, in the path or among the extra certificates.
    @Test(arguments: ["leaf", "root", "intermediate"]) func refusesABackupKeyThatIsInUse(name: String) throws {
        try write(key("root", "root"))
        let before = try folder.bytes("pins.json")
        try Nginx.run {
            Nginx.host($0, "leaf")
        } _: { server in
            let run = try refresh(server, "--write", "--from-key", pki.path("\(name).key"), status: 1)
            #expect(run.text.contains("cannot be a backup: it is in a chain of a host"), "\(run)")
            try #expect(folder.bytes("pins.json") == before)
            try refresh(server, "--write", "--from-key", pki.path("leaf-www.key"), status: 0)
            try #expect(folder.text("pins.json").contains(try pki.pin("leaf-www")))
            // A second run adds nothing.
            try refresh(server, "--check", "--from-key", pki.path("leaf-www.key"), status: 0)
        }
    }

    // MARK: Writing

    @Test func keepsOwnerModeAndLink() throws {
        try write(key("leaf-www", "leaf"), key("root", "root"), to: "real/set.json")
        let real = folder.path("real/set.json")
        try FileManager.default.createSymbolicLink(
            atPath: folder.path("pins.json"), withDestinationPath: "real/set.json")
        var attributes: [FileAttributeKey: Any] = [.posixPermissions: 0o640]
        if geteuid() == 0 {
            attributes[.ownerAccountID] = 65534
            attributes[.groupOwnerAccountID] = 65533
        }
        try FileManager.default.setAttributes(attributes, ofItemAtPath: real)
        try Nginx.run {
            Nginx.host($0, "leaf")
        } _: { server in
            _ = try refresh(server, "--write", status: 0)
        }
        try #expect(folder.text("real/set.json").contains(try pki.pin("leaf")))
        try #expect(FileManager.default.destinationOfSymbolicLink(atPath: folder.path("pins.json")) == "real/set.json")
        let after = try FileManager.default.attributesOfItem(atPath: real)
        for (key, value) in attributes { #expect(after[key] as? Int == value as? Int, "\(key)") }
        try #expect(folder.names() == ["pins.json", "real"])
        try #expect(FileManager.default.contentsOfDirectory(atPath: folder.path("real")) == ["set.json"])
    }

    /// A limit on the file size simulates a full disk: the new file cannot be written completely.
    @Test(
        .disabled(
            if: TestEnvironment.sanitizer == "thread",
            "ThreadSanitizer ends a process with such a limit by a bus error"))
    func failedWriteLeavesTheOldFile() throws {
        let padding = String(repeating: " ", count: 4000)
        try write(key("leaf-www", "leaf"), key("root", "root"), more: padding)
        let before = try folder.bytes("pins.json")
        try Nginx.run {
            Nginx.host($0, "leaf")
        } _: { server in
            let command = #"ulimit -f 2; exec "$0" "$@""#
            let outcome = try ChildProcess.run(
                ["bash", "-c", command, PinctlRun.executable] + arguments(server, ["--write"]),
                environment: TestEnvironment.base, folder: folder.url)
            #expect(outcome.end == .exit(3), "\(outcome.errors)")
            #expect(outcome.errors.contains("cannot change \"pins.json\": file too large"), "\(outcome.errors)")
        }
        try #expect(folder.bytes("pins.json") == before)
        try #expect(folder.names() == ["pins.json"])
    }

    @Test(.enabled(if: geteuid() == 0, "only root can become somebody else"))
    func refusesUnwritableFilesBeforeConnecting() throws {
        try write(key("leaf-www", "leaf"))
        for mode in [0o755, 0o777] {
            try FileManager.default.setAttributes([.posixPermissions: mode], ofItemAtPath: folder.path)
            let outcome = try ChildProcess.run(
                [
                    "setpriv", "--reuid=65534", "--regid=65534", "--clear-groups", PinctlRun.executable, "refresh",
                    "--pins",
                    folder.path("pins.json"), "--write", "localhost:1",
                ], environment: TestEnvironment.base)
            #expect(outcome.end == .exit(2))
            #expect(outcome.errors.contains("permission denied"), "\(outcome.errors)")
        }
    }

    /// If refresh is killed, the file is the old set or the new one.
    @Test func killedRunLeavesTheOldOrTheNewFile() throws {
        let (before, after) = try oldAndNew(others: 400)
        try Nginx.run {
            Nginx.host($0, "leaf")
        } _: { server in
            let clock = ContinuousClock()
            try folder.write(before, to: "pins.json")
            let (seconds, attoseconds) = try clock.measure { try refresh(server, "--write", status: 0) }.components
            let duration = Double(seconds) + Double(attoseconds) / 1e18
            for attempt in 0..<25 {
                try folder.write(before, to: "pins.json")
                let limit = duration * (0.3 + 0.8 * Double(attempt) / 25)
                _ = try ChildProcess.run(
                    ["timeout", "-s", "KILL", String(limit), PinctlRun.executable] + arguments(server, ["--write"]),
                    environment: TestEnvironment.base, folder: folder.url)
                let found = try folder.bytes("pins.json")
                #expect(found == before || found == after, "a file of \(found.count) bytes")
            }
        }
    }

    /// A set before and after a refresh from a server with the certificate `leaf`.
    private func oldAndNew(others count: Int) throws -> (before: [UInt8], after: [UInt8]) {
        let others = try (0..<count).map { "\"host\($0).example\": [\"\(try pki.pin("other-root"))\"]" }
        try write(key("leaf-www", "leaf"), key("root", "root"), others: others.joined(separator: ",\n"))
        let before = try folder.bytes("pins.json")
        try Nginx.run {
            Nginx.host($0, "leaf")
        } _: { server in
            _ = try refresh(server, "--write", status: 0)
        }
        let after = try folder.bytes("pins.json")
        #expect(before != after)
        return (before, after)
    }

    /// Several parallel refreshes with different backups lose no backup.
    @Test func parallelRefreshesLoseNothing() throws {
        try write(key("leaf-www", "leaf"), key("root", "root"))
        let names = ["leaf-rsa", "root-rsa", "other-root", "root-old", "intermediate-rsa", "leaf-expired"]
        try Nginx.run {
            Nginx.host($0, "leaf")
        } _: { server in
            // A shell runs them in parallel.
            let script =
                "for key in \"$@\"; do \"$PINCTL\" refresh -4 --pins pins.json localhost:$PORT --anchors \"$ANCHORS\""
                + " --write --from-key \"$key\" & done; wait"
            let variables = ["PINCTL": PinctlRun.executable, "PORT": "\(server.port)", "ANCHORS": pki.path("root.pem")]
            let outcome = try ChildProcess.run(
                ["bash", "-c", script, "bash"] + names.map { pki.path("\($0).key") },
                environment: TestEnvironment.base.merging(variables) { $1 }, folder: folder.url)
            #expect(outcome.end == .exit(0), "\(outcome.errors)")
        }
        let text = try folder.text("pins.json")
        for name in names + ["leaf", "leaf-www", "root"] {
            try #expect(text.components(separatedBy: pki.pin(name)).count == 2, "\(name)")
        }
        try #expect(folder.names() == ["pins.json"])
    }

    // MARK: Support

    private func key(_ name: String, _ role: String, _ more: String = "") throws -> String {
        "{ \"sha256\": \"\(try pki.pin(name))\", \"role\": \"\(role)\"\(more) }"
    }

    private func write(_ pins: String..., to name: String = "pins.json", more: String = "", others: String = "") throws
    {
        let entry = "\"localhost\": { \"//\": \"kept\",\(more) \"pins\": [\(pins.joined(separator: ", "))] }"
        let entries = others.isEmpty ? entry : "\(entry),\n\(others)"
        try folder.write("{ \"version\": 1, \"hosts\": { \(entries) } }\n", to: name)
    }

    private func arguments(_ server: ServerProcess, _ more: [String], anchors: String = "root") -> [String] {
        [
            "refresh", "-4", "--assume-complete", "--pins", "pins.json", server.localhost, "--anchors",
            pki.path("\(anchors).pem"),
        ] + more
    }

    @discardableResult
    private func refresh(
        _ server: ServerProcess, _ more: String..., anchors: String = "root", status: Int32
    ) throws -> PinctlRun {
        try run(arguments(server, more, anchors: anchors), status: status)
    }

    @discardableResult
    private func refresh(_ more: [String], status: Int32) throws -> PinctlRun {
        try run(
            ["refresh", "-4", "--assume-complete", "--pins", "pins.json", "--anchors", pki.path("root.pem")] + more,
            status: status)
    }

    private func run(_ arguments: [String], status: Int32) throws -> PinctlRun {
        let run = try PinctlRun.spawn(arguments, folder: folder.url)
        #expect(run.status == status, "\(arguments)\n\(run)")
        return run
    }
}
