import Foundation
import InProcessRuns
import TestSupport
import Testing

/// `pinctl verify --as`: the output below the verdict, and the exit status.
@Suite(.blocking) struct VerifyAsTests {
    private let pki: TestPKI

    init() throws { pki = try TestPKI.shared() }

    /// A pin set with one host. A pin is given by the name and the role of a certificate.
    private func set(_ host: String, _ keys: String = "", pins: [(String, String)]) throws -> String {
        let pins = try pins.map { #"{"sha256":"\#(try pki.pin($0.0))","role":"\#($0.1)"}"# }.joined(separator: ",")
        return #"{"version":1,"hosts":{"\#(host)":{\#(keys)"pins":[\#(pins)]}}}"#
    }

    private func verify(
        _ set: String, _ more: String..., anchors: String = "root.pem", chain: String = "leaf.chain.pem"
    ) async throws -> PinctlRun {
        try PinctlRun.inProcess(
            ["verify", "--pins", "-", "--chain", pki.path(chain), "--anchors", pki.path(anchors)] + more,
            input: Array(set.utf8), folder: pki.folder.url)
    }

    private func platforms(_ run: PinctlRun) throws -> [[String: String]] {
        let object = try #require(JSONSerialization.jsonObject(with: Data(run.output)) as? [String: Any])
        let result = try #require((object["results"] as? [[String: Any]])?.first)
        return try #require(result["platforms"] as? [[String: String]])
    }

    @Test func addsOneLineForOnePlatform() async throws {
        let run = try await verify(try set("localhost", pins: [("root", "root")]), "--as", "android")
        let pin = try pki.pin("root").prefix(6)
        #expect(
            run.text == """
                localhost  match  root  \(pin)…  Example Test Root
                  android  accepts  the longest domain-config that covers the host, localhost, has the pin of the root

                """)
        #expect(run.errors == "")
        #expect(run.status == 0)
    }

    /// A platform that rejects the chain makes the run fail, also if the set only reports a mismatch.
    @Test func aRejectionOfAReportedMismatchIsInTheReports() async throws {
        let pin = try pki.pin("other-root")
        let set = #"{"version":1,"hosts":{"localhost":{"enforce":false,"pins":["\#(pin)"]}}}"#
        for (format, part) in [
            ("junit", #"failures="1""#), ("sarif", #""level": "error""#), ("github", "::error "),
            ("prometheus", "} 0\n"), ("text", "  mismatch"),
        ] {
            let run = try await verify(set, "--as", "android", "--format", format)
            #expect(run.status == 1 && run.text.contains(part), "\(run)")
            #expect(
                run.errors.hasSuffix(
                    "localhost fails (a platform rejects); next: check the rule that each platform reports\n"), "\(run)"
            )
        }
    }

    @Test func printsATableOfAllPlatforms() async throws {
        let run = try await verify(
            try set("wrong.example.org", pins: [("intermediate", "ca"), ("other-root", "ca")]), "--as", "all",
            chain: "leaf-wrong-name.chain.pem")
        let lines = run.text.split(separator: "\n").map(String.init)
        #expect(
            lines.dropFirst().dropLast().map { $0.split(separator: " ").prefix(2).joined(separator: " ") } == [
                "apple accepts", "android accepts", "okhttp accepts", "trustkit accepts", "trustkit-android accepts",
                "alamofire accepts", "cronet accepts", "hpkp accepts", "curl not-pinned", "wultra not-pinned",
                "chromium accepts", "react-native accepts", "react-native-ssl-manager accepts",
            ])
        // "react-native-ssl-manager" and "not-pinned" are the longest of their columns.
        #expect(lines.contains { $0.hasPrefix("  curl                      not-pinned  ") })
        #expect(lines.contains { $0.hasPrefix("  trustkit-android          accepts     ") })
        #expect(
            lines.last
                == "  2 platforms disagree with pinctl's verdict, match: curl (not-pinned), wultra (not-pinned)")
        #expect(run.status == 0)
    }

    @Test func reportsThatAllPlatformsAgree() async throws {
        let run = try await verify(
            try set("wrong.example.org", pins: [("leaf-wrong-name", "leaf"), ("other-root", "leaf")]), "--as", "all",
            chain: "leaf-wrong-name.chain.pem")
        #expect(run.text.hasSuffix("\n  all platforms agree with pinctl's verdict, match\n"))
        #expect(run.status == 0)
    }

    /// The host matches for pinctl, and the platform rejects it.
    @Test(arguments: [
        ("trustkit", "refuses-config"), ("hpkp", "refuses-config"), ("apple", "rejects"),
    ])
    func failsIfAPlatformRejects(platform: String, verdict: String) async throws {
        let set = try set("api.example.test", pins: [("leaf", "any")])
        let run = try await verify(set, "--as", platform)
        #expect(run.text.hasPrefix("api.example.test  match  "))
        #expect(run.text.contains("\n  \(platform)  \(verdict)  "))
        #expect(run.status == 1)
        #expect(try await verify(set).status == 0)
    }

    /// The platform accepts the host, and pinctl's verdict determines the status.
    @Test func failsIfPinctlRejects() async throws {
        let run = try await verify(try set("localhost", pins: [("leaf-www", "ca")]), "--as", "curl")
        #expect(run.text.hasPrefix("localhost  mismatch\n"))
        #expect(run.text.contains("\n  curl  not-pinned  "))
        #expect(run.status == 1)
    }

    @Test func rejectsAnUntrustedChain() async throws {
        let run = try await verify(
            try set("wrong.example.org", pins: [("leaf-wrong-name", "leaf"), ("other-root", "leaf")]), "--as", "all",
            "-f", "json", anchors: "other-root.pem", chain: "leaf-wrong-name.chain.pem")
        let platforms = try platforms(run)
        #expect(platforms.count == 13)
        #expect(platforms.allSatisfy { $0["verdict"] == "rejects" })
        #expect(platforms.allSatisfy { $0["rule"]?.contains("does not validate") == true })
        #expect(run.status == 1)
    }

    @Test func jsonHasEachPlatformOnceInTheGivenOrder() async throws {
        let set = try set("example.test", #""subdomains":"all","#, pins: [("root", "root"), ("other-root", "root")])
        let run = try await verify(
            set, "--as", "okhttp", "--as", "apple", "--as", "okhttp", "b.api.example.test", "-f", "json")
        let platforms = try platforms(run)
        #expect(platforms.map { $0["platform"] } == ["okhttp", "apple"])
        #expect(Swift.Set(platforms.flatMap { $0.keys }) == ["platform", "verdict", "rule"])

        let one = try await verify(set, "--as", "apple", "api.example.test", "-f", "json")
        #expect(try self.platforms(one).map { $0["verdict"] } == ["accepts"])
        #expect(try self.platforms(try await verify(set, "api.example.test", "-f", "json")).isEmpty)
    }

    /// pinctl does not connect to the host, whose port has no listener.
    @Test func hasAVerdictForAnUncoveredHost() throws {
        let set = try set("api.example.com", pins: [("leaf", "leaf"), ("other-root", "leaf")])
        let target = "example.org:\(try LoopbackSocket(boundTo: .ipv4).port)"
        func verify(_ more: String...) throws -> PinctlRun {
            try PinctlRun.inProcess(
                ["verify", "--pins", "-", target, "--connect-to", "127.0.0.1", "--as", "all"] + more,
                input: Array(set.utf8), folder: pki.folder.url)
        }
        let json = try verify("-f", "json")
        #expect(json.status == 1, "\(json)")
        let verdicts = try Dictionary(
            platforms(json).map { ($0["platform"] ?? "", $0["verdict"] ?? "") }, uniquingKeysWith: { first, _ in first }
        )
        #expect(verdicts.count == 13)
        #expect(verdicts.allSatisfy { $0.value == "not-pinned" })
        let text = try verify()
        #expect(text.text.hasPrefix("\(target)  no-pins\n"), "\(text)")
        #expect(text.text.hasSuffix("\n  all platforms agree with pinctl's verdict, no-pins\n"), "\(text)")
    }

    /// On a platform without an equivalent, "one" means every depth. So the platform's verdict depends on the chain.
    @Test func contactsAHostThatOnlyAPlatformCovers() throws {
        let set = try set("example.test", #""subdomains":"one","#, pins: [("root", "root"), ("other-root", "root")])
        func verify(_ name: String, _ port: UInt16, _ platforms: String...) throws -> PinctlRun {
            try PinctlRun.inProcess(
                [
                    "verify", "--pins", "-", "-f", "json", "--anchors", pki.path("root.pem"), name, "--connect-to",
                    "127.0.0.1:\(port)",
                ] + platforms.flatMap { ["--as", $0] },
                input: Array(set.utf8), folder: pki.folder.url)
        }
        try Nginx.run {
            Nginx.host($0, "leaf")
        } _: { server in
            let run = try verify("b.api.example.test", server.port, "android", "apple")
            // The certificate is not for this name, so a platform that validates rejects it.
            #expect(run.text.contains(#""verdict": "no-pins""#), "\(run)")
            try #expect(platforms(run).map { $0["verdict"] } == ["rejects", "rejects"], "\(run)")
        }
        let closed = try LoopbackSocket(boundTo: .ipv4)
        let run = try verify("b.api.example.test", closed.port, "android", "apple")
        #expect(run.status == 1, "\(run)")
        try #expect(platforms(run).map { $0["platform"] } == ["apple"])
        try #expect(platforms(run).map { $0["verdict"] } == ["not-pinned"])
        #expect(run.text.contains(#""code": "refused""#), "\(run)")
        #expect(run.text.contains(#""verdict": "no-pins""#), "\(run)")
    }

    /// The chain is given, so each platform has a verdict on it.
    @Test func evaluatesASavedChainOfAnUncoveredHost() async throws {
        let set = try set("example.test", #""subdomains":"one","#, pins: [("root", "root"), ("other-root", "root")])
        let run = try await verify(set, "--as", "all", "b.api.example.test", "-f", "json")
        #expect(try platforms(run).count == 13)
        #expect(run.status == 1)
    }

    @Test func rejectsAnUnknownPlatform() async throws {
        let run = try await verify(try set("localhost", pins: [("root", "root")]), "--as", "appel")
        #expect(run.errors.contains("--as appel"))
        #expect(run.errors.contains(#"did you mean "apple"?"#))
        #expect(run.status == 2)
    }
}
