import Foundation
import TestSupport
import Testing

/// A server with an ECDSA and an RSA certificate: a client that accepts both sees one of them, and other clients see the other.
@Suite(.blocking) struct RefreshKeyTypeTests {
    let pki: TestPKI
    let folder: TemporaryFolder

    init() throws {
        pki = try TestPKI.shared()
        folder = try TemporaryFolder("refresh-key-types")
    }

    /// Only the ECDSA key is new. Clients without ECDSA need the pin of the RSA key.
    @Test func keepsAPinThatOtherClientsNeed() throws {
        try serving("leaf-p384", "leaf-rsa") { server in
            let run = try refresh(server.localhost, "--write", status: 0)
            try #expect(state(of: "leaf") == "retired", "\(run)")
            try #expect(state(of: "leaf-rsa") == nil, "\(run)")
            try #expect(folder.text("pins.json").contains(pki.pin("leaf-p384")), "\(run)")
            // The next run has the same result.
            _ = try refresh(server.localhost, "--check", status: 0)
        }
    }

    /// A backup that becomes active pins leaves for the first time, so clients without ECDSA need a pin of the other leaf.
    @Test func aBackupThatBecomesActiveAddsTheOtherKey() throws {
        try serving("leaf-p384", "leaf-rsa") { server in
            let pins = try [
                ("root", "root", "active"), ("leaf-p384", "leaf", "backup"), ("root-rsa", "root", "active"),
            ]
            .map { "{ \"sha256\": \"\(try pki.pin($0))\", \"role\": \"\($1)\", \"state\": \"\($2)\" }" }
            try write(pins)
            let run = try refresh(server.localhost, "--write", status: 0)
            try #expect(state(of: "leaf-p384") == "active", "\(run)")
            try #expect(folder.text("pins.json").contains(pki.pin("leaf-rsa")), "\(run)")
            _ = try refresh(server.localhost, "--check", status: 0)
        }
    }

    @Test func retiresAPinThatNoClientNeeds() throws {
        try serving("leaf-p384") { server in
            let run = try refresh(server.localhost, "--write", status: 0)
            for name in ["leaf", "leaf-rsa"] { try #expect(state(of: name) == "retired", "\(run)") }
        }
    }

    /// Up to TLS 1.2, a load balancer selects the server only by the cipher suites of the client, and ignores its signature algorithms.
    @Test(arguments: [
        SuiteSelection(preferred: "leaf-p384", suite: 0xC02B, other: "leaf-rsa"),
        SuiteSelection(preferred: "leaf-rsa", suite: 0xC02F, other: "leaf-p384"),
    ])
    fileprivate func keepsAPinThatOtherCipherSuitesNeed(selection: SuiteSelection) throws {
        let version = "ssl_protocols TLSv1.2;"
        try Nginx.run {
            Nginx.host($0, selection.preferred, more: version)
        } _: { preferred in
            try Nginx.run {
                Nginx.host($0, selection.other, more: version)
            } _: { other in
                try balancing(selection, between: preferred.port, and: other.port)
            }
        }
    }

    /// A server in Go sends its certificate, and the handshake fails after it.
    @Test func keepsAPinThatOtherCipherSuitesNeedAfterARepeatedCertificate() throws {
        let selection = SuiteSelection(preferred: "leaf-p384", suite: 0xC02B, other: "leaf-rsa")
        let version = "tls1.2 tls1.2"
        try Caddy.run(pki.path("leaf-p384.chain.pem"), key: pki.path("leaf-p384.key"), protocols: version) {
            preferred in
            try Caddy.run(pki.path("leaf-rsa.chain.pem"), key: pki.path("leaf-rsa.key"), protocols: version) { other in
                try balancing(selection, between: preferred.port, and: other.port)
            }
        }
    }

    /// The chain for other clients is from a CA that this run does not trust.
    @Test func retiresNothingIfTheOtherChainIsUntrusted() throws {
        try serving("leaf-p384", "leaf-rsa") { server in
            let run = try refresh(server.localhost, "--write", anchors: ["root"], status: 1)
            try #expect(state(of: "leaf") == nil, "\(run)")
            #expect(run.text.contains("the RSA chain of \(server.endpoint) is not trusted"), "\(run)")
        }
    }

    /// The first connection is forwarded to the server, and all others are closed.
    @Test func retiresNothingIfTheSecondHandshakeFails() throws {
        try serving("leaf-p384") { server in
            let (count, port) = (Counter(), server.port)
            try RawPeer.run {
                guard count.next() == 1 else { return }
                $0.forward(to: port) { $0.write($1) }
            } _: { peer in
                let run = try refresh(peer.localhost, "--write", status: 0)
                for name in ["leaf", "leaf-rsa"] { try #expect(state(of: name) == nil, "\(run)") }
                let reason =
                    "\(peer.endpoint) may have another certificate: no answer for a client that accepts no ECDSA keys"
                #expect(run.text.contains(reason), "\(run)")
            }
        }
    }

    /// The first connection is forwarded to the server, and all others are closed. All pins are in the first chain.
    @Test func warnsIfTheSecondHandshakeFails() throws {
        try serving("leaf-p384") { server in
            try write(["leaf-p384": "leaf"])
            let (count, port) = (Counter(), server.port)
            try RawPeer.run {
                guard count.next() == 1 else { return }
                $0.forward(to: port) { $0.write($1) }
            } _: { peer in
                let run = try refresh(peer.localhost, "--check", status: 0)
                let reason =
                    "\(peer.endpoint) may have another certificate: no answer for a client that accepts no ECDSA keys"
                #expect(run.text.contains(reason) && run.text.contains("no pin is retired"), "\(run)")
                #expect(run.text.contains("with 1 warning") || run.errors.contains("with 1 warning"), "\(run)")
            }
        }
    }

    /// The pin of the root matches both chains, and the set pins leaves, so the second leaf is new.
    @Test func addsThePinOfTheSecondCertificate() throws {
        try serving("leaf", "leaf-rsa") { server in
            try write(["leaf": "leaf", "root": "root", "root-rsa": "root"])
            let run = try refresh(server.localhost, "--write", status: 0)
            #expect(try state(of: "leaf") == nil, "\(run)")
            #expect(try state(of: "leaf-rsa") == nil, "\(run)")
            let json = try refresh(server.localhost, "--format=json", status: 0)
            let chains = try JSONDecoder().decode(Chains.self, from: Data(json.output)).results[0].addresses[0]
                .otherChains
            #expect(chains.map { $0.chain.first?.pin } == [try pki.pin("leaf-rsa")], "\(json)")
            #expect(chains.map(\.verdict) == ["match"])
        }
    }

    private struct Chains: Decodable {
        let results: [Host]

        struct Host: Decodable { let addresses: [Address] }
        struct Address: Decodable { let otherChains: [Chain] }
        struct Chain: Decodable {
            let verdict: String
            let chain: [Entry]
        }
        struct Entry: Decodable { let pin: String }
    }

    /// No pin matches the RSA chain: an error, and no pin is learned from it before a person accepts it.
    @Test func reportsASecondCertificateWithoutPin() throws {
        try serving("leaf", "leaf-rsa") { server in
            try write(["leaf": "leaf"])
            let run = try refresh(server.localhost, "--write", status: 1)
            let warning = "\(server.endpoint) has another certificate, with a key of type RSA: its chain is valid but"
            #expect(run.text.contains(warning), "\(run)")
            try #expect(!folder.text("pins.json").contains(pki.pin("leaf-rsa")), "\(run)")
            let accepted = try refresh(server.localhost, "--accept-new=localhost", "--write", status: 0)
            try #expect(folder.text("pins.json").contains(pki.pin("leaf-rsa")), "\(accepted)")
        }
    }

    /// An interceptor whose CA is trusted answers only the connections for RSA keys. The pinned RSA chain of the server is not seen.
    @Test(arguments: [true, false]) func retiresNothingIfTheOtherChainHasNoPin(isEnforced: Bool) throws {
        try serving("leaf-p384", "leaf-rsa") { server in
            try write(["leaf": "leaf", "root": "root"])
            if !isEnforced {
                let set = try folder.text("pins.json")
                try folder.write(set.replacing(#"{ "pins""#, with: #"{ "enforce": false, "pins""#), to: "pins.json")
            }
            let run = try refresh(server.localhost, "--write", status: isEnforced ? 1 : 0)
            try #expect(state(of: "leaf") == nil && !folder.text("pins.json").contains("goneSince"), "\(run)")
            try #expect(folder.text("pins.json").contains(pki.pin("leaf-p384")), "\(run)")
            let reason = "not seen, but the RSA chain of \(server.endpoint) contains no pin of the set"
            #expect(run.lines.first?.hasSuffix("  no pin matches for some clients") == true, "\(run)")
            #expect(run.text.contains(reason), "\(run)")
            let json = try refresh(server.localhost, "--format=json", status: isEnforced ? 1 : 0)
            #expect(json.text.contains(#""verdict": "mismatch""#), "\(json)")
            // A person accepts the chain, so nothing else can have the pin.
            let accepted = try refresh(server.localhost, "--accept-new=localhost", "--write", status: 0)
            try #expect(state(of: "leaf") == "retired", "\(accepted)")
        }
    }

    /// Another root for another type of key is usual, and is also what an interceptor of some connections shows.
    @Test func initWarnsAboutAnotherRoot() throws {
        try serving("leaf", "leaf-rsa") { server in
            let anchors = ["root", "root-rsa"].flatMap { ["--anchors", pki.path("\($0).pem")] }
            let run = try PinctlRun.spawn(["init", "-4", "--no-backup", server.localhost] + anchors)
            #expect(run.status == 0, "\(run)")
            let warning =
                #"the RSA chain at \#(server.endpoint) has the root "Example Test RSA Root", and the first chain has the root "Example Test Root""#
            #expect(run.errors.contains(warning), "\(run)")
            let one = try PinctlRun.spawn(["init", "-4", "--no-backup", "--key-type=rsa", server.localhost] + anchors)
            #expect(one.status == 0 && !one.errors.contains("first chain"), "\(one)")
        }
    }

    /// One type of key cannot show that another one is gone.
    @Test func retiresNothingWithOneKeyType() throws {
        try serving("leaf-p384") { server in
            let run = try refresh(server.localhost, "--key-type=ecdsa", "--write", status: 0)
            for name in ["leaf", "leaf-rsa"] { try #expect(state(of: name) == nil, "\(run)") }
            #expect(run.text.contains("--key-type ecdsa leaves out"), "\(run)")
        }
    }

    /// Up to TLS 1.2, only the Finished message authenticates what the client offered.
    @Test(arguments: [("-tls1_2", true), ("-tls1_3", false)])
    func retiresNothingIfAServerRequiresAClientCertificate(version: String, hasGap: Bool) throws {
        let options = [version, "-Verify", "1", "-CAfile", "root.pem"]
        try OpenSSLServer.run("leaf", options: options) { server in
            try write(["leaf": "leaf", "leaf-rsa": "leaf", "root": "root"])
            let reason = "got no client certificate that it accepts and ended the handshake"
            let run = try refresh(server.localhost, "--write", status: 0)
            try #expect(state(of: "leaf-rsa") == nil, "\(run)")
            #expect(run.text.contains(reason) == hasGap, "\(run)")
            let whole = try refresh(
                server.localhost, "--write", "--cert", pki.path("leaf-www.pem"), "--key", pki.path("leaf-www.key"),
                status: 0)
            #expect(!whole.text.contains(reason), "\(whole)")
        }
    }

    /// The chain matches the pin of its root, and an interceptor can have replaced the certificates above a pinned one.
    @Test(arguments: [("-tls1_2", true), ("-tls1_3", false)])
    func learnsNothingIfAServerRequiresAClientCertificate(version: String, isUnfinished: Bool) throws {
        let options = [version, "-Verify", "1", "-CAfile", "root.pem"]
        try OpenSSLServer.run("leaf", options: options) { server in
            try write(["leaf-rsa": "leaf", "root": "root"])
            let old = try folder.text("pins.json")
            let run = try refresh(server.localhost, "--write", status: isUnfinished ? 3 : 0)
            try #expect((folder.text("pins.json") == old) == isUnfinished, "\(run)")
            guard isUnfinished else { return }
            let text = try "the leaf has a new key, \(pki.pin("leaf")), which was not added: "
            #expect("\(run)".contains(text) && "\(run)".contains("use --cert and --key"), "\(run)")
            let whole = try refresh(
                server.localhost, "--write", "--cert", pki.path("leaf-www.pem"), "--key", pki.path("leaf-www.key"),
                status: 0)
            try #expect(state(of: "leaf") == nil, "\(whole)")
        }
    }

    /// Two ports can have certificates of different CAs, or an interceptor answers at one of them.
    @Test func initWarnsAboutTheRootOfAnotherPort() throws {
        try OpenSSLServer.run("leaf") { first in
            try OpenSSLServer.run("leaf-rsa", chain: "intermediate-rsa.pem") { second in
                let anchors = ["root", "root-rsa"].flatMap { ["--anchors", pki.path("\($0).pem")] }
                let run = try PinctlRun.spawn(
                    ["init", "-4", "--no-backup", first.localhost, second.localhost] + anchors)
                let warning =
                    #"has the root "Example Test RSA Root", and the first chain has the root "Example Test Root""#
                #expect(run.status == 0 && run.errors.contains(warning), "\(run)")
            }
        }
    }

    /// With a key exchange by RSA, the server proves its key only after it has rejected the missing client certificate. Its chain was
    /// sent nevertheless.
    @Test func retiresNothingIfAServerRefusesAfterItsCertificate() throws {
        let options = [
            "-tls1_2", "-cipher", "ECDHE-ECDSA-AES128-GCM-SHA256:AES128-GCM-SHA256", "-dcert", "leaf-rsa.pem", "-dkey",
            "leaf-rsa.key", "-dcert_chain", "intermediate-rsa.pem", "-Verify", "1", "-CAfile", "root.pem",
        ]
        try OpenSSLServer.run("leaf-p384", options: options) { server in
            try write(["leaf": "leaf", "leaf-rsa": "leaf", "root": "root", "root-rsa": "root"])
            // The key of this chain is not learned, because nothing authenticated it.
            let run = try refresh(server.localhost, "--write", status: 3)
            for name in ["leaf", "leaf-rsa"] { try #expect(state(of: name) == nil, "\(run)") }
            #expect(run.text.contains("sent its certificate, and then refused the TLS handshake"), "\(run)")
            let anchors = ["root", "root-rsa"].flatMap { ["--anchors", pki.path("\($0).pem")] }
            let created = try PinctlRun.spawn(["init", "-4", "--no-backup", server.localhost] + anchors)
            #expect(created.status == 3 && created.output.isEmpty, "\(created)")
            let hint = "if the server requires a client certificate, use --cert FILE and --key FILE"
            #expect(created.errors.contains("hint: \(hint)\n"), "\(created)")
            let annotated = try refresh(server.localhost, "--format=github", status: 3)
            #expect(annotated.text.contains(hint), "\(annotated)")
            // With the client certificate, init receives both chains.
            let identity = ["--cert", pki.path("leaf-www.pem"), "--key", pki.path("leaf-www.key")]
            let whole = try PinctlRun.spawn(["init", "-4", "--no-backup", server.localhost] + anchors + identity)
            #expect(whole.status == 0, "\(whole)")
            let one = try PinctlRun.spawn(
                ["init", "-4", "--no-backup", "--key-type", "any", server.localhost] + anchors)
            #expect(one.status == 3 && one.output.isEmpty, "\(one)")
        }
    }

    /// A chain for one version of TLS cannot show that the chain for another one is gone.
    @Test(arguments: [
        ("--tls-max=1.2", true), ("--tls-min=1.3", true), ("--tls-min=1.2", false), ("--tls-max=1.3", false),
    ])
    func retiresNothingWithOneVersion(option: String, isNarrower: Bool) throws {
        try serving("leaf-p384") { server in
            let run = try refresh(server.localhost, option, "--write", status: 0)
            for name in ["leaf", "leaf-rsa"] { try #expect((state(of: name) == nil) == isNarrower, "\(run)") }
            #expect(
                run.text.contains("leaves out the server's chain for other versions of TLS") == isNarrower, "\(run)")
            let result = isNarrower ? "was updated; 3 pins are unknown" : "is now up to date"
            #expect(run.errors.contains(result), "\(run)")
        }
    }

    // MARK: Support

    /// The certificate for clients that offer a cipher suite, and the one for others. The numbers are
    /// TLS_ECDHE_ECDSA_WITH_AES_128_GCM_SHA256 and TLS_ECDHE_RSA_WITH_AES_128_GCM_SHA256 (RFC 5289, section 3.2).
    fileprivate struct SuiteSelection: CustomTestStringConvertible {
        let preferred: String
        let suite: Int
        let other: String

        var testDescription: String { preferred }
    }

    private func balancing(_ selection: SuiteSelection, between preferred: UInt16, and other: UInt16) throws {
        try write(["leaf": "leaf", selection.other: "leaf", "root": "root", "root-rsa": "root"])
        try RawPeer.run { connection in
            guard let client = ClientHelloExtensions(from: connection) else { return }
            let port = client.cipherSuites.contains(selection.suite) ? preferred : other
            connection.forward(to: port, first: client.record) { $0.write($1) }
        } _: { peer in
            let run = try refresh(peer.localhost, "--write", status: 0)
            try #expect(state(of: "leaf") == "retired", "\(run)")
            try #expect(state(of: selection.other) == nil, "\(run)")
            let anchors = ["root", "root-rsa"].flatMap { ["--anchors", pki.path("\($0).pem")] }
            let created = try PinctlRun.spawn(
                ["init", "-4", "--no-backup", "--policy", "leaf", peer.localhost] + anchors)
            for name in [selection.preferred, selection.other] {
                try #expect(created.text.contains(pki.pin(name)), "\(created)")
            }
        }
    }

    private func serving(_ certificates: String..., body: (ServerProcess) throws -> Void) throws {
        try write(["leaf": "leaf", "leaf-rsa": "leaf", "root": "root", "root-rsa": "root"])
        let lines = certificates.map { "ssl_certificate PKI/\($0).chain.pem; ssl_certificate_key PKI/\($0).key;" }
        try Nginx.run {
            "server { listen \($0) ssl; \(lines.joined(separator: " ")) }\n"
        } _: {
            try body($0)
        }
    }

    /// Writes a set with these pins, given as names and roles, and a backup.
    private func write(_ roles: [String: String]) throws {
        try write(
            roles.sorted { $0.key < $1.key }.map { name, role in
                "{ \"sha256\": \"\(try pki.pin(name))\", \"role\": \"\(role)\" }"
            })
    }

    /// Writes a set with these pins and a backup.
    private func write(_ pins: [String]) throws {
        let backup = "{ \"sha256\": \"\(try pki.pin("other-leaf"))\", \"role\": \"leaf\", \"state\": \"backup\" }"
        let all = (pins + [backup]).joined(separator: ", ")
        try folder.write("{ \"version\": 1, \"hosts\": { \"localhost\": { \"pins\": [\(all)] } } }", to: "pins.json")
    }

    private func refresh(
        _ target: String, _ actions: String..., anchors: [String] = ["root", "root-rsa"], status: Int32
    ) throws -> PinctlRun {
        let anchors = anchors.flatMap { ["--anchors", pki.path("\($0).pem")] }
        let run = try PinctlRun.spawn(
            ["refresh", "-4", "--assume-complete", "--retain", "0", "--pins", "pins.json"] + actions + anchors + [
                target
            ],
            folder: folder.url)
        #expect(run.status == status, "\(run)")
        return run
    }

    /// The `state` of a pin in the file.
    private func state(of name: String) throws -> String? {
        let set = try JSONDecoder().decode(WrittenSet.self, from: Data(try folder.bytes("pins.json")))
        let pin = try pki.pin(name)
        return try #require(set.hosts["localhost"]?.pins.first { $0.sha256 == pin }).state
    }

    private struct WrittenSet: Decodable {
        let hosts: [String: Host]

        struct Host: Decodable {
            let pins: [Pin]
        }

        struct Pin: Decodable {
            let sha256: String
            let state: String?
        }
    }
}
