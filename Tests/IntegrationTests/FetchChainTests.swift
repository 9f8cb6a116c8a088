import TestSupport
import Testing

/// Unusual chains from servers, and the path that pinctl builds.
@Suite(.blocking) struct FetchChainTests {
    let pki: TestPKI

    init() throws { pki = try TestPKI.shared() }

    struct Served: CustomTestStringConvertible, Sendable {
        let about: String
        /// The certificates after the leaf.
        let certificates: [String]
        var anchors = ["root"]
        /// The names of the certificates in the path, and the source of each.
        let path: [(name: String, role: String, source: String)]
        var unused: [String] = []

        var testDescription: String { about }
    }

    static let leaf = ("leaf", "leaf", "served")
    static let intermediate = ("intermediate", "intermediate", "served")

    static let trusted: [Served] = [
        Served(
            about: "without the root", certificates: ["intermediate"],
            path: [leaf, intermediate, ("root", "root", "store")]),
        Served(
            about: "with the root", certificates: ["intermediate", "root"],
            path: [leaf, intermediate, ("root", "root", "served")]),
        Served(
            about: "in the wrong order", certificates: ["root", "intermediate"],
            path: [leaf, intermediate, ("root", "root", "served")]),
        Served(
            about: "with an unrelated certificate", certificates: ["intermediate", "other-root"],
            path: [leaf, intermediate, ("root", "root", "store")], unused: ["other-root"]),
        Served(
            about: "with unrelated certificates before and after",
            certificates: ["leaf-www", "intermediate", "leaf-rsa"],
            path: [leaf, intermediate, ("root", "root", "store")], unused: ["leaf-www", "leaf-rsa"]),
        Served(
            about: "with the leaf twice", certificates: ["leaf", "intermediate", "intermediate"],
            path: [leaf, intermediate, ("root", "root", "store")]),
        Served(
            about: "leaf only, the intermediate an anchor", certificates: [], anchors: ["intermediate"],
            path: [leaf, ("intermediate", "intermediate", "store")]),
        Served(
            about: "the intermediate the only anchor", certificates: ["intermediate"], anchors: ["intermediate"],
            path: [leaf, intermediate]),
        Served(
            about: "the intermediate and the root anchors", certificates: ["intermediate"],
            anchors: ["intermediate", "root"],
            path: [leaf, ("intermediate", "intermediate", "served"), ("root", "root", "store")]),
        Served(
            about: "a cross-signed root, the new root trusted", certificates: ["intermediate", "root-cross"],
            path: [leaf, intermediate, ("root", "root", "store")], unused: ["root-cross"]),
        Served(
            about: "a cross-signed root, the old root trusted", certificates: ["intermediate", "root-cross"],
            anchors: ["root-old"],
            path: [leaf, intermediate, ("root-cross", "intermediate", "served"), ("root-old", "root", "store")]),
        Served(
            about: "the leaf the only anchor", certificates: ["intermediate"], anchors: ["leaf"],
            path: [leaf], unused: ["intermediate"]),
    ]

    @Test(arguments: trusted) func validates(served: Served) throws {
        try serve(served.certificates) { server in
            let anchors = served.anchors.flatMap { ["--anchors", pki.path("\($0).pem")] }
            let run = try PinctlRun.spawn(["fetch", "-f", "ndjson", server.localhost] + anchors)
            #expect(run.status == 0, "\(run)")
            let host = try #require(try hosts(inLinesOf: run).first)
            #expect(host.trust?.trusted == true)
            #expect(host.pins == (try served.path.map { try pki.pin($0.name) }))
            #expect(host.roles == served.path.map(\.role))
            #expect(host.sources == served.path.map(\.source))
            #expect(host.unused.map(\.pin) == (try served.unused.map { try pki.pin($0) }))
        }
    }

    @Test func extraCertificateIsNoted() throws {
        try serve(["intermediate", "other-root"]) { server in
            let run = try fetch(server.localhost, "--anchors", pki.path("root.pem"))
            #expect(
                run.text.contains("extra certificate: \"Unrelated Test Root\" is not part of the validated chain"),
                "\(run)")
            #expect(!run.text.contains(try pki.pin("other-root")))
        }
    }

    /// pinctl never prints the pin of a certificate that a server only appended, for any option (CVE-2016-2402).
    @Test func appendedCAGivesNoPin() throws {
        try serve(["intermediate", "other-root"]) { server in
            let run = try fetch(server.localhost, "--anchors", pki.path("root.pem"), "-f", "pin")
            #expect(run.lines == (try pki.pins("leaf", "intermediate", "root")))
            // A trusted appended certificate does not make the leaf trusted.
            let wrong = try fetch(server.localhost, "--anchors", pki.path("other-root.pem"), "-f", "pin")
            #expect(wrong.status == 1)
            #expect(wrong.output.isEmpty)
        }
    }

    @Test func missingIntermediateIsNamed() throws {
        try serve([]) { server in
            let host = try report(server.localhost, "--anchors", pki.path("root.pem"), status: 1)
            #expect(host.pins == [try pki.pin("leaf")])
            #expect(host.trust?.code == "missing-intermediate")
            let reason =
                "the server did not send the certificate of \"Example Test Intermediate\", which issued its own,"
                + " and the trust store does not contain it"
            #expect(host.trust?.reason == reason)
            #expect(host.trust?.anchor == nil)

            let text = try fetch(server.localhost, "--anchors", pki.path("root.pem"))
            #expect(text.status == 1)
            #expect(text.text.contains("not trusted"))
            #expect(text.text.contains("\"Example Test Intermediate\""))
        }
    }

    /// An invalid chain has a root only if its last certificate is self-signed.
    @Test func rolesWithoutTrust() throws {
        try serve(["intermediate"]) { server in
            let host = try report(server.localhost, "--anchors", pki.path("other-root.pem"), status: 1)
            #expect(host.trust?.code == "unknown-authority")
            #expect(host.roles == ["leaf", "intermediate"])
        }
        try serve(["intermediate", "root"]) { server in
            let host = try report(server.localhost, "--anchors", pki.path("other-root.pem"), status: 1)
            #expect(host.trust?.code == "untrusted-root")
            #expect(host.roles == ["leaf", "intermediate", "root"])
            #expect(host.sources == ["served", "served", "served"])
        }
    }

    @Test func selections() throws {
        try serve(["intermediate"]) { server in
            func pins(_ arguments: String...) throws -> PinctlRun {
                let common = ["fetch", server.localhost, "--anchors", pki.path("root.pem"), "-f", "pin"]
                return try PinctlRun.spawn(common + arguments)
            }
            try #expect(pins("-s", "leaf").lines == pki.pins("leaf"))
            try #expect(pins("-s", "intermediate").lines == pki.pins("intermediate"))
            try #expect(pins("-s", "root").lines == pki.pins("root"))
            try #expect(pins("-s", "all").lines == pki.pins("leaf", "intermediate", "root"))
            try #expect(pins("-s", "1").lines == pki.pins("intermediate"))
            // The order is that of the chain, and no certificate is printed twice.
            try #expect(pins("-s", "root", "-s", "0", "-s", "leaf").lines == pki.pins("leaf", "root"))
            let none = try pins("-s", "7")
            #expect(none.status == 1)
            #expect(none.output.isEmpty)
            #expect(none.errors.contains("the chain has a leaf, an intermediate and a root"), "\(none)")
            for command in [["fetch", "-f", "json"], ["fetch", "-f", "ndjson"], ["inspect", "-f", "json"]] {
                let run = try PinctlRun.spawn(
                    command + [server.localhost, "--anchors", pki.path("root.pem"), "-s", "7"])
                #expect(run.status == 1 && run.errors.contains("no certificate matches --select"), "\(run)")
            }
        }
    }

    private func serve(_ certificates: [String], _ body: (ServerProcess) throws -> Void) throws {
        let folder = try TemporaryFolder("chain")
        defer { folder.remove() }
        let chain = try certificates.map { try pki.text("\($0).pem") }.joined()
        let file = chain.isEmpty ? nil : try folder.write(chain, to: "chain.pem")
        try OpenSSLServer.run("leaf", chain: file) { try body($0) }
    }
}
