import Foundation
import TestSupport
import Testing

/// A team changes its CA without an editor: it announces the CA with add, the server changes, and retire ends the old one.
@Suite(.blocking) struct AnnouncedAuthorityTests {
    let pki: RotationPKI
    let folder: TemporaryFolder

    init() throws {
        pki = try RotationPKI()
        folder = try TemporaryFolder("announced")
        try pki.root("root2")
        try pki.authority("intermediate2", by: "root2")
        try pki.chain("first", key: "leaf", by: "intermediate")
        try pki.chain("second", key: "leaf2", by: "intermediate2")
    }

    @Test func theAuthorityChanges() throws {
        try serving("first") { server in
            try run(["init", "--no-backup", "--policy", "ca", "-o", "pins.json", RotationPKI.host], server, status: 0)
            try verify(server, status: 0)
        }
        // Without the announcement, the new chain does not match.
        try serving("second") { server in
            try verify(server, status: 1)
            // Reports for other programs name the change in the title, and have the list of pins in the text.
            for command in ["verify", "refresh"] {
                let github = try run([command, "--pins", "pins.json", "--format", "github"], server, status: 1).text
                #expect(
                    github.contains("title=pinctl \(command)%3A root changed%3A Test root → Test root2::"), "\(github)")
                let junit = try run([command, "--pins", "pins.json", "--format", "junit"], server, status: 1).text
                #expect(junit.contains("message=\"root changed: Test root → Test root2\">"), "\(junit)")
                #expect(try junit.contains(pki.pin("intermediate2")))
                let sarif = try run([command, "--pins", "pins.json", "--format", "sarif"], server, status: 1).text
                #expect(sarif.contains(#""text": "Root changed: Test root → Test root2.\n"#), "\(sarif)")
            }
        }
        try run(["add", "--pins", "pins.json", "--from-cert", pki.path("root2.pem"), RotationPKI.host], status: 0)
        let announced = try pins()
        try #expect(announced.map { $0["sha256"] } == ["intermediate", "root", "root2"].map(pki.pin))
        #expect(announced.last?["role"] == "root" && announced.last?["state"] == "backup")
        #expect(announced.last?["label"] == "Test root2" && announced.last?["notAfter"]?.count == 10)
        // Both chains match while the server changes.
        for chain in ["first", "second"] { try serving(chain) { server in try verify(server, status: 0) } }
        let add = ["add", "--pins", "pins.json", "--from-cert", pki.path("root2.pem"), RotationPKI.host]
        try run(add + ["--state", "active"], status: 0)
        for name in ["root", "intermediate"] {
            let retire = ["retire", "--pins", "pins.json", "--from-cert", pki.path("\(name).pem"), RotationPKI.host]
            try run(retire, status: 0)
        }
        try #expect(pins().map { $0["state"] ?? "active" } == ["retired", "retired", "active"])
        try serving("second") { server in try verify(server, status: 0) }
        try serving("first") { server in
            let run = try verify(server, status: 1)
            #expect(run.text.contains("mismatch") && run.text.contains("near miss"), "\(run)")
        }
    }

    /// A backup key is announced by its certificate request, and the pin of the old key is retired by its value.
    @Test func theKeyChanges() throws {
        try pki.request("spare")
        try serving("first") { server in
            try run(
                ["init", "--no-backup", "--policy", "leaf", "-o", "pins.json", RotationPKI.host], server, status: 0)
        }
        try run(["add", "--pins", "pins.json", "--from-csr", pki.path("spare.csr"), RotationPKI.host], status: 0)
        try pki.chain("third", key: "spare", by: "intermediate")
        try serving("third") { server in try verify(server, status: 0) }
        // The only active pin is retired when the pin that replaces it is active.
        let retire = try ["retire", "--pins", "pins.json", "--pin", pki.pin("leaf"), RotationPKI.host]
        let refused = try run(retire, status: 2)
        #expect(refused.errors.contains("would have no active pin left"), "\(refused)")
        let add = ["add", "--pins", "pins.json", "--from-csr", pki.path("spare.csr"), RotationPKI.host]
        try run(add + ["--state", "active"], status: 0)
        try run(retire, status: 0)
        try serving("third") { server in try verify(server, status: 0) }
        try serving("first") { server in try verify(server, status: 1) }
    }

    // MARK: Support

    private func pins() throws -> [[String: String]] {
        let set = try JSONSerialization.jsonObject(with: Data(try folder.bytes("pins.json"))) as? [String: Any]
        let host = (set?["hosts"] as? [String: Any])?[RotationPKI.host] as? [String: Any]
        return host?["pins"] as? [[String: String]] ?? []
    }

    private func serving(_ chain: String, _ body: (ServerProcess) throws -> Void) throws {
        try Nginx.run {
            pki.server($0, chain)
        } _: {
            try body($0)
        }
    }

    @discardableResult
    private func verify(_ server: ServerProcess, status: Int32) throws -> PinctlRun {
        try run(["verify", "--pins", "pins.json"], server, status: status)
    }

    /// The command with the options that connect to the server and trust both authorities.
    @discardableResult
    private func run(_ arguments: [String], _ server: ServerProcess? = nil, status: Int32) throws -> PinctlRun {
        let options = server.map { server in
            ["-4", "--connect-to", server.endpoint]
                + ["root", "root2"].flatMap { ["--anchors", pki.path("\($0).pem")] }
        }
        let run = try PinctlRun.spawn(arguments + (options ?? []), folder: folder.url)
        #expect(run.status == status, "\(arguments)\n\(run)")
        return run
    }
}
