import Foundation
import TestSupport
import Testing

/// `diff` with hosts and saved chains.
@Suite(.blocking) struct DiffTests {
    let pki: TestPKI
    let folder: TemporaryFolder

    init() throws {
        pki = try TestPKI.shared()
        folder = try TemporaryFolder("diff")
    }

    private func diff(_ a: String, _ b: String, status: Int32, _ options: [String] = []) throws -> [String] {
        let run = try PinctlRun.spawn(["diff", a, b] + options)
        #expect(run.status == status, "\(run)")
        return run.lines
    }

    private var anchors: [String] { ["--anchors", pki.path("root.pem")] }

    @Test func findsNoDifferenceBetweenAHostAndItself() throws {
        try OpenSSLServer.run { server in
            #expect(try diff(server.localhost, "127.0.0.1:\(server.port)", status: 0, anchors).isEmpty)
            // Without the anchor, both chains are untrusted, which is a failure.
            let lines = try diff(server.localhost, server.localhost, status: 1)
            #expect(lines.count == 1)
            #expect(lines.first?.contains("not trusted") == true)
        }
    }

    /// The spelling and the order of endpoints select nothing else.
    @Test(arguments: [
        ("", #""a.test""#, true), (#""a.test""#, #""https://A.test:443""#, true),
        (#""smtp://a.test""#, #""smtp://a.test:25""#, true),
        (#""a.test", "a.test:8443""#, #""a.test:8443", "a.test""#, true),
        ("", #""a.test:8443""#, false), (#""a.test:25""#, #""smtp://a.test""#, false),
    ])
    func comparesWhatEndpointsSelect(left: String, right: String, isEqual: Bool) throws {
        let folder = try TemporaryFolder("endpoints")
        defer { folder.remove() }
        for (name, endpoints) in [("a.json", left), ("b.json", right)] {
            let list = endpoints.isEmpty ? "" : #""endpoints":[\#(endpoints)],"#
            let pin = "C5+lpZ7tcVwmwQIMcRtPbsQtWLABXhQzejna0wHFr8M="
            try folder.write(#"{"version":1,"hosts":{"a.test":{\#(list)"pins":["\#(pin)"]}}}"#, to: name)
        }
        let run = try PinctlRun.spawn(["diff", "a.json", "b.json"], folder: folder.url)
        #expect(run.status == (isEqual ? 0 : 1) && run.output.isEmpty == isEqual, "\(run)")
    }

    @Test func namesAMissingFile() throws {
        let run = try PinctlRun.spawn(["diff", pki.path("root.pem"), "pins.json"], folder: folder.url)
        #expect(run.status == 2 && run.errors.hasPrefix("pinctl: error: there is no file \"pins.json\""), "\(run)")
    }

    /// Two files with differently damaged parts are not equal.
    @Test func refusesDamagedFiles() throws {
        let folder = try TemporaryFolder("damaged")
        defer { folder.remove() }
        let (leaf, intermediate) = try (pki.folder.text("leaf.pem"), pki.folder.text("intermediate.pem"))
        try folder.write(leaf, to: "leaf.pem")
        try folder.write(leaf + intermediate.prefix(300), to: "cut.pem")
        try folder.write(leaf + intermediate.replacingOccurrences(of: "MII", with: "M!I"), to: "base64.pem")
        try folder.write(
            "-----BEGIN CERTIFICATE-----\nAAAA\n-----END CERTIFICATE-----\n" + leaf, to: "first.pem")
        for damaged in ["cut.pem", "base64.pem", "first.pem"] {
            for operands in [["leaf.pem", damaged], [damaged, "leaf.pem"], [damaged, damaged]] {
                let run = try PinctlRun.spawn(["diff"] + operands, folder: folder.url)
                #expect(run.status == 2 && run.errors.contains("\"\(damaged)\": cannot read the certificate"), "\(run)")
            }
        }
    }

    /// The digit 0 is also the first byte of DER. `openssl storeutl -certs` writes such a text.
    @Test func readsATextThatBeginsWithTheDigit0() throws {
        let folder = try TemporaryFolder("digit")
        defer { folder.remove() }
        try folder.write("0: Certificate\n" + pki.folder.text("root.pem"), to: "root.pem")
        for command in [
            ["diff", "root.pem", pki.path("root.pem")], ["hash", "root.pem"],
            ["verify", "--pins", "pins.json", "--chain", "root.pem", "--anchors", "root.pem", "a.test"],
            ["convert", "--to", "pins", "root.pem", "--host", "a.test"],
        ] {
            try folder.write(
                #"{"version":1,"hosts":{"a.test":{"pins":["\#(pki.pin("root"))"]}}}"#, to: "pins.json")
            let run = try PinctlRun.spawn(command, folder: folder.url)
            #expect(run.status == (command.first == "verify" ? 1 : 0), "\(run)")
        }
    }

    /// A bundle of a trust store has more certificates than a chain.
    @Test func comparesAllCertificatesOfAFile() throws {
        let folder = try TemporaryFolder("many")
        defer { folder.remove() }
        let many = String(repeating: try pki.folder.text("leaf.pem"), count: 70)
        try folder.write(many, to: "a.pem")
        try folder.write(many + pki.folder.text("root.pem"), to: "b.pem")
        let run = try PinctlRun.spawn(["diff", "a.pem", "b.pem"], folder: folder.url)
        #expect(run.status == 1 && run.text.contains("+ "), "\(run)")
    }

    @Test func findsANewKeyOfTheServer() throws {
        try OpenSSLServer.run { first in
            try OpenSSLServer.run("leaf-rsa", chain: "intermediate-rsa.pem") { second in
                let options = ["--anchors", pki.path("root.pem"), "--anchors", pki.path("root-rsa.pem")]
                let lines = try diff(first.localhost, second.localhost, status: 1, options)
                let expected = try [
                    ("-", "leaf"), ("+", "leaf-rsa"), ("-", "intermediate"), ("+", "intermediate-rsa"), ("-", "root"),
                    ("+", "root-rsa"),
                ]
                .map { mark, name in "\(mark) key \(try pki.pin(name))" }
                #expect(lines.map { $0.split(separator: " ").prefix(3).joined(separator: " ") } == expected)
            }
        }
    }

    /// `openssl s_client -showcerts` saves no root that the server does not send.
    @Test func comparesASavedChainWithoutItsRoot() throws {
        try OpenSSLServer.run { server in
            let chain = try ["leaf.pem", "intermediate.pem"].map { try pki.folder.text($0) }
            try folder.write(chain.joined(), to: "saved.pem")
            #expect(try diff(folder.path("saved.pem"), server.localhost, status: 0, anchors).isEmpty)
            #expect(try diff(server.localhost, folder.path("saved.pem"), status: 0, anchors).isEmpty)
            // A certificate that the server sends counts.
            try folder.write(chain[0], to: "leaf.pem")
            let lines = try diff(folder.path("leaf.pem"), server.localhost, status: 1, anchors)
            let intermediate = try pki.pin("intermediate")
            #expect(lines.count == 1 && lines.first?.hasPrefix("+ key \(intermediate)") == true, "\(lines)")
        }
    }

    @Test func comparesASetWithAHost() throws {
        try OpenSSLServer.run { server in
            for (pin, status) in [("root", Int32(0)), ("other-root", 1)] {
                try folder.write(#"{"version":1,"hosts":{"localhost":["\#(try pki.pin(pin))"]}}"#, to: "pins.json")
                let lines = try diff(folder.path("pins.json"), server.localhost, status: status, anchors)
                #expect(lines.first?.hasPrefix("\(status == 0 ? "=" : "-") localhost pin \(try pki.pin(pin))") == true)
                let leaf = try pki.pin("leaf")
                #expect(lines.contains { $0.hasPrefix("+ key \(leaf)") })
                let swapped = try diff(server.localhost, folder.path("pins.json"), status: status, anchors)
                #expect(swapped.first?.hasPrefix("\(status == 0 ? "=" : "+") localhost pin") == true)
            }
            // No pin is compared with a chain that is not trusted.
            let lines = try diff(folder.path("pins.json"), server.localhost, status: 1)
            #expect(lines.count == 1)
            #expect(lines.first?.hasPrefix("+ trust not trusted") == true)
        }
    }

    @Test func connectsToTheEndpointOfTheSet() throws {
        try OpenSSLServer.run { server in
            func write(_ endpoints: String...) throws {
                let list = endpoints.map { "\"\($0)\"" }.joined(separator: ",")
                let set =
                    #"{"version":1,"hosts":{"localhost":{"endpoints":[\#(list)],"pins":["\#(try pki.pin("root"))"]}}}"#
                try folder.write(set, to: "pins.json")
            }
            try write(server.localhost)
            for operands in [["pins.json", "localhost"], ["LOCALHOST", "pins.json"]] {
                let run = try PinctlRun.spawn(["diff"] + operands + anchors, folder: folder.url)
                #expect(run.status == 0 && run.text.hasPrefix("= localhost pin"), "\(run)")
            }
            try write(server.localhost, "localhost:1")
            let several = try PinctlRun.spawn(["diff", "pins.json", "localhost"] + anchors, folder: folder.url)
            #expect(several.status == 2, "\(several)")
            #expect(several.errors.contains("hint: name \(server.localhost) or localhost:1, or use"), "\(several)")
            let named = try PinctlRun.spawn(["diff", "pins.json", server.localhost] + anchors, folder: folder.url)
            #expect(named.status == 0, "\(named)")
        }
    }

    @Test func comparesASetWithASavedChain() throws {
        try folder.write(#"{"version":1,"hosts":{"localhost":["\#(try pki.pin("root"))"]}}"#, to: "pins.json")
        let lines = try diff(folder.path("pins.json"), pki.path("leaf.chain.pem"), status: 0, anchors)
        #expect(lines.first?.hasPrefix("= localhost pin") == true)
    }

    /// A pin can be in an entry several times. Only the one whose role and state allow it matches the chain.
    @Test(arguments: [#""role":"any","state":"retired""#, #""role":"intermediate""#])
    func onlyTheMatchingPinIsEqual(other: String) throws {
        let leaf = try pki.pin("leaf")
        let pins = #"{"sha256":"\#(leaf)",\#(other)},{"sha256":"\#(leaf)","role":"leaf"}"#
        try folder.write(#"{"version":1,"hosts":{"localhost":{"pins":[\#(pins)]}}}"#, to: "pins.json")
        let lines = try diff(folder.path("pins.json"), pki.path("leaf.chain.pem"), status: 0, anchors)
        #expect(lines.filter { $0.hasPrefix("=") } == ["= localhost pin \(leaf) leaf active"])
        #expect(lines.first?.hasPrefix("- localhost role \(leaf)") == true, "\(lines)")
    }

    @Test(arguments: [
        (["leaf"], ["leaf", "ca"], ["+ P ca active"]), (["leaf", "ca"], ["ca"], ["- P leaf active"]),
        (["leaf", "ca"], ["ca", "leaf"], []), (["leaf", "leaf"], ["leaf"], []),
        (["leaf"], ["ca"], ["~ P leaf active -> ca active"]),
        (["any"], ["any", "leaf retired"], ["+ P leaf retired"]),
        (["leaf", "any"], ["leaf", "ca", "root"], ["~ P any active -> ca active", "+ P root active"]),
    ])
    func comparesEachRoleOfAPin(a: [String], b: [String], differences: [String]) throws {
        let root = try pki.pin("root")
        for (name, roles) in [("a.json", a), ("b.json", b)] {
            let pins = roles.map { text in
                let words = text.split(separator: " ")
                return
                    #"{"sha256":"\#(root)","role":"\#(words[0])","state":"\#(words.count > 1 ? words[1] : "active")"}"#
            }
            try folder.write(
                #"{"version":1,"hosts":{"localhost":{"pins":[\#(pins.joined(separator: ","))]}}}"#, to: name)
        }
        let lines = try diff(folder.path("a.json"), folder.path("b.json"), status: differences.isEmpty ? 0 : 1)
        #expect(lines == differences.map { $0.replacing(" P ", with: " localhost pin \(root) ") })
    }

    /// Files with one name beside two sets. If one is missing, only the names are compared.
    @Test(arguments: [("root", 0), ("root-rsa", 1), (nil, 0)] as [(String?, Int32)])
    func comparesTheCertificatesOfAnchors(other: String?, status: Int32) throws {
        for (name, anchor) in [("a", "root"), ("b", other)] {
            try FileManager.default.createDirectory(
                atPath: folder.path(name), withIntermediateDirectories: false)
            try folder.write(
                #"{"version":1,"hosts":{"localhost":{"anchors":["own.pem"],"pins":["\#(try pki.pin("root"))"]}}}"#,
                to: "\(name)/pins.json")
            guard let anchor else { continue }
            try FileManager.default.copyItem(atPath: pki.path("\(anchor).pem"), toPath: folder.path("\(name)/own.pem"))
        }
        let lines = try diff(folder.path("a/pins.json"), folder.path("b/pins.json"), status: status)
        let paths = ["a", "b"].map { folder.path("\($0)/own.pem") }
        #expect(lines == (status == 0 ? [] : ["~ localhost anchors \(paths[0]) -> \(paths[1])"]))
    }

    /// The entry of the set names the anchors for its host.
    @Test func usesTheAnchorsOfTheEntry() throws {
        try OpenSSLServer.run { server in
            for (anchor, trusted) in [("root", true), ("other-root", false)] {
                try folder.write(try pki.text("\(anchor).pem"), to: "own.pem")
                try folder.write(
                    #"{"version":1,"hosts":{"localhost":{"anchors":["own.pem"],"pins":["\#(try pki.pin("root"))"]}}}"#,
                    to: "pins.json")
                for side in [server.localhost, pki.path("leaf.chain.pem")] {
                    for arguments in [[folder.path("pins.json"), side], [side, folder.path("pins.json")]] {
                        let run = try PinctlRun.spawn(
                            ["diff"] + arguments, environment: ["SSL_CERT_FILE": pki.path("root.pem")])
                        #expect(run.status == (trusted ? 0 : 1), "\(run)")
                        #expect(run.text.contains("not trusted") != trusted, "\(run)")
                    }
                }
            }
        }
    }

    @Test func comparesASavedChainWithAHost() throws {
        try OpenSSLServer.run { server in
            let run = try PinctlRun.spawn(
                ["fetch", server.localhost, "--format", "pem", "--output", folder.path("chain.pem")] + anchors)
            #expect(run.status == 0)
            #expect(try diff(folder.path("chain.pem"), server.localhost, status: 0, anchors).isEmpty)
        }
    }
}
