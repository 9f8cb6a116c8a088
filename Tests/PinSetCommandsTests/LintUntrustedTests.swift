import Foundation
import InProcessRuns
import TestSupport
import Testing

/// The next step of `lint` after a chain that does not validate. It fits the reason, and where the anchors were named.
@Suite(.blocking) struct LintUntrustedTests {
    private let pki: TestPKI
    private let folder: TemporaryFolder

    init() throws {
        pki = try TestPKI.shared()
        folder = try TemporaryFolder("lint-untrusted")
    }

    /// - Parameter anchors: the file of the set's own anchors; nil for none.
    private func hint(_ chain: String, anchors: String? = nil, _ options: [String] = []) throws -> String? {
        let own = anchors.map { "\"anchors\": [\"\(pki.path($0))\"], " } ?? ""
        try folder.write(
            "{\"version\":1,\"hosts\":{\"localhost\":{\(own)\"pins\":[\"\(pki.pin("leaf"))\",\"\(pki.pin("root"))\"]}}}",
            to: "pins.json")
        let run = try PinctlRun.inProcess(
            ["lint", "pins.json", "--format", "json", "--chain", pki.path(chain)] + options, folder: folder.url)
        let report = try JSONSerialization.jsonObject(with: Data(run.output)) as? [String: Any]
        let all = report?["findings"] as? [[String: Any]] ?? []
        let findings = all.filter { $0["code"] as? String == "untrusted-chain" }
        #expect(findings.count == 1, "\(run)")
        return findings.first?["hint"] as? String
    }

    @Test func anUnknownAuthority() throws {
        defer { folder.remove() }
        #expect(
            try hint("leaf.chain.pem")
                == "if this CA is yours, use --anchors FILE or \"anchors\" in \"pins.json\"; if not, the connection may be intercepted"
        )
        #expect(
            try hint("leaf.chain.pem", ["--anchors", pki.path("other-root.pem")])
                == "check the anchors of --anchors: if they are correct, the connection may be intercepted")
        #expect(
            try hint("leaf.chain.pem", anchors: "other-root.pem")
                == "check the anchors that \"pins.json\" names for this host: if they are up to date, the connection may be intercepted"
        )
    }

    @Test func aMissingIntermediate() throws {
        defer { folder.remove() }
        #expect(
            try hint("leaf.pem", ["--anchors", pki.path("root.pem")])
                == "if \"Example Test Intermediate\" is an intermediate, configure the server to send it; if not, check the anchors of"
                + " --anchors: if they are correct, the connection may be intercepted")
    }

    @Test func anExpiredCertificate() throws {
        defer { folder.remove() }
        #expect(
            try hint("leaf-expired.chain.pem", ["--anchors", pki.path("root.pem")])
                == "replace the server's certificate, which is not valid at this time; the pins are not the cause")
    }
}
