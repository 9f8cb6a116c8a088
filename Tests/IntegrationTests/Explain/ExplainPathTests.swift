import Foundation
import TestSupport
import Testing

/// Hosts with a cross-signed CA, from whose chain clients with other trust stores build another path.
@Suite(.blocking) struct ExplainPathTests {
    let pki: RotationPKI

    /// Makes the root "other", which signs "root" too, and the chain "crossed", which contains that certificate.
    init() throws {
        pki = try RotationPKI()
        try pki.root("other")
        try pki.authority("root", by: "other", as: "cross")
        try pki.chain("crossed", key: "leaf2", by: "intermediate", "cross")
        try pki.key("spare")
    }

    /// Explains the log of a program that built the path to "root".
    private func explain(
        _ endpoint: String, leaf: String = "leaf2", pinned: String, isTrusted: Bool
    ) throws -> ExplainReport.Failure {
        let log =
            try "Certificate pinning failure!\n  Peer certificate chain:\n"
            + [leaf, "intermediate", "root"].map { "    sha256/\(try pki.pin($0)): CN=\($0)\n" }.joined()
            + "  Pinned certificates for \(RotationPKI.host):\n    sha256/\(pki.pin(pinned))\n"
        let anchors = ["root.pem"] + (isTrusted ? ["other.pem"] : [])
        let run = try PinctlRun.spawn(
            ["explain", "-", "--format", "json", "--connect-to", endpoint]
                + anchors.flatMap { ["--anchors", pki.path($0)] },
            input: Array(log.utf8))
        return try #require(JSONDecoder().decode(ExplainReport.self, from: Data(run.output)).failures.first, "\(run)")
    }

    /// The pinned root is in another path of the chain for clients that accept only RSA. The program saw neither leaf, or that of the first
    /// chain.
    @Test(arguments: ["spare", "leaf2"]) func aPinInAnotherPathOfAnotherChain(leaf: String) throws {
        try pki.key("rsa", type: "RSA")
        try pki.chain("plain", key: "leaf2", by: "intermediate")
        try pki.chain("rsa", key: "rsa", by: "intermediate", "cross")
        let rsa = "ssl_certificate \(pki.path("rsa.chain.pem")); ssl_certificate_key \(pki.path("rsa.chain.key"));"
        try Nginx.run {
            pki.server($0, "plain", rsa)
        } _: { server in
            let failure = try explain(server.endpoint, leaf: leaf, pinned: "other", isTrusted: true)
            let reason = "; but some clients build another valid path of the chain of the host for clients that"
            #expect(failure.conclusion.verdict == (leaf == "spare" ? "undecided" : "rotation"), "\(failure)")
            #expect(failure.conclusion.sentence.contains(reason) == (leaf == "spare"), "\(failure)")
        }
    }

    /// A client that trusts only the other root finds its pin, so the host changed no key.
    @Test(arguments: [true, false]) func aPinInAnotherPath(isTrusted: Bool) throws {
        try Nginx.run {
            pki.server($0, "crossed")
        } _: { server in
            let failure = try explain(server.endpoint, pinned: "other", isTrusted: isTrusted)
            let sentence = failure.conclusion.sentence
            #expect(failure.conclusion.verdict == "undecided", "\(failure)")
            let reason =
                isTrusted
                ? try
                    "; but some clients build another valid path of the host's chain, with the pinned key \(pki.pin("other"))"
                : "that \"Test other\" issued, which is in no path that is valid here: clients for which such a path is valid build another one"
            #expect(sentence.contains(reason) && !sentence.contains("the keys changed"), "\(failure)")
            #expect(failure.conclusion.command.hasPrefix("pinctl fetch --paths "), "\(failure)")
        }
    }

    @Test func aPinInNoPath() throws {
        try Nginx.run {
            pki.server($0, "crossed")
        } _: { server in
            let failure = try explain(server.endpoint, pinned: "spare", isTrusted: true)
            #expect(failure.conclusion.verdict == "rotation", "\(failure)")
        }
    }
}
