import Foundation
import TestSupport
import Testing

/// The summary for a pull request (`refresh --markdown`). cmark-gfm renders it.
@Suite(.blocking) struct RefreshSummaryTests {
    let pki: RotationPKI
    let folder: TemporaryFolder

    init() throws {
        pki = try RotationPKI()
        folder = try TemporaryFolder("refresh-summary")
        try pki.chain("first", key: "leaf", by: "intermediate")
        try pki.chain("second", key: "leaf2", by: "intermediate")
        try pki.key("spare")
        try pki.root("stranger")
        try pki.chain("intercepted", key: "stranger-leaf", by: "stranger")
        try write()
    }

    private func write(_ leaf: String = "leaf", states: (leaf: String, spare: String) = ("active", "backup")) throws {
        let pins = [
            "{ \"sha256\": \"\(try pki.pin(leaf))\", \"role\": \"leaf\", \"state\": \"\(states.leaf)\" }",
            "{ \"sha256\": \"\(try pki.pin("root"))\", \"role\": \"root\" }",
            "{ \"sha256\": \"\(try pki.pin("spare"))\", \"role\": \"leaf\", \"state\": \"\(states.spare)\","
                + " \"label\": \"spare|@team fixes #1\" }",
        ]
        try folder.write(
            "{ \"version\": 1, \"hosts\": { \"\(RotationPKI.host)\": { \"pins\": [\n\(pins.joined(separator: ",\n"))\n] } } }",
            to: "pins.json")
    }

    /// The summary with the pins replaced by the names of their keys, and the rendered summary.
    private func refresh(
        _ chain: String, _ more: String..., anchors: [String] = ["root", "stranger"], status: Int32
    ) throws -> (markdown: String, html: String) {
        try Nginx.run {
            pki.server($0, chain)
        } _: { server in
            try folder.write(anchors.map { try pki.folder.text("\($0).pem") }.joined(), to: "anchors.pem")
            let run = try PinctlRun.spawn(
                [
                    "refresh", "--pins", "pins.json", "--anchors", "anchors.pem", "--connect-to", server.endpoint,
                    "--assume-complete", "--markdown", "summary.md",
                ] + more, folder: folder.url)
            #expect(run.status == status, "\(run)")
            var markdown = try folder.text("summary.md")
            let outcome = try ChildProcess.run(["cmark-gfm", "-e", "table", "--unsafe"], input: Array(markdown.utf8))
            for key in ["leaf", "leaf2", "root", "intermediate", "spare", "stranger", "stranger-leaf"] {
                markdown = try markdown.replacing(pki.pin(key), with: "PIN-OF-\(key)")
            }
            for day in markdown.matches(of: #/\d{4}-\d\d-\d\d(?: #lpar;\d+ days#rpar;)?/#).map(\.output)
                .sorted(by: { $0.count > $1.count })
            {
                markdown = markdown.replacing(day, with: "DAY")
            }
            return (markdown, outcome.text)
        }
    }

    @Test func aNewKey() throws {
        let (markdown, html) = try refresh("second", "--write", status: 0)
        #expect(
            markdown == """
                - **Result:** pinctl compared 1 host of "pins.json" with the servers: 1 has changes.
                - **Changes:** 1 pin added, 1 pin marked as gone.
                - **Review:** confirm that the new keys belong to the servers' operators (each is from a trusted chain that matches a pin of the set).

                ### Changes

                | Host | Change | Role | Name | Pin | Effect |
                |---|---|---|---|---|---|
                | `api.example.test` | added | leaf | api.example.test | `PIN-OF-leaf2` | apps with this set accept the key that is in the chain now, valid until DAY |
                | `api.example.test` | marked as gone | leaf |   | `PIN-OF-leaf` | not served since DAY; apps still accept it, and it is retired on DAY |

                ### Does a pin still match after the next rotation?

                | Host | leaf renewed with the same key | leaf renewed with a new key | another intermediate | another root |
                |---|---|---|---|---|
                | `api.example.test` | yes | yes; on apple, curl and wultra: only if the server uses the backup key | yes; on apple, curl and wultra: only if the server keeps its key | only if the server keeps its key; on apple: no |

                ### Chains

                ```mermaid
                flowchart TB
                  c0_h["api.example.test  trusted"]
                  c0_0["api.example.test<br/>leaf, served, EC P-256, until DAY, newly pinned<br/>PIN-OF-leaf2"]
                  c0_0 --> c0_h
                  c0_1["Test intermediate<br/>intermediate, served, EC P-256, until DAY<br/>PIN-OF-intermediate"]
                  c0_1 --> c0_0
                  c0_2[["Test root<br/>root, from the trust store, EC P-256, until DAY, pinned<br/>PIN-OF-root"]]
                  c0_2 --> c0_1
                ```

                """ + "\n")
        #expect(html.contains("<th>Effect</th>") && html.matches(of: #/<tr>/#).count == 5)
        // The change is made, so the next run has none.
        let (again, _) = try refresh("second", "--write", status: 0)
        #expect(
            again == """
                - **Result:** pinctl compared 1 host of "pins.json" with the servers: 1 is unchanged.
                - **Changes:** none.
                - **Review:** nothing to decide.

                <details>
                <summary>1 unchanged host</summary>

                - `api.example.test`

                </details>

                """)
    }

    @Test func retiredAndPromotedPins() throws {
        _ = try refresh("second", "--write", status: 0)
        let (retired, _) = try refresh("second", "--write", "--retain", "0", status: 0)
        #expect(
            retired.contains(
                "- **Changes:** 1 pin retired.\n- **Review:** confirm that no server uses the retired pins"))
        #expect(
            retired.contains(
                "| retired | leaf |   | `PIN-OF-leaf` | not served since DAY; apps with this set reject it |"))
        // A backup is in use: its label from the set is escaped.
        try write("stranger-leaf", states: ("backup", "backup"))
        try pki.chain("spare", key: "spare", by: "intermediate")
        let (promoted, html) = try refresh("spare", status: 0)
        #expect(
            promoted.contains("- **Changes:** not written yet: 1 backup made active.\n- **Review:** nothing to decide:")
        )
        #expect(
            promoted.contains(
                "| spare\\|@&ZeroWidthSpace;team fixes \\#&ZeroWidthSpace;1 | `PIN-OF-spare` | in the chain; another"))
        #expect(html.contains("<td>spare|@\u{200B}team fixes #\u{200B}1</td>"))
    }

    @Test func anInterception() throws {
        let (markdown, _) = try refresh("intercepted", status: 1)
        #expect(
            markdown.hasPrefix(
                """
                - **Result:** pinctl compared 1 host of "pins.json" with the servers: 1 needs a check (1 mismatch).
                - **Changes:** none.
                - **Review:** find out why 1 host needs a check.

                ### Check before you merge

                - `api.example.test`: 127.0.0.1:
                """), "\(markdown)")
        #expect(markdown.contains("or the connection is intercepted"))
        #expect(markdown.contains("Next: compare with a run from another network"))
        #expect(markdown.contains("api.example.test  trusted, but no pin matches\"]"))
        #expect(!markdown.contains("### Changes") && !markdown.contains("pinned<br/>"))
        // The user accepts it.
        let (accepted, _) = try refresh("intercepted", "--accept-new", RotationPKI.host, status: 0)
        #expect(accepted.contains("--accept-new was used, so a chain did not need to match a pin of the set"))
        let (untrusted, _) = try refresh("intercepted", anchors: ["root"], status: 1)
        #expect(untrusted.contains("1 needs a check (1 untrusted)") && untrusted.contains("(unverified)") == false)
        #expect(untrusted.contains("PIN-OF-stranger-leaf #lpar;unverified#rpar;"), "\(untrusted)")
    }

    /// The summary of 400 hosts that do not answer.
    @Test func manyHosts() throws {
        let closed = try LoopbackSocket(boundTo: .ipv4)
        defer { withExtendedLifetime(closed) {} }
        let pin = try pki.pin("leaf")
        let hosts = (0..<400).map { "\"host\($0).example.com\":[\"\(pin)\"]" }
        try folder.write("{\"version\":1,\"hosts\":{\(hosts.joined(separator: ",\n"))}}", to: "pins.json")
        let run = try PinctlRun.spawn(
            ["refresh", "--pins", "pins.json", "--connect-to", "127.0.0.1:\(closed.port)", "--markdown", "summary.md"],
            folder: folder.url)
        #expect(run.status == 3)
        let markdown = try folder.text("summary.md")
        #expect(markdown.utf8.count < 60_000)
        #expect(markdown.contains("400 need a check (400 unreachable)"))
        let shown = markdown.split(separator: "\n").count { $0.hasPrefix("- `host") }
        #expect(shown > 20 && markdown.contains("- …and \(400 - shown) more\n"))
    }

    @Test func refusals() throws {
        let before = try folder.bytes("pins.json")
        let same = try PinctlRun.spawn(
            ["refresh", "--pins", "pins.json", "--markdown", "./pins.json"], folder: folder.url)
        #expect(same.status == 2 && same.errors.contains("is also another file of the command line"), "\(same)")
        let nowhere = try PinctlRun.spawn(
            ["refresh", "--pins", "pins.json", "--markdown", "no/summary"], folder: folder.url)
        #expect(nowhere.status == 2 && nowhere.errors.contains("there is no folder \"no\""), "\(nowhere)")
        try #expect(folder.bytes("pins.json") == before)
    }
}
