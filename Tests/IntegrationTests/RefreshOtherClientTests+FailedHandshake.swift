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
}
