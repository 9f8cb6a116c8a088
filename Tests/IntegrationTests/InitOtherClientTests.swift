import Foundation
import TestSupport
import Testing

/// A server with two certificates for different clients. A first pin set has the pins of both.
@Suite(.blocking) struct InitOtherClientTests {
    let servers: RefreshOtherClientTests

    init() throws { servers = try RefreshOtherClientTests() }

    private func initialize(
        _ endpoint: String, _ options: [String] = [], policy: String = "leaf"
    ) throws -> PinctlRun {
        try PinctlRun.spawn(
            [
                "init", "\(endpoint)=\(RotationPKI.host)", "--policy", policy, "--no-backup", "--anchors",
                servers.pki.path("root.pem"),
            ] + options, folder: servers.folder.url)
    }

    @Test(arguments: RefreshOtherClientTests.Selection.allCases)
    func pinsTheChainsForOtherClients(selection: RefreshOtherClientTests.Selection) throws {
        let keys = ["leaf2", "leaf-\(selection.curve)"]
        try servers.serving(oldKey: keys[1], selection) { endpoint in
            let run = try initialize(endpoint, selection.options)
            #expect(run.status == 0 && run.errors.isEmpty, "\(run)")
            for key in keys { try #expect(run.text.contains(servers.pki.pin(key)), "\(key) \(run)") }
            let one = try initialize(endpoint, selection.options + ["--key-type", "any"])
            let pins = try keys.filter { try one.text.contains(servers.pki.pin($0)) }
            #expect(pins.count == 1, "\(one)")
        }
    }

    /// The servers have one certificate, and refuse clients with other versions or curves.
    @Test(arguments: [
        (["ssl_protocols TLSv1.3;"], []), (["ssl_protocols TLSv1.2;"], []), ([], ["--tls-min", "1.3"]),
        ([], ["--tls-max", "1.2"]),
    ]) func refusalsAreNoWarning(directives: [String], options: [String]) throws {
        try Nginx.run {
            servers.pki.server($0, "new", directives.joined())
        } _: { server in
            let run = try initialize(server.endpoint, options)
            #expect(run.status == 0 && run.errors.isEmpty, "\(run)")
        }
    }

    /// The server sends its certificate also to clients that do not accept its key.
    @Test(arguments: ["EC", "RSA", "ED25519"]) func oneCertificateForAllClients(type: String) throws {
        let pki = servers.pki
        try pki.key("only", type: type == "EC" ? nil : type)
        try pki.chain("go", key: "only", by: "intermediate")
        try Caddy.run(pki.path("go.chain.pem"), key: pki.path("only.key")) { server in
            let run = try initialize(server.endpoint)
            #expect(run.status == 0 && run.errors.isEmpty, "\(run)")
            try #expect(run.text.contains(pki.pin("only")), "\(run)")
        }
    }

    /// The intermediate has certificates of two roots. A client with only the other root builds a path without the pin of the first one.
    @Test(arguments: ["root", "ca", "leaf"]) func warnsOfAPathWithoutAPin(policy: String) throws {
        let pki = servers.pki
        try pki.root("other")
        try pki.authority("intermediate", by: "other", as: "cross")
        try pki.chain("two", key: "leaf2", by: "intermediate", "cross")
        try Nginx.run {
            pki.server($0, "two")
        } _: { server in
            let run = try initialize(server.endpoint, ["--anchors", pki.path("other.pem")], policy: policy)
            #expect(run.status == 0, "\(run)")
            #expect(run.errors.contains("which contains no pin of the set") == (policy == "root"), "\(run)")
            guard policy == "root" else { return #expect(run.errors.isEmpty, "\(run)") }
            // The set has the pin of one root, and the warning names the other one.
            let pinned = try ["root", "other"].filter { try run.text.contains(pki.pin($0)) }
            #expect(pinned.count == 1, "\(run)")
            #expect(
                run.errors.contains(#"a path to the root "Test \#(pinned == ["root"] ? "other" : "root")""#), "\(run)")
            let one = try initialize(server.endpoint, policy: policy)
            #expect(one.status == 0 && one.errors.isEmpty, "\(one)")
        }
    }

    /// As for other types of keys, a server that only ends the connection may have no other certificate.
    @Test func warnsIfAnotherClientGetsNoAnswer() throws {
        try servers.answering {
            $0.offersTLS13
        } _: { endpoint in
            let run = try initialize(endpoint)
            #expect(run.status == 0, "\(run)")
            let warning = "the server may have another certificate for clients that offer no TLS 1.3: "
            #expect(run.errors.contains(warning), "\(run)")
        }
    }

    /// Up to TLS 1.2, nothing authenticates the certificates of such a handshake.
    @Test(arguments: [("-tls1_2", true), ("-tls1_3", false)])
    func writesNothingFromAnUnfinishedHandshake(version: String, isUnfinished: Bool) throws {
        let pki = servers.pki
        let options = [
            version, "-Verify", "1", "-CAfile", pki.path("root.pem"), "-cert", pki.path("new.leaf.pem"), "-key",
            pki.path("leaf2.key"),
        ]
        try OpenSSLServer.run(chain: pki.path("intermediate.pem"), options: options) { server in
            let run = try initialize(server.endpoint)
            let problem =
                "\(server.endpoint) got no client certificate that it accepts and ended the handshake, so nothing"
            #expect(run.errors.contains(problem) == isUnfinished, "\(run)")
            try #expect(run.text.contains(pki.pin("leaf2")) != isUnfinished, "\(run)")
            #expect(run.status == (isUnfinished ? 3 : 0), "\(run)")
        }
    }

    @Test func writesNothingIfAnotherChainIsUntrusted() throws {
        try servers.pki.root("unknown")
        try servers.serving(oldKey: "leaf", issuer: "unknown", .version) { endpoint in
            let run = try initialize(endpoint)
            #expect(run.status == 1 && run.output.isEmpty, "\(run)")
            #expect(run.errors.contains("the chain for clients that offer no TLS 1.3 that "), "\(run)")
        }
    }

    @Test func aBackupInAnotherChain() throws {
        try servers.serving(oldKey: "leaf", .version) { endpoint in
            let run = try PinctlRun.spawn(
                [
                    "init", "\(endpoint)=\(RotationPKI.host)", "--from-key", servers.pki.path("leaf.key"), "--anchors",
                    servers.pki.path("root.pem"),
                ], folder: servers.folder.url)
            #expect(run.status == 1 && run.errors.contains("cannot be a backup"), "\(run)")
        }
    }
}
