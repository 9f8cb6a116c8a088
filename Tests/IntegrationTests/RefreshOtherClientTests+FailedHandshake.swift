import TestSupport
import Testing

/// Certificates of handshakes that fail.
extension RefreshOtherClientTests {
    /// A load balancer forwards connections to a server with the new certificate, and to one that still has the old one. The old one
    /// answers only a client that does not accept its key.
    @Test func retiresNothingThatAnAddressSendsInAFailedHandshake() throws {
        try pki.chain("old", key: "leaf", by: "intermediate")
        try Nginx.run {
            pki.server($0, "new")
        } _: { new in
            try Caddy.run(pki.path("old.chain.pem"), key: pki.path("leaf.key"), protocols: "tls1.2 tls1.2") { old in
                let (newPort, oldPort, count) = (new.port, old.port, Counter())
                try RawPeer.run { connection in
                    guard let client = ClientHelloExtensions(from: connection) else { return }
                    let isOld = !client.offersTLS13 && !client.signatureAlgorithms.contains(0x0403)
                    if isOld { _ = count.next() }
                    connection.forward(to: isOld ? oldPort : newPort, first: client.record) { $0.write($1) }
                } _: { peer in
                    try writeSet(old: "leaf")
                    let run = try refresh(peer.endpoint)
                    try #expect(state(of: "leaf") == "active" && count.value > 0, "\(run)")
                    let reason = "\(peer.endpoint) may have another certificate for clients that offer no TLS 1.3: "
                    #expect(run.text.contains(reason), "\(run)")
                }
            }
        }
    }

    /// The same certificate with another intermediate: clients that have only the other root need its pin.
    @Test func retiresNothingIfAFailedHandshakeHasAnotherChain() throws {
        try pki.root("other")
        try pki.authority("intermediate", by: "other", as: "crossed")
        let chain = try ["new.leaf.pem", "crossed.pem"].map { try pki.folder.text($0) }.joined()
        try pki.folder.write(chain, to: "crossed.chain.pem")
        try pki.folder.write(try pki.folder.bytes("new.chain.key"), to: "crossed.chain.key")
        try Nginx.run {
            pki.server($0, "new")
        } _: { new in
            try Nginx.run {
                pki.server($0, "crossed", "ssl_protocols TLSv1.2;")
            } _: { crossed in
                let ports = (new: new.port, crossed: crossed.port)
                try RawPeer.run { connection in
                    guard let client = ClientHelloExtensions(from: connection) else { return }
                    let port = client.offersTLS13 ? ports.new : ports.crossed
                    connection.forward(to: port, first: client.record) { connection, bytes in
                        let isWritten = connection.write(bytes)
                        // After ServerHelloDone, the alert handshake_failure.
                        guard !client.offersTLS13, bytes.suffix(4) == [0x0e, 0, 0, 0] else { return isWritten }
                        _ = connection.write([0x15, 3, 3, 0, 2, 2, 40])
                        return false
                    }
                } _: { peer in
                    try writeSet([pin("other", "root", #", "goneSince": "2026-01-01""#), pin("root", "root")])
                    let run = try refresh(peer.endpoint, ["--anchors", pki.path("other.pem")])
                    try #expect(state(of: "other") == "active", "\(run)")
                    let reason = "\(peer.endpoint) may have another certificate for clients that offer no TLS 1.3"
                    #expect(run.text.contains(reason), "\(run)")
                }
            }
        }
    }

    /// Only clients without TLS 1.3 must have a certificate, or those that accept only RSA. Nothing authenticates what they offered, so the
    /// server may have another chain. The server for these clients sends the same chain, or another one.
    @Test(arguments: ["leaf2", "spare2", "rsa"]) func retiresNothingIfOtherClientsNeedACertificate(key: String) throws {
        let selectsByKey = key == "rsa"
        if selectsByKey { try pki.key(key, type: "RSA") }
        try pki.chain("other", key: key, by: "intermediate")
        try Nginx.run {
            pki.server($0, "new")
        } _: { new in
            let certificate = ["-cert", pki.path("other.leaf.pem"), "-key", pki.path("\(key).key")]
            let options = certificate + ["-tls1_2", "-Verify", "1", "-CAfile", pki.path("root.pem")]
            try OpenSSLServer.run(chain: pki.path("intermediate.pem"), options: options) { old in
                let ports = (new: new.port, old: old.port)
                try RawPeer.run { connection in
                    guard let client = ClientHelloExtensions(from: connection) else { return }
                    let isNew = selectsByKey ? client.signatureAlgorithms.contains(0x0403) : client.offersTLS13
                    connection.forward(to: isNew ? ports.new : ports.old, first: client.record) { $0.write($1) }
                } _: { peer in
                    try writeSet(old: "leaf")
                    // A key that nothing authenticated is not learned.
                    let run = try refresh(peer.endpoint, status: key == "leaf2" ? 0 : 3)
                    try #expect(state(of: "leaf") == "active", "\(run)")
                    try #expect(folder.text("pins.json").contains(pki.pin(key)) == (key == "leaf2"), "\(run)")
                    let reason = "got no client certificate that it accepts and ended the handshake"
                    #expect(run.text.contains(reason), "\(run)")
                    guard key == "leaf2" else { return }
                    let backup = try refresh(peer.endpoint, ["--from-key", pki.path("spare2.key")])
                    #expect(backup.text.contains("a chain that is not known can contain the new backup"), "\(backup)")
                }
            }
        }
    }

    /// The server selects a version that no client of the run offers, so it may have a certificate for clients that offer it.
    @Test func retiresNothingAfterAnAnswerWithAnotherVersion() throws {
        try Nginx.run {
            pki.server($0, "new")
        } _: { server in
            let port = server.port
            try RawPeer.run { connection in
                guard let client = ClientHelloExtensions(from: connection) else { return }
                guard client.offersTLS13 else {
                    // A ServerHello with TLS 1.1 and TLS_RSA_WITH_AES_128_CBC_SHA (RFC 4346, section 7.4.1.3).
                    let hello = [3, 2] + [UInt8](repeating: 7, count: 32) + [0, 0, 0x2f, 0]
                    _ = connection.write([0x16, 3, 2, 0, UInt8(hello.count + 4), 2, 0, 0, UInt8(hello.count)] + hello)
                    return
                }
                connection.forward(to: port, first: client.record) { $0.write($1) }
            } _: { peer in
                try writeSet(old: "leaf")
                let run = try refresh(peer.endpoint)
                try #expect(state(of: "leaf") == "active", "\(run)")
                let reason = "\(peer.endpoint) may have another certificate for clients that offer no TLS 1.3"
                #expect(run.text.contains(reason), "\(run)")
            }
        }
    }

    /// A server rejects only application protocols that the client offers (RFC 7301, section 3.2), so another one may have answered.
    @Test(arguments: [[], ["--alpn", "http/1.1"]])
    func retiresNothingAfterARejectionOfNoProtocol(options: [String]) throws {
        try Nginx.run {
            pki.server($0, "new")
        } _: { server in
            let port = server.port
            try RawPeer.run { connection in
                guard let client = ClientHelloExtensions(from: connection) else { return }
                guard client.offersTLS13 || client.offersApplicationProtocols else {
                    // The alert no_application_protocol.
                    _ = connection.write([0x15, 3, 3, 0, 2, 2, 120])
                    return
                }
                connection.forward(to: port, first: client.record) { $0.write($1) }
            } _: { peer in
                try writeSet(old: "leaf")
                let run = try refresh(peer.endpoint, options)
                try #expect(state(of: "leaf") == "active", "\(run)")
                let reason = "\(peer.endpoint) may have another certificate for clients that offer no"
                #expect(run.text.contains(reason), "\(run)")
            }
        }
    }
}
