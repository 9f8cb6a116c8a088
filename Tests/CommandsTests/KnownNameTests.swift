import Foundation
import TestSupport
import Testing

/// Pins of known authorities have names where nothing else says whose they are.
@Suite(.blocking) struct KnownNameTests {
    private static let systemRoots = "/usr/share/ca-certificates/mozilla/"
    private static let pin = "C5+lpZ7tcVwmwQIMcRtPbsQtWLABXhQzejna0wHFr8M="

    private func verify(_ key: String, _ more: String...) async throws -> PinctlProcess {
        let pki = try TestPKI.shared()
        let set = #"{"version":1,"hosts":{"localhost":{"pins":[\#(key)]}}}"#
        let command = [
            "verify", "--pins", "-", "--chain", pki.path("leaf.chain.pem"), "--anchors", pki.path("root.pem"),
        ]
        return try PinctlProcess.run(command + more + ["localhost"], input: Array(set.utf8), folder: pki.folder.url)
    }

    @Test func aPinWithoutALabelHasAName() async throws {
        let named = try await verify(#"{"sha256":"\#(Self.pin)"}"#)
        #expect(named.text.contains("active  ISRG Root X1\n"), "\(named.output)")
        let labelled = try await verify(#"{"sha256":"\#(Self.pin)","label":"Ours"}"#)
        #expect(labelled.text.contains("active  Ours\n"))
        #expect(!labelled.text.contains("ISRG"))
    }

    @Test func jsonHasTheNameBesideThePin() async throws {
        let run = try await verify(#"{"sha256":"\#(Self.pin)","label":"Ours"}"#, "--format", "json")
        let document = try #require(
            try JSONSerialization.jsonObject(with: Data(run.output)) as? [String: Any])
        let result = try #require((document["results"] as? [[String: Any]])?.first)
        let expected = try #require((result["expected"] as? [[String: Any]])?.first)
        #expect(expected["knownAs"] as? String == "ISRG Root X1")
        let leaf = try #require((result["chain"] as? [[String: Any]])?.first)
        #expect(leaf["knownAs"] is NSNull)
    }

    /// The first calls itself "GlobalSign" and nothing more.
    @Test(
        .enabled(if: FileManager.default.fileExists(atPath: systemRoots)),
        arguments: [
            ("GlobalSign_Root_CA_-_R3", "  GlobalSign Root CA - R3"), ("ISRG_Root_X1", ""),
            ("Starfield_Class_2_CA", ""),
        ])
    func theNameIsNotTheCertificatesOwn(file: String, remark: String) async throws {
        let path = Self.systemRoots + file + ".crt"
        let pin = try PinctlProcess.run(["hash", path]).text.dropLast()
        let text = try PinctlProcess.run(["hash", "-f", "text", path]).text
        #expect(text.hasSuffix("  pin  \(pin)\(remark)\n"), "\(text)")
    }
}
