import Foundation
import TestSupport
import Testing

/// A server with two certificates for different clients. A pin that only some clients see is in use.
@Suite(.blocking) struct RefreshOtherClientTests {
    let pki: RotationPKI
    let folder: TemporaryFolder

    init() throws {
        pki = try RotationPKI()
        folder = try TemporaryFolder("refresh-other-clients")
        try pki.chain("new", key: "leaf2", by: "intermediate")
        for name in ["leaf", "spare", "spare2"] { try pki.key(name) }
    }

    /// The property of the client by which a server selects its certificate, and the curve of the old key.
    enum Selection: CaseIterable {
        case version, applicationProtocol, protocolAlone, versionAndProtocol, rejectedVersion, webProtocols, webSocket,
            gRPC, notInOptions
        case curve384, curve521, curveForOldClients, curveOfOldServer, versionOfOldServer

        /// The name of openssl.
        var curve: String {
            switch self {
            case .version, .applicationProtocol, .protocolAlone, .versionAndProtocol, .rejectedVersion, .webProtocols,
                .webSocket, .gRPC, .notInOptions,
                .versionOfOldServer:
                "prime256v1"
            case .curve384, .curveForOldClients, .curveOfOldServer: "secp384r1"
            case .curve521: "secp521r1"
            }
        }

        var options: [String] {
            switch self {
            case .applicationProtocol, .versionAndProtocol, .rejectedVersion: ["--alpn", "http/1.1"]
            case .protocolAlone: ["--alpn", "h2,http/1.1"]
            case .notInOptions: ["--alpn", "h2"]
            default: []
            }
        }

        /// Directives of both servers.
        var directives: String {
            self == .curveOfOldServer || self == .versionOfOldServer ? "ssl_protocols TLSv1.2;" : ""
        }

        /// Whether the client gets the new certificate. The numbers are ecdsa_secp256r1_sha256 and secp256r1 (RFC 8446, sections
        /// 4.2.3 and 4.2.7).
        func isNew(_ client: ClientHelloExtensions) -> Bool {
            switch self {
            case .version, .versionOfOldServer: client.offersTLS13
            case .applicationProtocol, .rejectedVersion: client.offersApplicationProtocols
            case .protocolAlone: client.applicationProtocols != ["http/1.1"]
            case .webProtocols: client.applicationProtocols != ["h2", "http/1.1"]
            case .webSocket, .notInOptions: client.applicationProtocols != ["http/1.1"]
            case .gRPC: client.applicationProtocols != ["h2"]
            case .versionAndProtocol: client.offersTLS13 || client.offersApplicationProtocols
            case .curve384, .curve521: client.signatureAlgorithms.contains(0x0403)
            case .curveForOldClients: client.offersTLS13 || client.groups.contains(23)
            case .curveOfOldServer: client.groups.contains(23)
            }
        }

        /// Whether the server rejects the client.
        func isRejected(_ client: ClientHelloExtensions) -> Bool {
            self == .rejectedVersion && client.offersTLS13 && !client.offersApplicationProtocols
        }
    }

    @Test(arguments: Selection.allCases) func keepsAPinThatOtherClientsNeed(selection: Selection) throws {
        try serving(oldKey: "leaf-\(selection.curve)", selection) { server in
            try writeSet(old: "leaf-\(selection.curve)")
            let run = try refresh(server, selection.options)
            try #expect(state(of: "leaf-\(selection.curve)") == "active", "\(run)")
            try #expect(folder.text("pins.json").contains(pki.pin("leaf2")), "\(run)")
            #expect(!run.text.contains("unknown"), "\(run)")
            // The next run has the same result.
            let again = try refresh(server, selection.options + ["--format=json"])
            try #expect(state(of: "leaf-\(selection.curve)") == "active", "\(again)")
            #expect(try String(decoding: again.output, as: UTF8.self).contains(pki.pin("leaf-\(selection.curve)")))
        }
    }

    /// Only clients without TLS 1.3 see the key, so the first connection does not show it.
    @Test func refusesABackupThatOtherClientsSee() throws {
        try serving(oldKey: "leaf-prime256v1", .version) { server in
            try writeSet([pin("leaf2", "leaf"), pin("root", "root")])
            let run = try refresh(server, ["--from-key", pki.path("leaf-prime256v1.key")], status: 1)
            #expect(
                run.text.contains("cannot be a backup: it is in a chain of a host")
                    || run.errors.contains("cannot be a backup: it is in a chain of a host"), "\(run)")
            // A key that is in use is learned as such.
            try #expect(state(of: "leaf-prime256v1") == "active", "\(run)")
            _ = try refresh(server, ["--from-key", pki.path("spare2.key")])
            try #expect(folder.text("pins.json").contains(pki.pin("spare2")))
        }
    }

    /// The key is in use for another host of the set, which this run does not contact.
    @Test func refusesABackupThatIsActiveForAnotherHost() throws {
        try Nginx.run {
            pki.server($0, "new")
        } _: { server in
            let set =
                #"{"version":1,"hosts":{"\#(RotationPKI.host)":["\#(try pki.pin("leaf2"))"],"mail.test":["\#(try pki.pin("leaf"))"]}}"#
            try folder.write(set, to: "pins.json")
            let run = try refresh(server.endpoint, ["--from-key", pki.path("leaf.key")], status: 1)
            #expect(
                run.text.contains("cannot be a backup: it is active in the set")
                    || run.errors.contains("cannot be a backup: it is active in the set"), "\(run)")
            try #expect(folder.text("pins.json") == set)
        }
    }

    /// The servers have one certificate. They refuse clients with other versions or curves.
    @Test(arguments: ["", "ssl_protocols TLSv1.3;", "ssl_protocols TLSv1.2;"])
    func retiresAPinThatNoClientNeeds(directives: String) throws {
        try Nginx.run {
            pki.server($0, "new", directives)
        } _: { server in
            try writeSet(old: "leaf")
            let run = try refresh(server.endpoint, ["--alpn", "http/1.1"])
            try #expect(state(of: "leaf") == "retired", "\(run)")
        }
    }

    /// OpenSSL's server rejects a client that offers only another protocol with the alert `no_application_protocol`.
    @Test func retiresAPinIfTheServerRejectsAProtocol() throws {
        let certificate = ["-cert", pki.path("new.leaf.pem"), "-key", pki.path("leaf2.key")]
        let options = certificate + ["-alpn", "http/1.1"]
        try OpenSSLServer.run(chain: pki.path("intermediate.pem"), options: options) { server in
            try writeSet(old: "leaf")
            let run = try refresh(server.endpoint, ["--alpn", "h2,http/1.1"])
            try #expect(state(of: "leaf") == "retired", "\(run)")
        }
    }

    /// The server sends its certificate also to clients that do not accept its key.
    @Test func retiresAPinOfAServerWithOneCertificate() throws {
        try Caddy.run(pki.path("new.chain.pem"), key: pki.path("leaf2.key")) { server in
            try writeSet(old: "leaf")
            let run = try refresh(server.endpoint)
            try #expect(state(of: "leaf") == "retired", "\(run)")
        }
    }

    /// A client without TLS 1.3 gets no answer, so the server may have another certificate for it.
    @Test func retiresNothingIfAnotherClientGetsNoAnswer() throws {
        try answering {
            $0.offersTLS13
        } _: { endpoint in
            let run = try refresh(endpoint)
            try #expect(state(of: "leaf") == "active", "\(run)")
            let reason = "\(endpoint) may have another certificate for clients that offer no TLS 1.3: "
            #expect(run.text.contains(reason), "\(run)")
        }
    }

    /// The chain for clients without TLS 1.3 is from a CA that this run does not trust. The keys of the first chain are learned.
    @Test func retiresNothingIfAnotherChainIsUntrusted() throws {
        try pki.root("unknown")
        try serving(oldKey: "leaf", issuer: "unknown", .version) { server in
            try writeSet(old: "spare2")
            let run = try refresh(server, status: 1)
            try #expect(state(of: "spare2") == "active" && state(of: "leaf2") == "active", "\(run)")
            let reason = "the chain of \(server) for clients that offer no TLS 1.3 is not trusted"
            #expect(run.text.contains(reason), "\(run)")
            #expect(run.text.contains("  not trusted for some clients\n"), "\(run)")
            let json = try refresh(server, ["--format", "json"], status: 1)
            #expect(json.text.contains(#""verdict": "untrusted""#), "\(json)")
        }
    }

    /// Anybody can put the key of a pin into a certificate. The chain for clients without TLS 1.3 contains the pinned leaf's key.
    @Test func learnsNothingOfAPinInAnUntrustedChain() throws {
        try pki.root("unknown")
        try serving(oldKey: "leaf", issuer: "unknown", .version) { server in
            let pins = try [
                pin("leaf", "leaf", #", "added": "2026-01-01", "goneSince": "2026-02-01", "notAfter": "2020-01-01""#),
                pin("leaf2", "leaf"), pin("root", "root"),
            ]
            try writeSet(pins)
            let run = try refresh(server, status: 1)
            let set = try folder.text("pins.json")
            #expect(pins.allSatisfy(set.contains), "\(set)")
            #expect(!run.text.contains("served again"), "\(run)")
        }
    }

    /// A trusted CA that the set does not pin issued the chain for clients without TLS 1.3.
    @Test func retiresNothingIfAnotherChainHasNoPin() throws {
        try pki.root("unknown")
        try serving(oldKey: "leaf", issuer: "unknown", .version) { server in
            try writeSet(old: "spare2")
            let run = try refresh(server, ["--anchors", pki.path("unknown.pem")], status: 1)
            try #expect(state(of: "spare2") == "active" && !folder.text("pins.json").contains("goneSince"), "\(run)")
            let reason = "the chain of \(server) for clients that offer no TLS 1.3 contains no pin of the set"
            #expect(run.text.contains(reason), "\(run)")
        }
    }

    /// nginx has no RSA key, so two connections show all types of keys. Other clients are relevant only for a pin that seems gone.
    @Test func connectsAsOtherClientsOnlyIfAPinSeemsGone() throws {
        try Nginx.run {
            pki.server($0, "new")
        } _: { server in
            let (port, count) = (server.port, Counter())
            try RawPeer.run { connection in
                _ = count.next()
                connection.forward(to: port) { $0.write($1) }
            } _: { peer in
                try writeSet(old: "leaf2")
                _ = try refresh(peer.endpoint)
                #expect(count.value == 2)
                try writeSet(old: "leaf")
                _ = try refresh(peer.endpoint)
                #expect(count.value > 4)
            }
        }
    }

    /// The name has another address as soon as pinctl has connected. pinctl asks the addresses again that it contacted first.
    @Test(.enabled(if: NameService.exists, FetchAddressTests.needsNames)) func addressesThatChangeDuringTheRun() throws
    {
        try serving(oldKey: "leaf", .version) {
            let later = "127.0.0.9 \(RotationPKI.host)\n"
            _ = try? folder.write(later, to: "hosts")
            // nss_wrapper reads the file again if the second of its modification differs.
            let attributes = [FileAttributeKey.modificationDate: Date(timeIntervalSinceNow: 60)]
            _ = try? FileManager.default.setAttributes(attributes, ofItemAtPath: folder.path("hosts"))
        } body: { server in
            try writeSet(old: "leaf")
            let names = try NameService.environment("127.0.0.1 \(RotationPKI.host)", in: folder)
            let port = try #require(server.split(separator: ":").last)
            let run = try refresh("\(RotationPKI.host):\(port)", environment: names)
            try #expect(state(of: "leaf") == "active", "\(run)")
            #expect(!run.text.contains("unknown"), "\(run)")
        }
    }

    // MARK: Support

    /// Runs a server that answers only these clients, after writing a set with another pin.
    func answering(
        only isAnswered: @escaping @Sendable (ClientHelloExtensions) -> Bool,
        _ body: (_ endpoint: String) throws -> Void
    ) throws {
        try Nginx.run {
            pki.server($0, "new")
        } _: { server in
            let port = server.port
            try RawPeer.run { connection in
                guard let client = ClientHelloExtensions(from: connection), isAnswered(client) else { return }
                connection.forward(to: port, first: client.record) { $0.write($1) }
            } _: { peer in
                try writeSet(old: "leaf")
                try body(peer.endpoint)
            }
        }
    }

    /// Starts a server with the chain "new" and one for another key, and selects one for each connection.
    func serving(
        oldKey: String, issuer: String = "intermediate", _ selection: Selection,
        onConnection: @escaping @Sendable () -> Void = {}, body: (String) throws -> Void
    ) throws {
        try pki.key(oldKey, curve: selection.curve)
        try serving(
            oldKey: oldKey, issuer: issuer, selection.directives,
            listen: selection == .gRPC || selection == .notInOptions ? " http2" : "",
            isNew: selection.isNew,
            isRejected: selection.isRejected, onConnection: onConnection, body: body)
    }

    func serving(
        oldKey: String, issuer: String = "intermediate", _ directives: String = "", listen: String = "",
        isNew: @escaping @Sendable (ClientHelloExtensions) -> Bool,
        isRejected: @escaping @Sendable (ClientHelloExtensions) -> Bool = { _ in false },
        onConnection: @escaping @Sendable () -> Void = {}, body: (String) throws -> Void
    ) throws {
        try pki.chain("old", key: oldKey, by: issuer)
        try Nginx.run {
            pki.server($0 + listen, "new", directives)
        } _: { new in
            try Nginx.run {
                pki.server($0 + listen, "old", directives)
            } _: { old in
                let ports = (new: new.port, old: old.port)
                try RawPeer.run { connection in
                    guard let client = ClientHelloExtensions(from: connection) else { return }
                    onConnection()
                    guard !isRejected(client) else {
                        // The alert handshake_failure (RFC 8446, section 6).
                        connection.write([0x15, 3, 3, 0, 2, 2, 40])
                        return
                    }
                    let port = isNew(client) ? ports.new : ports.old
                    connection.forward(to: port, first: client.record) { $0.write($1) }
                } _: { peer in
                    try body(peer.endpoint)
                }
            }
        }
    }

    func pin(_ key: String, _ role: String, _ more: String = "") throws -> String {
        #"{ "sha256": "\#(try pki.pin(key))", "role": "\#(role)"\#(more) }"#
    }

    /// Writes a set with a leaf that an earlier refresh added, and the root.
    func writeSet(old: String) throws {
        try writeSet([pin(old, "leaf", #", "added": "2026-01-01""#), pin("root", "root")])
    }

    func writeSet(_ pins: [String]) throws {
        let all = try pins + [pin("spare", "leaf", #", "state": "backup""#)]
        try folder.write(
            "{ \"version\": 1, \"hosts\": { \"\(RotationPKI.host)\": { \"pins\": [\n"
                + all.joined(separator: ",\n") + "\n] } } }\n", to: "pins.json")
    }

    func refresh(
        _ endpoint: String, _ options: [String] = [], environment: [String: String] = [:], status: Int32 = 0
    ) throws -> PinctlRun {
        let run = try PinctlRun.spawn(
            [
                "refresh", "--write", "--retain", "0", "--assume-complete", "--pins", "pins.json", "--anchors",
                pki.path("root.pem"),
                endpoint.hasPrefix(RotationPKI.host) ? endpoint : "\(endpoint)=\(RotationPKI.host)",
            ] + options, environment: environment, folder: folder.url)
        #expect(run.status == status, "\(run)")
        return run
    }

    /// The state of a pin in the file.
    func state(of key: String) throws -> String {
        let set = try JSONDecoder().decode(WrittenSet.self, from: Data(try folder.bytes("pins.json")))
        let digest = try pki.pin(key)
        return try #require(set.hosts[RotationPKI.host]?.pins.first { $0.sha256 == digest }).state ?? "active"
    }

    private struct WrittenSet: Decodable {
        let hosts: [String: Host]
        struct Host: Decodable { let pins: [Pin] }
        struct Pin: Decodable {
            let sha256: String
            let state: String?
        }
    }
}
