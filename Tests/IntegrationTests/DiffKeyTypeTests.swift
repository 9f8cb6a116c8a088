import Foundation
import TestSupport
import Testing

/// `diff --key-type all` with servers that have an ECDSA and an RSA certificate.
@Suite(.blocking) struct DiffKeyTypeTests {
    let pki: TestPKI
    let folder: TemporaryFolder

    init() throws {
        pki = try TestPKI.shared()
        folder = try TemporaryFolder("diff-key-types")
    }

    private struct Document: Decodable {
        let equal: Bool
        let differences: [Line]

        struct Line: Decodable {
            let change: String
            let field: String
            let keyType: String?
            let pin: String?
        }
    }

    private func diff(
        _ a: String, _ b: String, status: Int32, _ options: [String] = ["--key-type", "all"],
        anchors names: [String] = ["root", "root-rsa"]
    ) throws -> [String] {
        let anchors = names.flatMap { ["--anchors", pki.path("\($0).pem")] }
        let run = try PinctlRun.spawn(["diff", a, b] + anchors + options, folder: folder.url)
        #expect(run.status == status, "\(run)")
        // The JSON document has the same lines.
        let json = try PinctlRun.spawn(["diff", a, b, "--format", "json"] + anchors + options, folder: folder.url)
        #expect(json.status == status, "\(json)")
        let document = try JSONDecoder().decode(Document.self, from: Data(json.output))
        #expect(document.equal == (status == 0))
        let marks = ["removed": "-", "added": "+", "changed": "~", "equal": "="]
        #expect(document.differences.count == run.lines.count)
        for (difference, line) in zip(document.differences, run.lines) {
            let text = [difference.keyType, difference.field, difference.pin].compactMap(\.self).joined(separator: " ")
            #expect(line.hasPrefix(marks[difference.change] ?? "?") && line.contains(" \(text)"), "\(line)")
        }
        return run.lines
    }

    private func serving(_ names: String..., body: (ServerProcess) throws -> Void) throws {
        let certificates = names.map {
            "ssl_certificate PKI/\($0).chain.pem; ssl_certificate_key PKI/\($0).key;"
        }
        try Nginx.run {
            "server { listen \($0) ssl; \(certificates.joined(separator: " ")) }\n"
        } _: {
            try body($0)
        }
    }

    private func keys(_ lines: [String]) -> [String] {
        lines.map { $0.split(separator: " ").prefix(4).joined(separator: " ") }
    }

    @Test func comparesTheChainsForAllTypesOfKeys() throws {
        try serving("leaf", "leaf-rsa") { both in
            try serving("leaf") { one in
                #expect(try diff(both.localhost, both.localhost, status: 0).isEmpty)
                // Without the option, diff compares the chains that most clients receive.
                #expect(try diff(both.localhost, one.localhost, status: 0, []).isEmpty)
                let rsa = try ["leaf-rsa", "intermediate-rsa", "root-rsa"].map { try "RSA key \(pki.pin($0))" }
                #expect(try keys(diff(both.localhost, one.localhost, status: 1)) == rsa.map { "- " + $0 })
                #expect(try keys(diff(one.localhost, both.localhost, status: 1)) == rsa.map { "+ " + $0 })
            }
        }
    }

    @Test func findsANewKeyOfTheServer() throws {
        try serving("leaf", "leaf-rsa") { old in
            try serving("leaf-p384", "leaf-rsa") { new in
                let expected = try ["- ECDSA key \(pki.pin("leaf"))", "+ ECDSA key \(pki.pin("leaf-p384"))"]
                #expect(try keys(diff(old.localhost, new.localhost, status: 1)) == expected)
            }
        }
    }

    /// The trust of each chain is compared, also of one that only one side has.
    @Test func findsAnUntrustedChain() throws {
        try serving("leaf", "leaf-rsa") { both in
            try serving("leaf") { one in
                let lines = try diff(both.localhost, one.localhost, status: 1, anchors: ["root"])
                #expect(lines.first?.hasPrefix("- RSA trust not trusted: ") == true, "\(lines)")
            }
        }
    }

    /// A pin of any chain counts as served, and each chain needs one.
    @Test func comparesASetWithAllChains() throws {
        let (leaf, rsa) = try (pki.pin("leaf"), pki.pin("leaf-rsa"))
        func write(_ pins: String...) throws {
            let list = pins.map { "\"\($0)\"" }.joined(separator: ",")
            try folder.write("{\"version\":1,\"hosts\":{\"localhost\":[\(list)]}}", to: "pins.json")
        }
        try serving("leaf", "leaf-rsa") { server in
            try write(leaf, rsa)
            for (a, b) in [("pins.json", server.localhost), (server.localhost, "pins.json")] {
                let lines = try diff(a, b, status: 0)
                let equal = lines.filter { $0.hasPrefix("=") }
                #expect(equal == ["= localhost ECDSA pin \(leaf) any active", "= localhost RSA pin \(rsa) any active"])
                #expect(!lines.contains { $0.contains(" pin ") && !$0.hasPrefix("=") }, "\(lines)")
                #expect(lines.contains { $0.contains(" RSA key ") } && lines.contains { $0.contains(" ECDSA key ") })
            }
            // Without the option, the pin of the other chain has no match.
            #expect(
                try diff("pins.json", server.localhost, status: 0, []).contains("- localhost pin \(rsa) any active"))
            // Clients that accept only ECDSA find no pin.
            try write(rsa)
            let lines = try diff("pins.json", server.localhost, status: 1)
            #expect(lines.first == "= localhost RSA pin \(rsa) any active", "\(lines)")
            #expect(lines.contains { $0.hasPrefix("+ ECDSA key \(leaf)") }, "\(lines)")
        }
    }

    @Test func comparesASavedChainWithAllChains() throws {
        try serving("leaf", "leaf-rsa") { server in
            let anchors = ["--anchors", pki.path("root.pem"), "--anchors", pki.path("root-rsa.pem")]
            for (type, differences) in [("all", 0), ("rsa", 3)] {
                let run = try PinctlRun.spawn(
                    [
                        "fetch", server.localhost, "--key-type", type, "--format", "pem", "--output", "chain.pem",
                    ] + anchors, folder: folder.url)
                #expect(run.status == 0, "\(run)")
                let lines = try diff("chain.pem", server.localhost, status: differences == 0 ? 0 : 1)
                #expect(lines.count == differences && lines.allSatisfy { $0.hasPrefix("+ ECDSA key ") }, "\(lines)")
                _ = try diff(server.localhost, "chain.pem", status: differences == 0 ? 0 : 1)
                try FileManager.default.removeItem(atPath: folder.path("chain.pem"))
            }
        }
    }

    /// Only the first connection reaches the server, so it may have another chain.
    @Test func aSearchThatFails() throws {
        try serving("leaf", "leaf-rsa") { server in
            let (port, count) = (server.port, Counter())
            try RawPeer.run {
                guard count.next() % 2 == 1 else { return }
                $0.forward(to: port) { $0.write($1) }
            } _: { peer in
                try folder.write(#"{"version":1,"hosts":{"localhost":["\#(pki.pin("leaf"))"]}}"#, to: "pins.json")
                let anchors = ["--anchors", pki.path("root.pem"), "--anchors", pki.path("root-rsa.pem")]
                let run = try PinctlRun.spawn(
                    ["diff", "pins.json", "localhost", "--connect-to", peer.endpoint, "--key-type", "all"] + anchors,
                    folder: folder.url)
                #expect(run.status == 3 && run.errors.contains("a client that accepts "), "\(run)")
            }
        }
    }
}
