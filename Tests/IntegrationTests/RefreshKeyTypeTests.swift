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
            let run = try refresh(server.localhost, status: 0)
            try #expect(state(of: "leaf") == "retired", "\(run)")
            try #expect(state(of: "leaf-rsa") == nil, "\(run)")
            try #expect(folder.text("pins.json").contains(pki.pin("leaf-p384")), "\(run)")
            // The next run has the same result.
            _ = try refresh(server.localhost, "--check", status: 0)
        }
    }

    @Test func retiresAPinThatNoClientNeeds() throws {
        try serving("leaf-p384") { server in
            let run = try refresh(server.localhost, status: 0)
            for name in ["leaf", "leaf-rsa"] { try #expect(state(of: name) == "retired", "\(run)") }
        }
    }

    /// The chain for other clients is from a CA that this run does not trust.
    @Test func retiresNothingIfTheOtherChainIsUntrusted() throws {
        try serving("leaf-p384", "leaf-rsa") { server in
            let run = try refresh(server.localhost, anchors: ["root"], status: 0)
            try #expect(state(of: "leaf") == nil, "\(run)")
            #expect(run.text.contains("for a client that accepts only RSA keys is not trusted"), "\(run)")
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
                let run = try refresh(peer.localhost, status: 0)
                for name in ["leaf", "leaf-rsa"] { try #expect(state(of: name) == nil, "\(run)") }
                #expect(run.text.contains("did not answer a client that accepts only RSA keys"), "\(run)")
            }
        }
    }

    // MARK: Support

    private func serving(_ certificates: String..., body: (ServerProcess) throws -> Void) throws {
        let pins = try ["leaf", "leaf-rsa"].map { "{ \"sha256\": \"\(try pki.pin($0))\", \"role\": \"leaf\" }" }
        let roots = try ["root", "root-rsa"].map { "{ \"sha256\": \"\(try pki.pin($0))\", \"role\": \"root\" }" }
        let backup = "{ \"sha256\": \"\(try pki.pin("other-leaf"))\", \"role\": \"leaf\", \"state\": \"backup\" }"
        let all = (pins + roots + [backup]).joined(separator: ", ")
        try folder.write("{ \"version\": 1, \"hosts\": { \"localhost\": { \"pins\": [\(all)] } } }", to: "pins.json")
        let lines = certificates.map { "ssl_certificate PKI/\($0).chain.pem; ssl_certificate_key PKI/\($0).key;" }
        try Nginx.run {
            "server { listen \($0) ssl; \(lines.joined(separator: " ")) }\n"
        } _: {
            try body($0)
        }
    }

    private func refresh(
        _ target: String, _ action: String = "--write", anchors: [String] = ["root", "root-rsa"], status: Int32
    ) throws -> PinctlRun {
        let anchors = anchors.flatMap { ["--anchors", pki.path("\($0).pem")] }
        let run = try PinctlRun.spawn(
            ["refresh", "-4", "--assume-complete", action, "--retain", "0", "--pins", "pins.json"] + anchors + [target],
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
