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

    /// The chain was validated with the anchors that the set had before the run.
    @Test func anchorsThatChangeDuringTheRun() throws {
        try pki.root("other")
        try serving { server in
            try writeSet(anchors: "root")
            let changed = try folder.text("pins.json").replacing("root.pem", with: "other.pem")
            let port = server.port
            // pinctl connects after it read the set, and writes after the handshake, which needs this peer.
            let run = try RawPeer.run { connection in
                guard (try? folder.write(changed, to: "pins.json")) != nil else { return }
                connection.forward(to: port) { $0.write($1) }
            } _: { peer in
                try PinctlRun.spawn(
                    [
                        "refresh", "--write", "--retain", "0", "--assume-complete", "--pins", "pins.json",
                        "\(peer.endpoint)=\(RotationPKI.host)",
                    ], folder: folder.url)
            }
            #expect(run.status == 3, "\(run)")
            #expect(run.errors.contains("the \"anchors\" of \"\(RotationPKI.host)\" in it changed"), "\(run.errors)")
            try #expect(folder.text("pins.json") == changed)
        }
    }

    // MARK: Support

    private func writeSet(anchors: String? = nil) throws {
        let pins = [
            #"{ "sha256": "\#(try pki.pin("leaf"))", "role": "leaf", "added": "2026-01-01" }"#,
            #"{ "sha256": "\#(try pki.pin("root"))", "role": "root" }"#,
            #"{ "sha256": "\#(try pki.pin("spare"))", "role": "leaf", "state": "backup" }"#,
            #"{ "sha256": "\#(try pki.pin("spare2"))", "role": "leaf", "state": "backup" }"#,
        ]
        let names = anchors.map { "\"anchors\": [\"\(pki.path("\($0).pem"))\"], " } ?? ""
        try folder.write(
            "{ \"version\": 1, \"hosts\": { \"\(RotationPKI.host)\": { \(names)\"pins\": [\n"
                + pins.joined(separator: ",\n") + "\n] } } }\n", to: "pins.json")
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
