import Foundation
import TestSupport
import Testing

/// A pin is gone only if every address of its host was contacted and gave a valid chain.
@Suite(.blocking) struct RefreshGapTests {
    let pki: RotationPKI
    let folder: TemporaryFolder

    /// TCP to a multicast address fails at once with ENETUNREACH (tcp_v4_connect and tcp_v6_connect of Linux).
    private static let unreachableIPv4 = "224.0.0.1"
    private static let unreachableIPv6 = "ff02::1"

    init() throws {
        pki = try RotationPKI()
        folder = try TemporaryFolder("refresh-gaps")
        try pki.chain("second", key: "leaf2", by: "intermediate")
        for name in ["leaf", "spare", "spare2"] { try pki.key(name) }
    }

    /// The options contact a part of the host's addresses, or another port.
    @Test(arguments: [["-4"], ["--connect-to"], []]) func optionsThatExcludeAddresses(options: [String]) throws {
        try serving { server in
            let host = RotationPKI.host
            let target =
                options == ["--connect-to"] ? ["--connect-to", server.endpoint] : ["\(server.endpoint)=\(host)"]
            let arguments = options.filter { $0 != "--connect-to" } + target
            try writeSet()
            let run = try refresh(arguments, status: 0)
            let text = try folder.text("pins.json")
            #expect(!text.contains("goneSince") && !text.contains("retired"), "\(run)")
            // The new key is learned, and the backup in use stays a backup.
            #expect(text.contains(try pki.pin("leaf2")), "\(run)")
            #expect(text.components(separatedBy: "\"backup\"").count == 3, "\(run)")
            let reason = options.isEmpty ? "\(host):443 was not contacted" : options[0]
            #expect(run.text.contains("not seen, but \(reason)"), "\(run)")
            // With --assume-complete, refresh treats these addresses as all addresses.
            try writeSet()
            _ = try refresh(arguments + ["--assume-complete"], status: 0)
            try #expect(folder.text("pins.json").contains("\"state\": \"retired\""))
        }
    }

    /// The entry covers the name of the server's certificate, and is for another host. The chain says nothing about that host.
    @Test(.enabled(if: NameService.exists, FetchAddressTests.needsNames)) func anotherServerName() throws {
        try serving { server in
            let host = try #require(RotationPKI.host.split(separator: ".", maxSplits: 1).last.map(String.init))
            let pins = [
                #"{ "sha256": "\#(try pki.pin("root"))", "role": "root" }"#,
                #"{ "sha256": "\#(try pki.pin("leaf2"))", "role": "leaf", "state": "backup" }"#,
                #"{ "sha256": "\#(try pki.pin("spare"))", "role": "leaf", "state": "backup" }"#,
            ]
            let members = #""subdomains": "all", "endpoints": ["\#(host):\#(server.port)"]"#
            let set =
                #"{ "version": 1, "hosts": { "\#(host)": { \#(members), "pins": [\#(pins.joined(separator: ", "))] } } }"#
            try folder.write(set, to: "pins.json")
            let names = try NameService.environment("127.0.0.1 \(host)", in: folder)
            for more in [[], ["--assume-complete"]] {
                let run = try refresh(["--servername", RotationPKI.host] + more, environment: names, status: 0)
                try #expect(folder.text("pins.json") == set, "\(run)")
            }
        }
    }

    /// The command makes the changes of the report.
    @Test func theNextCommandHasTheOptionsOfTheRun() throws {
        try serving { server in
            try writeSet()
            try pki.request("spare3")
            let target = "\(server.endpoint)=\(RotationPKI.host)"
            let options = [
                "--anchors", pki.path("root.pem"), "--timeout", "20", "--retain", "7", "--accept-new", RotationPKI.host,
                "--from-csr", pki.path("spare3.csr"),
            ]
            let run = try PinctlRun.spawn(
                ["refresh", "--pins", "pins.json", target] + options, folder: folder.url)
            #expect(run.status == 0, "\(run)")
            let command =
                "next: run pinctl refresh --pins pins.json --write " + options.joined(separator: " ") + " \(target)\n"
            #expect(run.errors.hasSuffix(command), "\(run)")
        }
    }

    /// This machine has no route to one of two servers, which may still have the old key.
    @Test(.enabled(if: NameService.exists, FetchAddressTests.needsNames)) func anAddressWithoutARoute() throws {
        try serving { server in
            let names = try names("127.0.0.1", Self.unreachableIPv4)
            try writeSet()
            let run = try refresh(
                ["\(RotationPKI.host):\(server.port)", "--assume-complete"], environment: names, status: 3)
            #expect(run.text.contains(Self.unreachableIPv4), "\(run)")
            let text = try folder.text("pins.json")
            #expect(!text.contains("goneSince") && !text.contains("retired"), "\(run)")
        }
    }

    /// The anchors are right, because the chain of the other address is valid.
    @Test(.enabled(if: NameService.exists, FetchAddressTests.needsNames)) func anAddressWithAnIncompleteChain() throws {
        try pki.folder.write(pki.folder.text("second.leaf.pem"), to: "short.chain.pem")
        try pki.folder.write(pki.folder.bytes("leaf2.key"), to: "short.chain.key")
        try Nginx.run {
            pki.server($0, "second") + pki.server($0.replacing("127.0.0.1", with: "127.0.0.2"), "short")
        } _: { server in
            try writeSet()
            let run = try refresh(
                ["\(RotationPKI.host):\(server.port)", "--assume-complete"],
                environment: names("127.0.0.1", "127.0.0.2"), status: 1)
            #expect(run.text.contains("next: complete the chain that this server sends"), "\(run)")
            try #expect(!folder.text("pins.json").contains("goneSince"))
        }
    }

    /// Most networks have no IPv6. An unreachable IPv6 address is not an error, and every pin of the host stays.
    @Test(.enabled(if: NameService.exists, FetchAddressTests.needsNames)) func aFamilyWithoutARoute() throws {
        try serving { server in
            let names = try names("127.0.0.1", Self.unreachableIPv6)
            let target = "\(RotationPKI.host):\(server.port)"
            try writeSet()
            let run = try refresh([target], environment: names, status: 0)
            #expect(
                run.text.contains("[\(Self.unreachableIPv6)]:\(server.port) was not contacted, because this machine"),
                "\(run)")
            try #expect(!folder.text("pins.json").contains("goneSince"))

            let created = try PinctlRun.spawn(
                ["init", target, "--no-backup", "--anchors", pki.path("root.pem"), "-o", "new.json"],
                environment: names, folder: folder.url)
            #expect(created.status == 0, "\(created)")
            #expect(created.errors.contains("warning: \(target): the set has no pins from [ff02::1]"), "\(created)")
        }
    }

    // MARK: Inputs that change during the run

    /// The members of the entry before its pins, when refresh reads the set and when it writes.
    struct Edit: CustomTestStringConvertible, Sendable {
        let before: String
        let after: String
        /// The members that the message names; nil if refresh writes.
        let changed: String?
        var testDescription: String { "\(before) -> \(after)" }
    }

    static let edits = [
        Edit(before: "", after: #""endpoints": ["api.example.test:9443"], "#, changed: #""endpoints""#),
        Edit(before: #""endpoints": ["api.example.test:9443"], "#, after: "", changed: #""endpoints""#),
        Edit(
            before: #""endpoints": ["api.example.test:9443"], "#, after: #""endpoints": ["api.example.test"], "#,
            changed: #""endpoints""#),
        Edit(before: "", after: #""subdomains": "all", "#, changed: #""subdomains""#),
        Edit(
            before: "", after: #""expires": "2049-01-01", "enforce": false, "#, changed: #""expires" and "enforce""#),
        Edit(before: "", after: #""a later key": [1], "#, changed: #""a later key""#),
        // Only the layout.
        Edit(
            before: #""endpoints": ["api.example.test:9443", "api.example.test"], "#,
            after: "\n\"endpoints\" : [ \"api.example.test:9443\",\n \"api.example.test\" ] , ", changed: nil),
    ]

    /// The chain came from the endpoints that the entry had before the run.
    @Test(arguments: edits) func anEntryThatChangesDuringTheRun(edit: Edit) throws {
        try serving { server in
            try writeSet(edit.before)
            let before = try folder.text("pins.json")
            let changed = before.replacing("{ \(edit.before)\"pins\"", with: "{ \(edit.after)\"pins\"")
            #expect(changed != before)
            let run = try refresh(
                server, during: { try $0.write(changed, to: "pins.json") }, ["--anchors", pki.path("root.pem")])
            guard let keys = edit.changed else {
                #expect(run.status == 0, "\(run)")
                return try #expect(folder.text("pins.json").contains("\"state\": \"retired\""), "\(run)")
            }
            #expect(run.status == 3, "\(run)")
            #expect(run.errors.contains("the \(keys) of \"\(RotationPKI.host)\" in it changed"), "\(run.errors)")
            try #expect(folder.text("pins.json") == changed)
        }
    }

    /// The run has nothing to write, and its result is about the entry of the start.
    @Test(arguments: [(#""endpoints": ["api.example.test:9443"], "#, 3), ("", 1)] as [(String, Int32)])
    func anEntryThatChangesDuringARunWithoutEdits(members: String, status: Int32) throws {
        try serving { server in
            func set(_ members: String, _ state: String) throws -> String {
                let pin = #"{ "sha256": "\#(try pki.pin("leaf2"))", "role": "leaf", "state": "\#(state)" }"#
                let spare = #"{ "sha256": "\#(try pki.pin("spare"))", "role": "leaf", "state": "backup" }"#
                return #"{"version":1,"hosts":{"\#(RotationPKI.host)":{ \#(members)"pins":[\#(pin),\#(spare)]}}}"#
                    + "\n"
            }
            try folder.write(set("", "active"), to: "pins.json")
            // Without other members, the only active pin is retired.
            let changed = try set(members, members.isEmpty ? "retired" : "active")
            let run = try refresh(
                server, during: { try $0.write(changed, to: "pins.json") }, ["--anchors", pki.path("root.pem")])
            #expect(run.status == status, "\(run)")
            #expect(run.errors.contains("the \"endpoints\" of") == (status == 3), "\(run)")
            #expect(!run.errors.contains("up to date"), "\(run)")
            try #expect(folder.text("pins.json") == changed)
        }
    }

    /// Another program gives the host its own entry, so the chain belongs to that entry.
    @Test func anEntryForTheHostDuringTheRun() throws {
        try serving { server in
            try writeSet(#""subdomains": "all", "#, host: "example.test")
            let own = "\"\(RotationPKI.host)\": [\"\(try pki.pin("leaf"))\"]"
            let changed = try folder.text("pins.json").replacing("\"hosts\": {", with: "\"hosts\": { \(own),")
            let run = try refresh(
                server, during: { try $0.write(changed, to: "pins.json") }, ["--anchors", pki.path("root.pem")])
            #expect(run.status == 3, "\(run)")
            #expect(run.errors.contains("the entry for \"\(RotationPKI.host)\" in it changed"), "\(run.errors)")
            try #expect(folder.text("pins.json") == changed)
        }
    }

    @Test func anEntryThatIsRemovedDuringTheRun() throws {
        try serving { server in
            try writeSet("")
            let changed = "{ \"version\": 1, \"hosts\": { \"other.test\": [\"\(try pki.pin("leaf"))\"] } }\n"
            let run = try refresh(
                server, during: { try $0.write(changed, to: "pins.json") }, ["--anchors", pki.path("root.pem")])
            #expect(run.status == 0, "\(run)")
            #expect(run.errors.contains("\(RotationPKI.host) was not refreshed: it was removed from"), "\(run)")
            try #expect(folder.text("pins.json") == changed)
        }
    }

    /// At the start of the run no pin is gone and no backup is in use, so refresh searches no other chains.
    @Test func aBackupThatAppearsDuringTheRun() throws {
        try serving { server in
            func pin(_ name: String, _ members: String) throws -> String {
                #"{ "sha256": "\#(try pki.pin(name))", "role": \#(members) }"#
            }
            func set(_ state: String) throws -> String {
                let pins = try [
                    pin("root", "\"root\""), pin("leaf2", "\"leaf\", \"state\": \"\(state)\""),
                    pin("spare", "\"leaf\", \"state\": \"backup\""),
                ]
                let entry = "\"\(RotationPKI.host)\": { \"pins\": [\n\(pins.joined(separator: ",\n"))\n] }"
                return "{ \"version\": 1, \"hosts\": { \(entry) } }\n"
            }
            try folder.write(set("active"), to: "pins.json")
            let changed = try set("backup")
            let anchors = ["--anchors", pki.path("root.pem")]
            let run = try refresh(server, during: { try $0.write(changed, to: "pins.json") }, anchors)
            #expect(run.status == 0, "\(run)")
            try #expect(folder.text("pins.json") == changed, "\(run)")
            // The next run makes the checks.
            let next = try refresh(server, during: { _ in }, anchors)
            #expect(next.status == 0, "\(next)")
            try #expect(folder.text("pins.json").components(separatedBy: "\"backup\"").count == 2, "\(next)")
        }
    }

    /// The chain was validated with the anchors that the set had before the run.
    @Test func anchorsThatChangeDuringTheRun() throws {
        try pki.root("other")
        try serving { server in
            try writeSet(#""anchors": ["\#(pki.path("root.pem"))"], "#)
            let changed = try folder.text("pins.json").replacing("root.pem", with: "other.pem")
            let run = try refresh(server, during: { try $0.write(changed, to: "pins.json") })
            #expect(run.status == 3, "\(run)")
            #expect(run.errors.contains("the \"anchors\" of \"\(RotationPKI.host)\" in it changed"), "\(run.errors)")
            try #expect(folder.text("pins.json") == changed)
        }
    }

    enum AnchorEdit: String, CaseIterable, Sendable { case contents, link, removal }

    /// The list of anchors stays, but its file has other contents.
    @Test(arguments: AnchorEdit.allCases) func anchorFilesThatChangeDuringTheRun(edit: AnchorEdit) throws {
        try pki.root("other")
        let (root, other) = (pki.path("root.pem"), pki.path("other.pem"))
        try serving { server in
            for isOfSet in [true, false] {
                let path = folder.path("ca.pem")
                try? FileManager.default.removeItem(atPath: path)
                try FileManager.default.createSymbolicLink(atPath: path, withDestinationPath: root)
                try writeSet(#""anchors": ["ca.pem"], "#)
                let before = try folder.text("pins.json")
                let run = try refresh(
                    server,
                    during: { folder in
                        try? FileManager.default.removeItem(atPath: path)
                        switch edit {
                        case .contents: try folder.write(String(contentsOfFile: other, encoding: .utf8), to: "ca.pem")
                        case .link: try FileManager.default.createSymbolicLink(atPath: path, withDestinationPath: other)
                        case .removal: break
                        }
                    }, isOfSet ? [] : ["--anchors", root])
                // With --anchors, the run does not use the files of the set.
                #expect(run.status == (isOfSet ? 3 : 0), "\(run)")
                try #expect((folder.text("pins.json") == before) == isOfSet, "\(run)")
                let reason =
                    edit == .removal
                    ? "the anchors of \"\(RotationPKI.host)\""
                    : "the files of the \"anchors\" of \"\(RotationPKI.host)\" changed"
                #expect(run.errors.contains(reason) == isOfSet, "\(run.errors)")
            }
        }
    }

    // MARK: Clock

    /// An earlier run wrote a date that is still in the future, so its clock or the clock of this run is wrong.
    @Test(arguments: [("added", false), ("goneSince", false), ("added", true)])
    func aDateInTheFuture(key: String, isOfAnotherHost: Bool) throws {
        try serving { server in
            let date = "\"\(key)\": \"2999-01-01\""
            if isOfAnotherHost {
                try writeSet(
                    others: "\"www.example.test\": { \"pins\": [{ \"sha256\": \"\(try pki.pin("leaf"))\", \(date) }] }")
            } else {
                try writeSet()
                let (set, old) = (try folder.text("pins.json"), #""added": "2026-01-01""#)
                try folder.write(
                    set.replacing(old, with: key == "added" ? date : "\(old), \(date)"), to: "pins.json")
            }
            let run = try refresh(["\(server.endpoint)=\(RotationPKI.host)", "--assume-complete"], status: 0)
            #expect(run.text.contains("not seen, but the set has a date in the future: 2999-01-01"), "\(run)")
            let text = try folder.text("pins.json")
            #expect(!text.contains("retired"), "\(run)")
            // The new key is learned.
            #expect(text.contains(try pki.pin("leaf2")), "\(run)")
            let json = try refresh(
                ["\(server.endpoint)=\(RotationPKI.host)", "--assume-complete", "--format", "json"], status: 0)
            let hint = "check the clock of this machine; if it is correct, correct the date at pins.json:"
            #expect(json.text.contains(hint), "\(json)")
        }
    }

    /// A run with a wrong clock writes such a date while this run connects.
    @Test func aDateInTheFutureDuringTheRun() throws {
        try serving { server in
            for (date, isFuture) in [("2999-01-01", true), ("2026-01-02", false)] {
                try writeSet()
                let changed = try folder.text("pins.json").replacing(
                    #""role": "root""#, with: #""role": "root", "added": "\#(date)""#)
                let run = try refresh(
                    server, during: { try $0.write(changed, to: "pins.json") }, ["--anchors", pki.path("root.pem")])
                #expect(run.status == 0, "\(run)")
                #expect(run.text.contains("the set has a date in the future: 2999-01-01") == isFuture, "\(run)")
                let text = try folder.text("pins.json")
                #expect(text.contains("retired") != isFuture, "\(run)")
                #expect(text.contains(try pki.pin("leaf2")) && text.contains(date), "\(run)")
            }
        }
    }

    // MARK: Support

    /// - Parameters:
    ///   - members: the members of the entry before its pins, each with a comma.
    ///   - others: other entries.
    private func writeSet(_ members: String = "", host: String = RotationPKI.host, others: String = "") throws {
        let pins = [
            #"{ "sha256": "\#(try pki.pin("leaf"))", "role": "leaf", "added": "2026-01-01" }"#,
            #"{ "sha256": "\#(try pki.pin("root"))", "role": "root" }"#,
            #"{ "sha256": "\#(try pki.pin("spare"))", "role": "leaf", "state": "backup" }"#,
            #"{ "sha256": "\#(try pki.pin("spare2"))", "role": "leaf", "state": "backup" }"#,
        ]
        let entry = "\"\(host)\": { \(members)\"pins\": [\n\(pins.joined(separator: ",\n"))\n] }"
        let entries = others.isEmpty ? entry : "\(entry), \(others)"
        try folder.write("{ \"version\": 1, \"hosts\": { \(entries) } }\n", to: "pins.json")
    }

    /// Runs `refresh --write`. The first connection comes after refresh read its files and before it writes: the peer calls `edit`,
    /// then forwards the connection to the server.
    private func refresh(
        _ server: ServerProcess, during edit: @escaping @Sendable (TemporaryFolder) throws -> Void,
        _ more: [String] = []
    ) throws -> PinctlRun {
        let (port, count, folder) = (server.port, Counter(), folder)
        return try RawPeer.run { connection in
            if count.next() == 1, (try? edit(folder)) == nil { return }
            connection.forward(to: port) { $0.write($1) }
        } _: { peer in
            try PinctlRun.spawn(
                [
                    "refresh", "--write", "--retain", "0", "--assume-complete", "--pins", "pins.json",
                    "\(peer.endpoint)=\(RotationPKI.host)",
                ] + more, folder: folder.url)
        }
    }

    private func names(_ addresses: String...) throws -> [String: String] {
        try NameService.environment(
            addresses.map { "\($0) \(RotationPKI.host)" }.joined(separator: "\n"), in: folder)
    }

    private func serving(_ body: (ServerProcess) throws -> Void) throws {
        try Nginx.run {
            pki.server($0, "second")
        } _: {
            try body($0)
        }
    }

    private func refresh(
        _ arguments: [String], environment: [String: String] = [:], status: Int32
    ) throws -> PinctlRun {
        let run = try PinctlRun.spawn(
            ["refresh", "--write", "--retain", "0", "--pins", "pins.json", "--anchors", pki.path("root.pem")]
                + arguments, environment: environment, folder: folder.url)
        #expect(run.status == status, "\(arguments)\n\(run)")
        return run
    }
}
