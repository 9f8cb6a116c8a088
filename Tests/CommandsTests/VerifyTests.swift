import Foundation
import InProcessRuns
import TestSupport
import Testing

/// `pinctl verify --chain`: the output and the exit status of each verdict.
@Suite(.blocking) struct VerifyTests {
    private let pki: TestPKI

    init() throws { pki = try TestPKI.shared() }

    private func pin(_ name: String) -> String { (try? pki.pin(name)) ?? "there is no certificate \(name)" }

    /// Writes a pin set of one host next to the certificates.
    private func entry(_ host: String = "localhost", _ keys: String = "", pins: String...) -> String {
        #"{"version":1,"hosts":{"\#(host)":{\#(keys)"pins":[\#(pins.joined(separator: ","))]}}}"#
    }

    private func key(_ name: String, _ role: String = "any", _ more: String = "") -> String {
        #"{"sha256":"\#(pin(name))","role":"\#(role)"\#(more)}"#
    }

    private func verify(
        _ set: String, chain: String = "leaf.chain.pem", anchors: String? = "root.pem", _ more: String...
    ) async throws -> PinctlRun {
        let trust = anchors.map { ["--anchors", pki.path($0)] } ?? []
        return try PinctlRun.inProcess(
            ["verify", "--pins", "-", "--chain", pki.path(chain)] + trust + more, input: Array(set.utf8),
            folder: pki.folder.url
        )
    }

    // MARK: Match

    @Test(arguments: [("leaf", "leaf"), ("intermediate", "intermediate"), ("intermediate", "ca"), ("root", "root")])
    func matchesInItsRole(name: String, role: String) async throws {
        let run = try await verify(entry(pins: key("other-root"), key(name, role, #","label":"Ours""#)))
        #expect(run.text == "localhost  match  \(name)  \(pin(name).prefix(6))…  Ours\n")
        #expect(run.errors == "")
        #expect(run.status == 0)
    }

    @Test func namesTheCertificateIfThePinHasNoLabel() async throws {
        let run = try await verify(#"{"version":1,"hosts":{"localhost":["sha256//\#(pin("root"))"]}}"#)
        #expect(run.text == "localhost  match  root  \(pin("root").prefix(6))…  Example Test Root\n")
    }

    @Test func reportsABackupPin() async throws {
        let run = try await verify(entry(pins: key("leaf", "leaf", #","state":"backup""#)))
        #expect(run.text.hasSuffix("  localhost (backup)\n"))
        #expect(run.status == 0)
    }

    @Test func appliesTheEntryOfAParent() async throws {
        let set = entry("example.test", #""subdomains":"one","#, pins: key("root"))
        #expect(try await verify(set, "API.example.test").status == 0)
        let deeper = try await verify(set, "b.api.example.test")
        #expect(deeper.text.hasPrefix("b.api.example.test  no-pins\n"))
        #expect(deeper.errors.contains(#"add "subdomains": "all" to the entry of "example.test""#))
        #expect(deeper.status == 1)
    }

    @Test func verifiesAnAddress() async throws {
        #expect(try await verify(entry("127.0.0.1", pins: key("leaf"))).status == 0)
        #expect(try await verify(entry("::1", pins: key("leaf")), "[0:0::1]:8443").status == 0)
    }

    // MARK: No match

    @Test func showsExpectedAndSeenPins() async throws {
        let set = entry(
            pins: key("other-root", "root", #","label":"Our Root""#), key("leaf-www", "leaf", #","state":"backup""#),
            key("leaf-api", "leaf", #","state":"retired""#)
        )
        let run = try await verify(set)
        #expect(
            run.text == """
                localhost  mismatch
                  the chain is valid under "Example Test Root" of --anchors, but no pin matches
                  expected   root          active  Our Root
                             pin           \(pin("other-root"))
                             leaf          backup
                             pin           \(pin("leaf-www"))
                  seen       leaf          localhost
                             pin           \(pin("leaf"))
                             intermediate  Example Test Intermediate
                             pin           \(pin("intermediate"))
                             root          Example Test Root
                             pin           \(pin("root"))

                """
        )
        #expect(run.errorLines.count == 1)
        #expect(run.errors.hasPrefix("pinctl: localhost fails (mismatch); next: "))
        #expect(run.status == 1)
    }

    @Test func explainsNearMisses() async throws {
        let set = entry(pins: key("intermediate", "root"), key("leaf", "leaf", #","state":"retired""#))
        let run = try await verify(set)
        #expect(
            run.text.hasSuffix(
                """
                  near miss  the intermediate's pin is in the set, but only as root
                             the leaf's pin is in the set, but marked retired

                """
            )
        )
        #expect(run.errors.contains("if this pin should match the intermediate"))
        #expect(run.status == 1)
    }

    /// CVE-2016-2402: a certificate that a server appends is not in the validated chain.
    @Test func ignoresAppendedCertificates() async throws {
        let run = try await verify(entry(pins: key("other-root")), chain: "leaf.extra.pem")
        #expect(run.text.hasPrefix("localhost  mismatch\n"))
        #expect(run.status == 1)
    }

    @Test func reportsAMismatchThatIsNotEnforced() async throws {
        let run = try await verify(entry("localhost", #""enforce":false,"#, pins: key("other-root")))
        #expect(run.text.hasPrefix("localhost  mismatch (not enforced)\n"))
        #expect(run.status == 0)
        let untrusted = try await verify(
            entry("localhost", #""enforce":false,"#, pins: key("leaf")), anchors: "other-root.pem"
        )
        #expect(untrusted.status == 1)
    }

    // MARK: Untrusted

    /// Each chain contains the pin, which must not count.
    @Test(arguments: [
        ("leaf.chain.pem", "leaf", "other-root.pem", "localhost", "unknown authority"),
        ("leaf-expired.chain.pem", "leaf-expired", "root.pem", "localhost", "expired on 2021-01-01"),
        ("leaf.chain.pem", "leaf", "root.pem", "example.org", "is not for \"example.org\""),
        ("leaf.no-intermediate.pem", "leaf", "root.pem", "localhost", "did not send the certificate of"),
        ("leaf-self-signed.pem", "leaf-self-signed", "root.pem", "localhost", "self-signed"),
    ])
    func comparesNoPinsWithoutTrust(
        chain: String, leaf: String, anchors: String, host: String, reason: String
    ) async throws {
        let run = try await verify(entry(host, pins: key(leaf)), chain: chain, anchors: anchors)
        #expect(run.text.hasPrefix("\(host)  untrusted\n"))
        #expect(run.text.contains(reason))
        #expect(run.text.contains("no pin was compared"))
        #expect(!run.text.contains(pin(leaf)))
        #expect(run.errors.hasPrefix("pinctl: \(host) fails (untrusted); next: "))
        #expect(run.status == 1)
    }

    @Test func validatesAtAnotherTime() async throws {
        let set = entry(pins: key("leaf-expired"))
        #expect(try await verify(set, chain: "leaf-expired.chain.pem", "--at", "2020-06-01").status == 0)
        let early = try await verify(entry(pins: key("leaf")), "--at", "2019-06-01")
        #expect(early.text.contains("untrusted"))
    }

    // MARK: The set's own date

    @Test func appliesTheExpiryDateOfTheSet() async throws {
        let set = entry("localhost", #""expires":"2026-06-01","#, pins: key("leaf"))
        let after = try await verify(set, "--at", "2026-06-01")
        #expect(after.text.hasPrefix("localhost  expired\n"))
        #expect(after.text.hasSuffix("  the chain is valid, and the expired pins would match\n"))
        #expect(after.errors.contains("standard input:1:23"))
        #expect(after.status == 1)

        let lastMonth = try await verify(set, "--at", "2026-05-30T12:00:00Z")
        #expect(
            lastMonth.errorLines.first == #"pinctl: warning: the pins of "localhost" expire on 2026-06-01, in 1 day"#)
        #expect(lastMonth.status == 0)
        #expect(try await verify(set, "--at", "2026-05-01").errors == "")
    }

    // MARK: Anchors

    @Test func anchorPathsAreRelativeToTheSet() async throws {
        let file = pki.folder.url.appending(path: "set-with-anchors.json")
        defer { try? FileManager.default.removeItem(at: file) }
        for (anchor, status) in [("root.pem", 0), ("root.der", 0), ("anchors", 0), ("other-root.pem", 1)]
            as [(String, Int32)]
        {
            let set = entry("localhost", #""anchors":["\#(anchor)"],"#, pins: key("root"))
            try Data(set.utf8).write(to: file)
            // From another folder, so that the path must be relative to the set.
            let run = try PinctlRun.inProcess(
                ["verify", "--pins", file.path(), "--chain", pki.path("leaf.chain.pem")],
                folder: pki.folder.url.appending(path: "anchors")
            )
            #expect(run.status == status, "\(anchor): \(run.text)")
        }
    }

    @Test func commandLineTakesPrecedenceOverTheSet() async throws {
        let set = entry("localhost", #""anchors":["nowhere.pem"],"#, pins: key("root"))
        #expect(try await verify(set).status == 0)
        let run = try await verify(set, anchors: nil)
        #expect(
            run.errorLines.first
                == #"pinctl: error: standard input:1:23: the anchors of "localhost": there is no file "nowhere.pem""#
        )
        #expect(run.text == "")
        #expect(run.status == 2)
    }

    @Test func systemAnchorsAddToTheAnchorsOfTheSet() async throws {
        let set = entry("localhost", #""anchors":["other-root.pem"],"#, pins: key("root"))
        let system = ["SSL_CERT_FILE": pki.path("root.pem"), "SSL_CERT_DIR": pki.path("anchors")]
        for (flags, status) in [([], 1), (["--system-anchors"], 0)] as [([String], Int32)] {
            let run = try PinctlRun.inProcess(
                ["verify", "--pins", "-", "--chain", "leaf.chain.pem"] + flags, environment: system,
                input: Array(set.utf8), folder: pki.folder.url
            )
            #expect(run.status == status, "\(flags): \(run.text)")
        }
    }

    // MARK: JSON

    @Test(arguments: ["json", "ndjson"])
    func writesJSON(format: String) async throws {
        let set = entry(
            pins: key("root", "leaf"), key("intermediate", "ca", #","label":"ours""#),
            key("leaf", "leaf", #","state":"backup""#)
        )
        let run = try await verify(set, "--format", format)
        var object = try #require(JSONSerialization.jsonObject(with: Data(run.text.utf8)) as? [String: Any])
        if format == "json" {
            #expect(object["schema"] as? String == "pinctl/verify/1")
            object = try #require((object["results"] as? [[String: Any]])?.first)
        } else {
            #expect(run.text.split(separator: "\n").count == 1)
        }
        #expect(object["target"] as? String == "localhost:443")
        #expect(object["host"] as? String == "localhost")
        #expect(object["verdict"] as? String == "match")
        #expect(object["enforced"] as? Bool == true)
        #expect(object["error"] is NSNull)
        let matched = try #require(object["matched"] as? [[String: Any]])
        #expect(matched.map { $0["pin"] as? String } == [pin("intermediate"), pin("leaf")])
        #expect(matched.map { $0["role"] as? String } == ["intermediate", "leaf"])
        #expect(matched.map { $0["position"] as? Int } == [1, 0])
        #expect(matched.map { $0["state"] as? String } == ["active", "backup"])
        #expect(matched.first?["label"] as? String == "ours")
        #expect(matched.first?["subject"] as? String == "CN=Example Test Intermediate, O=Example Test PKI")
        let expected = try #require(object["expected"] as? [[String: Any]])
        #expect(expected.map { $0["role"] as? String } == ["leaf", "ca", "leaf"])
        let chain = try #require(object["chain"] as? [[String: Any]])
        #expect(chain.map { $0["pin"] as? String } == ["leaf", "intermediate", "root"].map { pin($0) })
        #expect(run.errors == "")
        #expect(run.status == 0)
    }

    @Test func writesReasonsInJSON() async throws {
        let run = try await verify(entry(pins: key("root", "leaf")), "--format", "ndjson")
        let object = try #require(JSONSerialization.jsonObject(with: Data(run.text.utf8)) as? [String: Any])
        #expect(object["verdict"] as? String == "mismatch")
        #expect((object["matched"] as? [Any])?.isEmpty == true)
        let misses = try #require(object["nearMisses"] as? [[String: Any]])
        #expect(misses.map { $0["pin"] as? String } == [pin("root")])
        #expect(misses.first?["reason"] as? String == "role")
        #expect(misses.first?["message"] as? String == "the root's pin is in the set, but only as leaf")
        // The message contains the reason, for readers of a job's log.
        #expect(run.errorLines.count == 1)
        #expect(run.errors.hasPrefix("pinctl: localhost fails (mismatch); next: if this pin should match the root"))
        #expect(run.status == 1)
    }
}
