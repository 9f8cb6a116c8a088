import Foundation
import TestSupport
import Testing

/// Hosts of which name resolution returns only some addresses.
@Suite(.blocking, .enabled(if: FaultInjection.isSupported)) struct ExplainLookUpTests: NameLookUpSuite {
    let pki: RotationPKI
    let folder: TemporaryFolder

    init() throws { (pki, folder) = try Self.prepared() }

    /// The program saw the chain of the host, and has another pin.
    private func explain(_ code: Int32, _ more: [String: String] = [:]) throws -> PinctlRun {
        let keys = try ["leaf2", "intermediate", "root"].map { "    sha256/\(try pki.pin($0)): CN=leaf\n" }
        let log =
            try "Certificate pinning failure!\n  Peer certificate chain:\n\(keys.joined())"
            + "  Pinned certificates for \(RotationPKI.host):\n    sha256/\(pki.pin("spare"))\n"
        return try serving { port in
            try PinctlRun.spawn(
                ["explain", "-", "--format", "json", "--anchors", pki.path("root.pem")],
                environment: environment(port, code).merging(more) { $1 }, input: Array(log.utf8), folder: folder.url)
        }
    }

    @Test(arguments: NameLookUpTests.failures) func aFailedLookUp(code: Int32, text: String) throws {
        let run = try explain(code)
        #expect(run.status == 3, "\(run)")
        #expect(
            run.text.contains("; the look-up of the IPv6 addresses of \(RotationPKI.host) failed: \(text)"), "\(run)")
        #expect(run.text.contains(#""command": "pinctl explain LOG "#), "\(run)")
    }

    @Test func aHostWithoutIPv6() throws {
        let run = try explain(EAI_NONAME)
        #expect(run.status == 0 && run.text.contains(#""verdict": "rotation""#), "\(run)")
    }

    /// The user set this option, so it is a limit and not a failure.
    @Test(.enabled(if: knowsNoAAAA)) func aResolverThatHidesIPv6() throws {
        let run = try explain(EAI_NONAME, ["RES_OPTIONS": "no-aaaa"])
        #expect(run.status == 0, "\(run)")
        #expect(run.text.contains("; the resolver option no-aaaa hides the IPv6 addresses"), "\(run)")
    }
}
