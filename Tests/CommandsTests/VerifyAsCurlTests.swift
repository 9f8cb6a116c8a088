import Foundation
import TestSupport
import Testing

/// `--as curl` compared with curl.
@Suite(.blocking) struct VerifyAsCurlTests {
    let pki: TestPKI
    let folder: TemporaryFolder

    init() throws {
        pki = try TestPKI.shared()
        folder = try TemporaryFolder("verify-as")
    }

    /// curl's exit status is 90 if no pin matches (curl(1), "EXIT CODES").
    @Test(
        arguments: [
            (["leaf"], "accepts", 0), (["leaf-www", "leaf"], "accepts", 0), (["leaf-www"], "rejects", 90),
            (["intermediate", "root"], "rejects", 90),
        ] as [([String], String, Int32)])
    func agreesWithCurl(names: [String], verdict: String, status: Int32) throws {
        defer { folder.remove() }
        let pins = try names.map { try pki.pin($0) }
        let list = pins.map { "\"\($0)\"" }.joined(separator: ",")
        try folder.write(#"{"version":1,"hosts":{"localhost":[\#(list)]}}"#, to: "pins.json")
        try OpenSSLServer.run { server in
            let string = pins.map { "sha256//\($0)" }.joined(separator: ";")
            let curl = try ChildProcess.run(
                [
                    "curl", "--silent", "--max-time", "20", "--noproxy", "*", "--ipv4", "--output", "/dev/null",
                    "--cacert",
                    pki.path("root.pem"), "--pinnedpubkey", string, "https://\(server.localhost)/",
                ], environment: TestEnvironment.base)
            guard case .exit(let exit) = curl.end else {
                Issue.record("curl did not end by itself: \(curl.end)")
                return
            }
            #expect(exit == status, "\(curl.errors)")

            let run = try PinctlRun.inProcess(
                [
                    "verify", "--pins", "pins.json", "--anchors", pki.path("root.pem"), "--as", "curl", "--ipv4",
                    server.localhost,
                ], folder: folder.url)
            #expect(run.text.contains("\n  curl  \(verdict)  "), "\(run)")
            #expect(run.status == (status == 0 ? 0 : 1), "\(run)")
        }
    }
}
