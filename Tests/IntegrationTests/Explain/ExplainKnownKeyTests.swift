import Foundation
import TestSupport
import Testing

/// Keys in a log that the host does not serve, and that a person named in the set or as trust anchors.
@Suite(.blocking) struct ExplainKnownKeyTests: ExplainSuite {
    let pki: TestPKI
    let folder: TemporaryFolder

    init() throws {
        pki = try TestPKI.shared()
        folder = try TemporaryFolder("explain")
    }

    /// The set has the pinned key of the host, and another pin: `OTHER` is the root that the program saw.
    @Test(
        arguments: [
            (#""localhost":{"pins":["LEAF",{"sha256":"OTHER","state":"retired"}]}"#, "lists as retired for this host"),
            (#""localhost":{"pins":["LEAF",{"sha256":"OTHER","state":"backup"}]}"#, "contains for this host"),
            (#""localhost":["LEAF"],"other.example":["OTHER"]"#, "contains for other.example"),
            (#""localhost":["LEAF"],"other.example":["UNUSED"]"#, nil),
        ] as [(String, String?)])
    func aKeyOfTheSet(hosts: String, place: String?) throws {
        let (leaf, other) = (try pki.pin("leaf"), try pki.pin("other-root"))
        let text = hosts.replacing("LEAF", with: leaf).replacing("OTHER", with: other)
            .replacing("UNUSED", with: try pki.pin("leaf-rsa"))
        try folder.write("{\"version\":1,\"hosts\":{\(text)}}", to: "pins.json")
        try OpenSSLServer.run { server in
            let log = okhttp(seen: try pki.pins("leaf-www", "other-root"), pinned: [leaf])
            let options = ["--pins", folder.path("pins.json"), "--connect-to", "127.0.0.1:\(server.port)"]
            let failure = try explain(log, options, status: place == nil ? 0 : 3)
            #expect(failure.conclusion.verdict == (place == nil ? "interception" : "undecided"), "\(failure)")
            guard let place else { return }
            let sentence =
                "the program saw the key \(other), which the pin set \(place), and the host serves a pinned key"
            #expect(failure.conclusion.sentence.hasPrefix(sentence), "\(failure)")
        }
    }

    @Test func aKeyOfATrustAnchor() throws {
        try OpenSSLServer.run { server in
            let log = okhttp(seen: try pki.pins("leaf-www", "other-root"), pinned: [try pki.pin("leaf")])
            let connect = ["--connect-to", "127.0.0.1:\(server.port)"]
            #expect(try explain(log, connect).conclusion.verdict == "interception")
            let failure = try explain(log, connect + ["--anchors", pki.path("other-root.pem")], status: 3)
            #expect(failure.conclusion.verdict == "undecided", "\(failure)")
            #expect(failure.conclusion.sentence.contains("which is of the trust anchor "), "\(failure)")
        }
    }

    /// The log has only the names of the certificates that the program saw.
    @Test(arguments: ["login.example", "localhost"]) func theNameOfATrustAnchor(name: String) throws {
        let authority = try ChildProcess.run(
            ["openssl", "x509", "-in", pki.path("other-root.pem"), "-noout", "-subject", "-nameopt", "RFC2253"]
        ).text.trimmingCharacters(in: .whitespacesAndNewlines).replacing("subject=", with: "")
        let log = """
            Error Domain=NSURLErrorDomain Code=-1202 "x" UserInfo={NSErrorPeerCertificateChainKey=(
                "<cert(0x1) s: CN=\(name) i: \(authority)>",
                "<cert(0x2) s: \(authority) i: \(authority)>"
            ), NSErrorFailingURLStringKey=https://localhost/}
            """
        try OpenSSLServer.run { server in
            let connect = ["--connect-to", "127.0.0.1:\(server.port)"]
            #expect(try explain(log, connect).conclusion.verdict == "interception")
            let failure = try explain(log, connect + ["--anchors", pki.path("other-root.pem")], status: 3)
            #expect(failure.conclusion.verdict == "undecided", "\(failure)")
            #expect(failure.conclusion.sentence.contains("with the name of the trust anchor "), "\(failure)")
        }
    }
}
