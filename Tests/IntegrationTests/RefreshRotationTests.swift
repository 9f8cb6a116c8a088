import Foundation
import TestSupport
import Testing

/// Complete rotations: a set, a server that changes its keys, and the result of refresh.
@Suite(.blocking) struct RefreshRotationTests {
    let pki: RotationPKI
    let folder: TemporaryFolder

    init() throws {
        pki = try RotationPKI()
        folder = try TemporaryFolder("refresh")
        try pki.chain("first", key: "leaf", by: "intermediate")
        try pki.key("spare")
    }

    // MARK: Rehearsals

    @Test func nothingChanged() throws {
        try write(key("leaf", "leaf"), key("root", "root"), backup("spare"))
        let before = try folder.bytes("pins.json")
        try serving("first") { server in
            let result = try report(server, "--write", status: 0)
            #expect(result.verdict == "current")
            #expect(result.statuses == ["served", "served", "backup"])
            #expect(result.pins[0].roles == ["leaf"] && result.pins[1].roles == ["root"])
            #expect(result.codes.isEmpty)
            try report(server, "--check", status: 0)
        }
        try #expect(folder.bytes("pins.json") == before)
    }

    @Test func leafRenewedWithTheSameKey() throws {
        try write(key("leaf", "leaf", #", "notAfter": "2026-01-01""#), key("root", "root"), backup("spare"))
        try pki.chain("second", key: "leaf", by: "intermediate", days: 30)
        try serving("second") { server in
            // A new informational date does not fail --check.
            try report(server, "--check", status: 0)
            let result = try report(server, "--write", status: 0)
            #expect(result.statuses == ["served", "served", "backup"])
            let end = try #require(result.pins[0].notAfter?.prefix(10))
            try #expect(folder.text("pins.json").contains("\"notAfter\": \"\(end)\""))
            #expect(result.survives?["leafRenewalSameKey"]?.outcome == "yes")
        }
    }

    @Test func leafRenewedWithAnotherKey() throws {
        try write(key("leaf", "leaf"), key("root", "root"), backup("spare"))
        try pki.chain("second", key: "leaf2", by: "intermediate")
        let leaf = try pki.pin("leaf2")
        try serving("second") { server in
            let check = try report(server, "--check", status: 1)
            #expect(check.verdict == "different")
            #expect(check.statuses == ["gone", "served", "backup"])
            #expect(check.added.map(\.pin) == [leaf] && check.added.first?.role == "leaf")
            try report(server, status: 0)
            try #expect(report(server, "--write", status: 0).verdict == "changed")
            try #expect(states() == ["leaf": "active", "root": "active", "spare": "backup", "leaf2": "active"])
            try #expect(folder.text("pins.json").contains("\"goneSince\": \"\(today)\""))
            // The pin stays active for the retention time, and refresh reports no difference.
            let after = try report(server, "--check", status: 0)
            #expect(after.statuses == ["gone", "served", "backup", "served"])
            #expect(after.pins[0].goneSince?.prefix(10) ?? "" == today)
        }
        try retire("leaf", served: "second")
    }

    @Test func anotherIntermediate() throws {
        try write(key("intermediate", "intermediate"), key("root", "root"), backup("spare"))
        try pki.authority("intermediate2", by: "root")
        try pki.chain("second", key: "leaf", by: "intermediate2")
        try serving("second") { server in
            let result = try report(server, "--write", status: 0)
            #expect(result.statuses == ["gone", "served", "backup"])
            try #expect(result.added.map(\.pin) == [pki.pin("intermediate2")])
            #expect(result.added.map(\.role) == ["intermediate"])
            #expect(result.survives?["intermediateRotation"]?.outcome == "yes")
            #expect(result.survives?["rootChange"]?.outcome == "if-backup")
        }
        try retire("intermediate", served: "second")
    }

    /// An entry that pins CAs learns no leaf, and an entry that pins a leaf learns no CA.
    @Test(arguments: ["root", "ca", "any"]) func learnsOnlyWhatIsPinned(role: String) throws {
        try write(key("root", role), backup("spare"))
        try pki.authority("intermediate2", by: "root")
        try pki.chain("second", key: "leaf2", by: "intermediate2")
        let before = try folder.bytes("pins.json")
        try serving("second") { server in
            let result = try report(server, "--write", status: 0)
            #expect(result.added.isEmpty)
            #expect(result.verdict == "current")
        }
        try #expect(folder.bytes("pins.json") == before)
    }

    @Test func anotherRoot() throws {
        try write(key("leaf", "leaf"), key("intermediate", "intermediate"), key("root", "root"), backup("spare"))
        try pki.root("root2")
        try pki.authority("intermediate2", by: "root2")
        try pki.chain("second", key: "leaf", by: "intermediate2")
        try serving("second") { server in
            let result = try report(server, "--write", anchors: "root2", status: 0)
            #expect(result.statuses == ["served", "gone", "gone", "backup"])
            try #expect(result.added.map(\.pin) == [pki.pin("intermediate2"), pki.pin("root2")])
        }
        try retire("intermediate", "root", served: "second", anchors: "root2")
    }

    /// The old root cross-signs the new one: the new root's key is an intermediate on one path and the root on the other.
    @Test func crossSignedPath() throws {
        try pki.root("old-root")
        try pki.authority("root", by: "old-root", as: "root-cross")
        try pki.chain("cross", key: "leaf", by: "intermediate", "root-cross")
        try write(key("root", "root"), key("old-root", "root"), backup("spare"))
        try serving("cross") { server in
            let short = try report(server, "--check", anchors: "root", status: 0)
            // The server's certificate of the new root can lead to the old one, which is not trusted here.
            #expect(short.statuses == ["served", "unknown", "backup"])
            let long = try report(server, "--check", anchors: "old-root", status: 0)
            #expect(long.statuses == ["wrong-role", "served", "backup"])
            // Neither pin is gone, because another client can build the other path.
            try report(server, "--write", "--retain", "0", anchors: "root", status: 0)
            try report(server, "--write", "--retain", "0", anchors: "old-root", status: 0)
        }
        try #expect(states() == ["root": "active", "old-root": "active", "spare": "backup"])
    }

    /// A client without roles accepts the key at every position, so the pin is in use.
    @Test(arguments: [
        ("leaf", "intermediate"), ("leaf", "ca"), ("intermediate", "leaf"), ("intermediate", "root"), ("root", "leaf"),
        ("root", "intermediate"),
    ]) func keepsAKeyThatIsInTheChainInAnotherRole(name: String, role: String) throws {
        let other = name == "root" ? "intermediate" : "root"
        try write(key(name, role, #", "goneSince": "2026-01-01""#), key(other, other), backup("spare"))
        try serving("first") { server in
            try #expect(report(server, "--check", "--retain", "0", status: 1).codes.contains("wrong-role"))
            let result = try report(server, "--write", "--retain", "0", status: 0)
            #expect(result.statuses == ["wrong-role", "served", "backup"])
            #expect(result.pins[0].roles == [name] && result.pins[0].addresses == 1)
            try #expect(states()[name] == "active")
            try #expect(!folder.text("pins.json").contains("goneSince"))
            let again = try report(server, "--check", "--retain", "0", status: 0)
            #expect(again.verdict == "current" && again.codes.contains("wrong-role"))
            #expect(again.statuses[0] == "wrong-role")
        }
    }

    @Test func expiredSet() throws {
        try write(key("leaf", "leaf"), backup("spare"), more: #""expires": "2026-01-01", "#)
        try serving("first") { server in
            let result = try report(server, "--check", status: 1)
            #expect(result.verdict == "expired")
            #expect(result.codes.first == "pins-expired")
            #expect(result.findings.first?.hint?.contains("the pins still match") == true)
            // refresh does not change the expiry date.
            let before = try folder.bytes("pins.json")
            try report(server, "--write", status: 1)
            try #expect(folder.bytes("pins.json") == before)
        }
        // A later date alone would not help.
        try write(key("leaf2", "leaf"), more: #""expires": "2026-01-01", "#)
        try serving("first") { server in
            let result = try report(server, "--check", status: 1)
            let finding = result.findings.first { $0.code == "pins-expired" }
            #expect(finding?.hint?.contains("when a pin matches each chain") == true, "\(result)")
        }
    }

    @Test func unreachableHost() throws {
        try write(key("leaf", "leaf"), backup("spare"))
        let before = try folder.bytes("pins.json")
        let closed = try LoopbackSocket(boundTo: .ipv4)
        defer { withExtendedLifetime(closed) {} }
        let result = try #require(
            try decode(run(["--connect-to", "127.0.0.1:\(closed.port)", "--write", "--retain", "0"], status: 3)).results
                .first)
        #expect(result.verdict == "unreachable")
        #expect(result.statuses == ["unknown", "backup"] || result.statuses == ["unknown", "unknown"])
        #expect(result.codes == ["unreachable"])
        try #expect(folder.bytes("pins.json") == before)
    }

    /// A backup stays a backup until all servers use it, because the rollout can be undone.
    @Test func keepsABackupUntilAllServersUseIt() throws {
        try write(key("root", "root"), key("leaf", "leaf"), backup("leaf2"), backup("spare"))
        try pki.chain("second", key: "leaf2", by: "intermediate")
        let (closed, host) = (try LoopbackSocket(boundTo: .ipv4), RotationPKI.host)
        defer { withExtendedLifetime(closed) {} }
        try serving("second") { server in
            _ = try run(["--write", "\(server.endpoint)=\(host)", "127.0.0.1:\(closed.port)=\(host)"], status: 3)
            try #expect(folder.text("pins.json").components(separatedBy: "\"backup\"").count == 3)
            _ = try run(["--write", "\(server.endpoint)=\(host)"], status: 0)
            try #expect(folder.text("pins.json").components(separatedBy: "\"backup\"").count == 2)
        }
    }

    /// One of two hosts is down. refresh still updates the other one.
    @Test func updatesOtherHostsIfOneIsUnreachable() throws {
        let entry = "\"pins\": [\(try key("root", "root")), \(try key("leaf", "leaf"))]"
        try folder.write(
            "{ \"version\": 1, \"hosts\": { \"down.example.test\": { \(entry) }, \"localhost\": { \(entry) } } }",
            to: "pins.json")
        try pki.chain("second", key: "leaf2", by: "intermediate")
        let closed = try LoopbackSocket(boundTo: .ipv4)
        defer { withExtendedLifetime(closed) {} }
        try serving("second") { server in
            let arguments = ["127.0.0.1:\(closed.port)", server.localhost]
            let wanted = try folder.text("pins.json").replacing("down.example.test", with: "127.0.0.1")
            try folder.write(wanted, to: "pins.json")
            let report = try decode(run(["--write"] + arguments, status: 3))
            #expect(report.results.map(\.verdict) == ["unreachable", "changed"])
            #expect(report.summary.contains("1 of 2 hosts fails"))
            try #expect(folder.text("pins.json").components(separatedBy: try pki.pin("leaf2")).count == 2)
        }
    }

    @Test(.enabled(if: NameService.exists, FetchAddressTests.needsNames))
    func oneOfFourAddressesServesAnOldCertificate() throws {
        try write(key("leaf", "leaf"), key("root", "root"), backup("spare"))
        try pki.chain("second", key: "leaf2", by: "intermediate")
        let addresses = (1...4).map { "127.0.0.\($0)" }
        let names = try NameService.environment(
            addresses.map { "\($0) \(RotationPKI.host)" }.joined(separator: "\n"), in: folder)
        func serving(_ chains: [String], _ body: (String) throws -> Void) throws {
            try Nginx.run { endpoint in
                let port = endpoint.split(separator: ":").last ?? ""
                return zip(addresses, chains).map { pki.server("\($0):\(port)", $1) }.joined()
            } _: {
                try body("\(RotationPKI.host):\($0.port)")
            }
        }
        try serving(["second", "second", "first", "second"]) { target in
            let report = try decode(run([target, "--write", "--retain", "0"], environment: names, status: 0))
            let result = try #require(report.results.first)
            #expect(result.addresses.map(\.verdict) == ["match", "match", "match", "match"])
            #expect(
                result.addresses.compactMap { $0.address?.split(separator: ":").first }.sorted()
                    == addresses.map { $0[...] })
            // refresh learns the new key. The old one is not gone while one address uses it.
            #expect(result.statuses == ["served", "served", "backup"])
            #expect(result.pins.map(\.addresses) == [1, 4, 0])
            try #expect(result.added.map(\.pin) == [pki.pin("leaf2")])
            let text = try run([target, "-f", "text"], environment: names, status: 0).text
            #expect(text.contains("at 1 of 4 addresses"))
        }
        try serving(["second", "second", "second", "second"]) { target in
            let report = try decode(run([target, "--write"], environment: names, status: 0))
            #expect(report.results.first?.statuses == ["gone", "served", "backup", "served"])
        }
        // A chain that is not learned can contain a retired key.
        try write(key("leaf", "leaf"), key("leaf2", "leaf", #", "state": "retired""#))
        try serving(["first", "first", "second", "first"]) { target in
            let text = try run([target, "-f", "text"], environment: names, status: 1).text
            #expect(text.contains("only in a chain without a pin of the set"), "\(text)")
        }
        // An unreachable address can still use the old key.
        try write(key("leaf", "leaf", #", "goneSince": "2020-01-01""#), key("leaf2", "leaf"), key("root", "root"))
        try serving(["second", "second", "second"]) { target in
            let report = try decode(run([target, "--write"], environment: names, status: 3))
            #expect(report.results.first?.statuses == ["unknown", "served", "served"])
        }
        try #expect(states()["leaf"] == "active")
    }

    @Test func retiredPinReturnsIfServedAgain() throws {
        let dates = #", "state": "retired", "goneSince": "2026-01-01""#
        try write(key("root", "root"), key("intermediate", "intermediate", dates), backup("spare"))
        try serving("first") { server in
            // The set no longer has a pin for the intermediate, so there is no change.
            try #expect(report(server, "--check", status: 0).statuses == ["served", "retired-in-use", "backup"])
        }
        try write(
            key("root", "root"), key("intermediate", "intermediate", dates), key("other", "intermediate"),
            backup("spare"))
        try serving("first") { server in
            try #expect(report(server, "--write", status: 0).statuses[1] == "reinstated")
            try #expect(states()["intermediate"] == "active")
        }
        // A pin that a person retired stays retired.
        try write(
            key("root", "root"), key("intermediate", "intermediate", #", "state": "retired""#),
            key("other", "intermediate"), backup("spare"))
        try serving("first") { server in
            try #expect(report(server, "--write", status: 0).statuses[1] == "retired-in-use")
            try #expect(states()["intermediate"] == "retired")
        }
    }

    // MARK: Support

    private var today: String { String(ISO8601DateFormatter().string(from: Date()).prefix(10)) }

    func key(_ name: String, _ role: String, _ more: String = "") throws -> String {
        try pki.key(name)
        return "{ \"sha256\": \"\(try pki.pin(name))\", \"role\": \"\(role)\"\(more) }"
    }

    func backup(_ name: String) throws -> String { try key(name, "leaf", #", "state": "backup""#) }

    func write(_ pins: String..., more: String = "") throws {
        let entry = "{ \(more)\"pins\": [\n  \(pins.joined(separator: ",\n  "))\n] }"
        try folder.write("{ \"version\": 1, \"hosts\": { \"\(RotationPKI.host)\": \(entry) } }\n", to: "pins.json")
    }

    func serving(_ chain: String, _ body: (ServerProcess) throws -> Void) throws {
        try Nginx.run {
            pki.server($0, chain)
        } _: {
            try body($0)
        }
    }

    private func run(
        _ arguments: [String], anchors: String = "root", environment: [String: String] = [:], status: Int32
    ) throws -> PinctlRun {
        let format = arguments.contains("-f") ? [] : ["-f", "json"]
        let run = try PinctlRun.spawn(
            ["refresh", "-4", "--assume-complete", "--pins", "pins.json", "--anchors", pki.path("\(anchors).pem")]
                + format + arguments,
            environment: environment, folder: folder.url)
        #expect(run.status == status, "\(arguments)\n\(run)")
        return run
    }

    private func decode(_ run: PinctlRun) throws -> RefreshReport {
        let report = try JSONDecoder().decode(RefreshReport.self, from: Data(run.output))
        #expect(report.schema == "pinctl/refresh/1")
        return report
    }

    @discardableResult
    func report(
        _ server: ServerProcess, _ arguments: String..., anchors: String = "root", status: Int32
    ) throws -> RefreshReport.Result {
        try #require(
            try decode(run(["--connect-to", server.endpoint] + arguments, anchors: anchors, status: status)).results
                .first)
    }

    /// The state of each pin of the file, by the name of its key.
    func states() throws -> [String: String] {
        let set = try JSONSerialization.jsonObject(with: Data(try folder.bytes("pins.json"))) as? [String: Any]
        let host = (set?["hosts"] as? [String: Any])?[RotationPKI.host] as? [String: Any]
        let names = try FileManager.default.contentsOfDirectory(atPath: pki.folder.path)
            .filter { $0.hasSuffix(".key") && !$0.contains(".chain.") }.map { String($0.dropLast(4)) }
        let pins = Dictionary(try names.map { (try pki.pin($0), $0) }, uniquingKeysWith: { first, _ in first })
        return Dictionary(
            uniqueKeysWithValues: (host?["pins"] as? [[String: String]] ?? []).map { pin in
                (pins[pin["sha256"] ?? ""] ?? "?", pin["state"] ?? "active")
            })
    }

    /// A pin that is gone becomes retired after the retention time and not before. The other pins stay.
    func retire(_ names: String..., served chain: String, anchors: String = "root") throws {
        let before = try states()
        func age(_ days: Int) throws {
            let day = ISO8601DateFormatter().string(from: Date(timeIntervalSinceNow: -86_400 * Double(days))).prefix(10)
            let text = try folder.text("pins.json").replacing(
                #/"goneSince": "[^"]*"/#, with: "\"goneSince\": \"\(day)\"")
            try folder.write(text, to: "pins.json")
        }
        try serving(chain) { server in
            try age(29)
            try report(server, "--write", anchors: anchors, status: 0)
            try #expect(states() == before)
            try age(30)
            try #expect(report(server, "--check", anchors: anchors, status: 1).codes.contains("retired-pin"))
            try report(server, "--write", anchors: anchors, status: 0)
            try #expect(states() == before.merging(names.map { ($0, "retired") }) { $1 })
            try report(server, "--check", anchors: anchors, status: 0)
        }
    }
}
