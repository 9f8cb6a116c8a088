import Foundation
import TestSupport
import Testing

/// `pinctl init`: a first pin set, and the reasons for refusing to write one.
@Suite(.blocking) struct InitTests {
    let pki: TestPKI
    let folder: TemporaryFolder

    init() throws {
        pki = try TestPKI.shared()
        folder = try TemporaryFolder("init")
    }

    struct Case: CustomTestStringConvertible, Sendable {
        let policy: String?
        /// Name and role of each pin that the set must contain.
        let pins: [(name: String, role: String)]
        var testDescription: String { policy ?? "none" }
    }

    static let cases = [
        Case(policy: nil, pins: [("intermediate", "intermediate"), ("root", "root")]),
        Case(policy: "ca+backup", pins: [("intermediate", "intermediate"), ("root", "root")]),
        Case(policy: "ca", pins: [("intermediate", "intermediate"), ("root", "root")]),
        Case(policy: "leaf+backup", pins: [("leaf", "leaf")]),
        Case(policy: "intermediate+backup", pins: [("intermediate", "intermediate")]),
        Case(policy: "backup+root+leaf", pins: [("leaf", "leaf"), ("root", "root")]),
    ]

    /// A set with pins of chains of another time fails in each later run.
    @Test func warnsOfAnotherTime() throws {
        try Nginx.run {
            Nginx.host($0, "leaf-expired")
        } _: { server in
            let backup = ["--from-key", pki.path("leaf-www.key")]
            let date = try ChildProcess.output(of: [
                "sh", "-c",
                "date -u +%Y-%m-%d -d \"$(openssl x509 -in \(pki.path("leaf-expired.pem")) -noout -startdate | cut -d = -f 2) + 1 day\"",
            ])
            let day = String(decoding: date, as: UTF8.self).trimmingCharacters(in: .whitespacesAndNewlines)
            let run = try initialize([server.localhost, "--at", day] + backup, status: 0)
            #expect(run.errors.contains("warning: the chains are validated for \(day)"), "\(run)")
            // A backup has the date of the run.
            #expect(run.text.contains(#""added""#) && !run.text.contains(#""added": "\#(day)""#), "\(run)")
            #expect(!run.text.contains("key of \(day)"), "\(run)")
        }
    }

    @Test(arguments: cases) func policies(test: Case) throws {
        try Nginx.run {
            Nginx.host($0, "leaf")
        } _: { server in
            // Without a file, and with this name of it, the set goes to standard output.
            let policy = test.policy.map { ["--policy", $0] } ?? ["--output", "-"]
            let run = try initialize([server.localhost, "--from-key", pki.path("leaf-www.key")] + policy, status: 0)
            #expect(run.errors.isEmpty)
            let set = try JSONSerialization.jsonObject(with: Data(run.output)) as? [String: Any]
            #expect(set?["version"] as? Int == 1)
            let host = (set?["hosts"] as? [String: Any])?["localhost"] as? [String: Any]
            let pins = try #require(host?["pins"] as? [[String: String]])
            let wanted = test.pins + [(name: "leaf-www", role: "leaf")]
            try #expect(pins.map { $0["sha256"] } == wanted.map { try pki.pin($0.name) })
            #expect(pins.map { $0["role"] } == wanted.map(\.role))
            #expect(pins.map { $0["state"] ?? "active" } == test.pins.map { _ in "active" } + ["backup"])
            #expect(pins.dropLast().allSatisfy { $0["notAfter"] == "2049-12-31" && $0["label"] != nil })
            // The set matches, and a refresh adds nothing.
            try folder.write(run.output, to: "pins.json")
            let anchors = ["-4", "--pins", "pins.json", "--anchors", pki.path("root.pem"), server.localhost]
            for command in [["verify"], ["refresh", "--check"]] {
                let check = try PinctlRun.spawn(command + anchors, folder: folder.url)
                #expect(check.status == 0, "\(check)")
            }
        }
    }

    @Test func printsASummary() throws {
        try Nginx.run {
            Nginx.host($0, "leaf")
        } _: { server in
            let arguments = [server.localhost, "--from-key", pki.path("leaf-www.key"), "-o", "pins.json"]
            let run = try initialize(arguments, status: 0)
            #expect(
                run.errors
                    == "pinctl: 1 host with 3 pins, 1 of them a backup, in \"pins.json\"; next: pinctl verify --pins"
                    + " pins.json -4 \(server.localhost)\n")
        }
    }

    @Test func writesAllHostsOrNothing() throws {
        try Nginx.run {
            Nginx.host($0, "leaf")
        } _: { server in
            let hosts = [server.localhost, "127.0.0.1:\(server.port)"]
            try initialize(hosts + ["--no-backup", "--policy", "root", "-o", "pins.json"], status: 0)
            let text = try folder.text("pins.json")
            #expect(text.contains("\"localhost\"") && text.contains("\"127.0.0.1\""))
            let spare = ["--from-key", pki.path("leaf-www.key"), "--policy", "root", "-o", "both.json"]
            try #expect(
                initialize(hosts + spare, status: 0).errors == """
                    pinctl: 2 hosts with 4 pins, 2 of them backups, in "both.json"; next: pinctl verify --pins both.json -4 \
                    \(hosts.joined(separator: " "))

                    """)
            // 127.0.0.2 is not a name of the certificate.
            let bad = hosts + ["127.0.0.2:443", "--connect-to", server.endpoint, "--no-backup", "-o", "other.json"]
            let run = try initialize(bad, status: 1)
            #expect(run.errors.contains("nothing was written"), "\(run)")
            let closed = try LoopbackSocket(boundTo: .ipv4)
            defer { withExtendedLifetime(closed) {} }
            try initialize(hosts + ["127.0.0.1:\(closed.port)", "--no-backup", "-o", "other.json"], status: 3)
            try #expect(folder.names() == ["both.json", "pins.json"])
        }
    }

    /// bash runs the printed command, and the program connects to the servers of which it pinned the chains.
    @Test func theNextCommandConnectsToTheSameServers() throws {
        try Nginx.run {
            Nginx.host($0, "leaf")
        } _: { server in
            let target = "\(server.endpoint)=localhost"
            let alone = ["--system-anchors"]
            for (connection, words) in [
                ([target], [target]),
                (["127.0.0.9:443=localhost", "--connect-to", server.endpoint], ["127.0.0.9:443=localhost"]),
                (["a.test", "--servername", "localhost", "--connect-to", server.endpoint], ["a.test:443"]),
                (["localhost", "--connect-to", server.endpoint], []),
                ([server.localhost] + alone, ["--system-anchors"]),
                ([server.localhost, "--cert", pki.path("leaf.pem"), "--key", pki.path("leaf.key")], ["--cert"]),
                ([server.localhost, "--proxy", "none"], ["--proxy none"]),
            ] {
                let arguments = connection + ["--no-backup", "-o", "my pins.json", "--overwrite"]
                let run = try initialize(arguments, status: 0)
                let command = try #require(run.errors.components(separatedBy: "next: pinctl ").last)
                for word in ["-4"] + words { #expect(command.contains(word), "\(run)") }
                #expect(command.contains("--anchors") == (words == alone), "\(run)")
                let next = try ChildProcess.run(
                    ["bash", "-c", "\"$0\" \(command)", PinctlRun.executable], environment: TestEnvironment.base,
                    folder: folder.url)
                #expect(next.end == .exit(0), "\(run) \(next)")
            }
        }
    }

    @Test func refusals() throws {
        try Nginx.run {
            Nginx.host($0, "leaf")
        } _: { server in
            let spare = ["--from-key", pki.path("leaf-www.key")]
            let none = try initialize([server.localhost], status: 2)
            #expect(none.errors.contains("needs a backup key"))
            for name in ["leaf", "intermediate", "root"] {
                let used = try initialize([server.localhost, "--from-key", pki.path("\(name).key")], status: 1)
                #expect(used.errors.contains("cannot be a backup"), "\(used)")
                #expect(
                    used.errors.hasSuffix("nothing was written: init needs backups whose keys no host uses\n"),
                    "\(used)")
            }
            let untrusted = try initialize([server.localhost] + spare, anchors: "other-root", status: 1)
            #expect(untrusted.errors.contains("does not validate"))
            #expect(untrusted.errors.hasSuffix("init needs a valid chain from every host\n"), "\(untrusted)")
            #expect(untrusted.output.isEmpty)
            // An existing file stays, unless --overwrite is given.
            try folder.write("mine", to: "pins.json")
            try initialize([server.localhost, "-o", "pins.json"] + spare, status: 2)
            try #expect(folder.text("pins.json") == "mine")
            try initialize([server.localhost, "-o", "pins.json", "--overwrite"] + spare, status: 0)
            try #expect(folder.text("pins.json").hasPrefix("{\n"))
        }
    }

    /// The policy names a role that no certificate of the chain has.
    @Test func refusesAMissingRole() throws {
        let rotation = try RotationPKI()
        try rotation.chain("direct", key: "leaf", by: "root")
        try Nginx.run {
            rotation.server($0, "direct")
        } _: { server in
            let arguments = ["init", "-4", server.localhost, "--anchors", rotation.path("root.pem"), "--no-backup"]
            let run = try PinctlRun.spawn(arguments + ["--policy", "intermediate"], folder: folder.url)
            #expect(run.status == 1)
            #expect(run.errors.contains("the chain has no intermediate"), "\(run)")
            // The policy below fits.
            #expect(run.errors.contains("hint: use \"--policy ca\"\n"), "\(run)")
            #expect(run.errors.hasSuffix("init needs chains with every role of the policy\n"), "\(run)")
            let ca = try PinctlRun.spawn(arguments + ["--policy", "ca"], folder: folder.url)
            #expect(ca.status == 0)
            try #expect(ca.text.contains(rotation.pin("root")))
        }
    }

    /// The set names the anchors of --anchors by paths relative to its own folder.
    @Test func namesItsAnchors() throws {
        try makeFolder("sets")
        try makeFolder("ca")
        try folder.write(try String(contentsOfFile: pki.path("root.pem"), encoding: .utf8), to: "ca/root.pem")
        // Two paths to the set's folder. ".." is correct only for the second.
        try makeFolder("far/sets")
        try FileManager.default.createSymbolicLink(atPath: folder.path("near"), withDestinationPath: "far/sets")
        let cases: [(anchors: [String], set: String, written: [String])] = [
            (["ca/root.pem"], "pins.json", ["ca/root.pem"]),
            (["ca/root.pem"], "sets/pins.json", ["../ca/root.pem"]),
            (["ca/root.pem"], "ca/pins.json", ["root.pem"]),
            (["ca"], "sets/all.json", ["../ca"]),
            (["ca/root.pem"], "near/pins.json", ["../../ca/root.pem"]),
            ([folder.path("ca/root.pem")], "sets/fixed.json", [folder.path("ca/root.pem")]),
            (["ca/root.pem", pki.path("other-root.pem")], "two.json", ["ca/root.pem", pki.path("other-root.pem")]),
        ]
        try Nginx.run {
            Nginx.host($0, "leaf")
        } _: { server in
            for test in cases {
                let trust = test.anchors.flatMap { ["--anchors", $0] }
                let arguments = ["init", "-4", server.localhost, "--no-backup", "-o", test.set] + trust
                let run = try PinctlRun.spawn(arguments, folder: folder.url)
                #expect(run.status == 0, "\(run)")
                try #expect(anchors(in: folder.bytes(test.set)) == test.written)
                let command = ["verify", "-4", "--pins", folder.path(test.set), server.localhost]
                let check = try PinctlRun.spawn(command, folder: URL(filePath: "/"))
                #expect(check.status == 0, "\(check)")
            }
            // The set contains no setting that it cannot express.
            let both = try initialize([server.localhost, "--no-backup", "--system-anchors"], status: 0)
            try #expect(anchors(in: both.output) == [])
        }
    }

    /// --overwrite keeps owner, permissions and symbolic links.
    @Test func overwriteKeepsModeAndLinks() throws {
        try makeFolder("kept")
        try folder.write("mine", to: "kept/pins.json")
        try FileManager.default.setAttributes([.posixPermissions: 0o640], ofItemAtPath: folder.path("kept/pins.json"))
        try FileManager.default.createSymbolicLink(
            atPath: folder.path("pins.json"), withDestinationPath: "kept/pins.json")
        try Nginx.run {
            Nginx.host($0, "leaf")
        } _: { server in
            _ = try initialize([server.localhost, "--no-backup", "-o", "pins.json", "--overwrite"], status: 0)
        }
        let link = try FileManager.default.destinationOfSymbolicLink(atPath: folder.path("pins.json"))
        #expect(link == "kept/pins.json")
        try #expect(folder.text("kept/pins.json").hasPrefix("{\n"))
        let mode = try FileManager.default.attributesOfItem(atPath: folder.path("kept/pins.json"))[.posixPermissions]
        #expect(mode as? Int == 0o640)
        try #expect(folder.names() == ["kept", "pins.json"])
    }

    /// --overwrite writes into a pipe and does not replace it.
    @Test func overwriteWritesIntoAPipe() throws {
        try Nginx.run {
            Nginx.host($0, "leaf")
        } _: { server in
            let script = """
                mkfifo pipe && { "$0" init -4 "$1" --anchors "$2" --no-backup -o pipe --overwrite & cat pipe; wait; test -p pipe; }
                """
            let run = try ChildProcess.run(
                ["sh", "-c", script, PinctlRun.executable, server.localhost, pki.path("root.pem")],
                environment: TestEnvironment.base, folder: folder.url)
            #expect(run.end == .exit(0), "\(run)")
            try #expect(anchors(in: run.output) == [pki.path("root.pem")])
        }
    }

    private func makeFolder(_ name: String) throws {
        try FileManager.default.createDirectory(atPath: folder.path(name), withIntermediateDirectories: true)
    }

    /// The anchors of the only host.
    private func anchors(in set: [UInt8]) throws -> [String] {
        let object = try JSONSerialization.jsonObject(with: Data(set)) as? [String: Any]
        let host = (object?["hosts"] as? [String: [String: Any]])?["localhost"]
        return try #require(host)["anchors"] as? [String] ?? []
    }

    @discardableResult
    private func initialize(
        _ arguments: [String], anchors: String = "root", status: Int32
    ) throws -> PinctlRun {
        let run = try PinctlRun.spawn(
            ["init", "-4", "--anchors", pki.path("\(anchors).pem")] + arguments, folder: folder.url)
        #expect(run.status == status, "\(arguments)\n\(run)")
        return run
    }
}
