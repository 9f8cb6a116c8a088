import Foundation
import InProcessRuns
import TestSupport
import Testing

/// Pins of known CAs have names if the set contains no label.
@Suite(.blocking) struct KnownNameTests {
    private static let systemRoots = "/usr/share/ca-certificates/mozilla/"
    private static let pin = "C5+lpZ7tcVwmwQIMcRtPbsQtWLABXhQzejna0wHFr8M="

    private func verify(_ key: String, _ more: String...) async throws -> PinctlRun {
        let pki = try TestPKI.shared()
        let set = #"{"version":1,"hosts":{"localhost":{"pins":[\#(key)]}}}"#
        let command = [
            "verify", "--pins", "-", "--chain", pki.path("leaf.chain.pem"), "--anchors", pki.path("root.pem"),
        ]
        return try PinctlRun.inProcess(command + more + ["localhost"], input: Array(set.utf8), folder: pki.folder.url)
    }

    @Test func pinWithoutALabelHasTheNameOfItsCA() async throws {
        let named = try await verify(#"{"sha256":"\#(Self.pin)"}"#)
        #expect(named.text.contains("active  ISRG Root X1\n"), "\(named.output)")
        let labelled = try await verify(#"{"sha256":"\#(Self.pin)","label":"Ours"}"#)
        #expect(labelled.text.contains("active  Ours\n"))
        #expect(!labelled.text.contains("ISRG"))
    }

    @Test func jsonContainsTheName() async throws {
        let run = try await verify(#"{"sha256":"\#(Self.pin)","label":"Ours"}"#, "--format", "json")
        let document = try #require(
            try JSONSerialization.jsonObject(with: Data(run.output)) as? [String: Any])
        let result = try #require((document["results"] as? [[String: Any]])?.first)
        let expected = try #require((result["expected"] as? [[String: Any]])?.first)
        #expect(expected["knownAs"] as? String == "ISRG Root X1")
        let leaf = try #require((result["chain"] as? [[String: Any]])?.first)
        #expect(leaf["knownAs"] is NSNull)
    }

    /// The subject of the first is only "GlobalSign".
    @Test(
        .enabled(if: FileManager.default.fileExists(atPath: systemRoots)),
        arguments: [
            ("GlobalSign_Root_CA_-_R3", "  GlobalSign Root CA - R3"), ("ISRG_Root_X1", ""),
            ("Starfield_Class_2_CA", ""),
        ])
    func nameIsFromTheTableNotTheCertificate(file: String, remark: String) async throws {
        let path = Self.systemRoots + file + ".crt"
        let pin = try PinctlRun.inProcess(["hash", path]).text.dropLast()
        let text = try PinctlRun.inProcess(["hash", "-f", "text", path]).text
        #expect(text.hasSuffix("  pin  \(pin)\(remark)\n"), "\(text)")
    }

    /// A private CA has a name if it is installed.
    @Test(arguments: ["file", "folder", "--anchors", "set"]) func installedCAHasItsName(where place: String)
        throws
    {
        let pki = try TestPKI.shared()
        let folder = try TemporaryFolder("names")
        defer { folder.remove() }
        var environment = ["SSL_CERT_FILE": "/dev/null", "SSL_CERT_DIR": folder.path]
        var anchors = ""
        var options = ["--anchors", pki.path("root.pem")]
        switch place {
        case "file":
            try folder.write(try pki.text("root.pem") + pki.text("other-root.pem"), to: "store.pem")
            environment["SSL_CERT_FILE"] = folder.path("store.pem")
            options = []
        case "folder":
            let hash = try ChildProcess.output(of: [
                "openssl", "x509", "-hash", "-noout", "-in", pki.path("other-root.pem"),
            ])
            let name = String(decoding: hash, as: UTF8.self).trimmingCharacters(in: .whitespacesAndNewlines) + ".0"
            try folder.write(try pki.bytes("other-root.pem"), to: name)
            environment["SSL_CERT_FILE"] = pki.path("root.pem")
            options = []
        case "--anchors":
            options += ["--anchors", pki.path("other-root.pem")]
        default:
            for name in ["root", "other-root"] { try folder.write(try pki.bytes("\(name).pem"), to: "\(name).pem") }
            anchors = #""anchors":["root.pem","other-root.pem"],"#
            options = []
        }
        let name = try ChildProcess.output(
            of: [
                "sh", "-c",
                "openssl x509 -in \"$0\" -noout -subject -nameopt multiline | sed -n 's/.*commonName *= //p'",
                pki.path("other-root.pem"),
            ])
        let expected = String(decoding: name, as: UTF8.self).trimmingCharacters(in: .whitespacesAndNewlines)
        #expect(!expected.isEmpty)

        func verify(_ role: String, _ options: [String], _ more: [String] = []) throws -> PinctlRun {
            let key = #"{"sha256":"\#(try pki.pin("other-root"))","role":"\#(role)"}"#
            try folder.write(#"{"version":1,"hosts":{"localhost":{\#(anchors)"pins":[\#(key)]}}}"#, to: "pins.json")
            let command = ["verify", "--pins", "pins.json", "--chain", pki.path("leaf.chain.pem"), "localhost"]
            return try PinctlRun.inProcess(command + options + more, environment: environment, folder: folder.url)
        }
        let text = try verify("root", options)
        #expect(text.text.contains("active  \(expected)\n"), "\(text)")
        func known(_ run: PinctlRun) throws -> (expected: Any?, anchor: Any?) {
            let document = try #require(try JSONSerialization.jsonObject(with: Data(run.output)) as? [String: Any])
            let result = try #require((document["results"] as? [[String: Any]])?.first)
            return (
                (result["expected"] as? [[String: Any]])?.first?["knownAs"],
                (result["chain"] as? [[String: Any]])?.last?["knownAs"]
            )
        }
        let json = try known(try verify("any", options, ["-f", "json"]))
        #expect(json.expected as? String == expected)
        #expect(json.anchor as? String == "Example Test Root")
        // A leaf's key has no CA name.
        #expect(try known(try verify("leaf", options, ["-f", "json"])).expected is NSNull)
        anchors = ""
        environment = ["SSL_CERT_FILE": pki.path("root.pem"), "SSL_CERT_DIR": "/nonexistent"]
        #expect(try known(try verify("any", [], ["-f", "json"])).expected is NSNull)
    }

    @Test func keyOfAnInstalledCAHasItsName() throws {
        let pki = try TestPKI.shared()
        let key = try ChildProcess.output(of: ["openssl", "x509", "-in", pki.path("root.pem"), "-noout", "-pubkey"])
        let store = ["SSL_CERT_FILE": pki.path("root.pem"), "SSL_CERT_DIR": "/nonexistent"]
        let text = try PinctlRun.inProcess(["hash", "-", "-f", "text"], environment: store, input: key)
        #expect(text.text.contains("  Example Test Root\n"), "\(text)")
        let json = try PinctlRun.inProcess(["hash", "-", "-f", "json"], environment: store, input: key)
        #expect(json.text.contains(#""knownAs": "Example Test Root""#), "\(json)")
        let elsewhere = ["SSL_CERT_FILE": pki.path("other-root.pem"), "SSL_CERT_DIR": "/nonexistent"]
        let other = try PinctlRun.inProcess(["hash", "-", "-f", "json"], environment: elsewhere, input: key)
        #expect(other.text.contains(#""knownAs": null"#), "\(other)")
    }

    /// A lease on the store shows whether a process opens it (fcntl(2)). A process that opens it waits until the lease is released.
    @Test(
        .enabled(if: Lease.isSupported, "the system grants no leases"),
        arguments: [
            ["fetch"], ["fetch", "-f", "json"], ["verify", "--pins", "pins.json"], ["hash"], ["hash", "-f", "json"],
        ])
    func readsTheStoreOnlyIfNecessary(command: [String]) throws {
        let pki = try TestPKI.shared()
        let folder = try TemporaryFolder("unread")
        defer { folder.remove() }
        try folder.write("", to: "store.pem")
        let key = #"{"sha256":"\#(try pki.pin("leaf"))"}"#
        try folder.write(#"{"version":1,"hosts":{"localhost":{"pins":[\#(key)]}}}"#, to: "pins.json")
        let environment = ["SSL_CERT_FILE": folder.path("store.pem"), "SSL_CERT_DIR": "/nonexistent"]
        func run(_ more: [String]) throws -> PinctlRun {
            let lease = try #require(Lease(on: folder.path("store.pem")))
            let run = try PinctlRun.spawn(
                command + more, environment: environment, folder: folder.url, atMost: .seconds(20))
            #expect(lease.isHeld, "the store was opened")
            return run
        }
        guard command.first != "hash" else {
            try #expect(run([pki.path("leaf.pem")]).status == 0)
            return
        }
        try Nginx.run {
            Nginx.host($0, "leaf")
        } _: { server in
            let outcome = try run([server.localhost, "--anchors", pki.path("root.pem")])
            #expect(outcome.status == 0, "\(outcome)")
        }
    }

    /// A store that is a pipe is ignored, with a warning: opening it would wait for a writer.
    @Test func ignoresAStoreThatIsAPipe() throws {
        let pki = try TestPKI.shared()
        let folder = try TemporaryFolder("pipe")
        defer { folder.remove() }
        _ = try ChildProcess.output(of: ["mkfifo", folder.path("store.pem")])
        let environment = ["SSL_CERT_FILE": folder.path("store.pem"), "SSL_CERT_DIR": pki.path("hashed")]
        try Nginx.run {
            Nginx.host($0, "leaf-rsa")
        } _: { server in
            let run = try PinctlRun.spawn(
                ["fetch", server.localhost], environment: environment, folder: folder.url, atMost: .seconds(20))
            #expect(run.errors.contains("which is not a regular file and is ignored"), "\(run)")
        }
    }
}
