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

    /// Interceptors send no root either, so the missing issuer is no reason to complete the chain.
    @Test(.enabled(if: NameService.exists, FetchAddressTests.needsNames)) func anAddressWithAChainOfAnotherCA() throws {
        try pki.root("unknown")
        try pki.chain("foreign", key: "leaf2", by: "unknown")
        try pki.folder.write(pki.folder.text("foreign.leaf.pem"), to: "foreign.chain.pem")
        try Nginx.run {
            pki.server($0, "second") + pki.server($0.replacing("127.0.0.1", with: "127.0.0.2"), "foreign")
        } _: { server in
            try writeSet()
            let run = try refresh(
                ["\(RotationPKI.host):\(server.port)", "--assume-complete"],
                environment: names("127.0.0.1", "127.0.0.2"), status: 1)
            #expect(run.text.contains("serves a chain that is not trusted"), "\(run)")
            #expect(!run.text.contains("complete the chain"), "\(run)")
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
    func writeSet(_ members: String = "", host: String = RotationPKI.host, others: String = "") throws {
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
    func refresh(
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

    func serving(_ body: (ServerProcess) throws -> Void) throws {
        try Nginx.run {
            pki.server($0, "second")
        } _: {
            try body($0)
        }
    }

    func refresh(
        _ arguments: [String], environment: [String: String] = [:], status: Int32
    ) throws -> PinctlRun {
        let run = try PinctlRun.spawn(
            ["refresh", "--write", "--retain", "0", "--pins", "pins.json", "--anchors", pki.path("root.pem")]
                + arguments, environment: environment, folder: folder.url)
        #expect(run.status == status, "\(arguments)\n\(run)")
        return run
    }
}
