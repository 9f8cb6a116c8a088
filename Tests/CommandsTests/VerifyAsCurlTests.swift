import Foundation
import InProcessRuns
import TestSupport
import Testing

@testable import PinSetCodec
@testable import PinSetFormats
@testable import Pinning
@testable import ServerPinFormats

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

    /// Strings that only look like pins of the leaf, with the exit statuses of curl and wget (wget(1): 5 for a failed verification).
    /// The verdict is that of curl.
    @Test(
        arguments: [
            ("sha256//%w;sha256//%p", 0, 0), ("sha256//%w; sha256//%p", 90, 5), ("sha256//%p; sha256//%w", 90, 5),
            ("sha256//%w;%p", 90, 5), ("sha256//%p;", 90, 5), ("sha256// %p", 90, 0), (" sha256//%p", 90, 5),
            ("SHA256//%p", 90, 5), ("sha256/%p", 90, 5), ("sha256//;sha256//%p", 0, 0),
        ] as [(String, Int32, Int32)])
    func agreesWithCurlAndWgetOnOddStrings(template: String, curlStatus: Int32, wgetStatus: Int32) throws {
        defer { folder.remove() }
        let string = template.replacing("%p", with: try pki.pin("leaf")).replacing("%w", with: try pki.pin("leaf-www"))
        try folder.write("# localhost\n\(string)\n", to: "pins.txt")
        try OpenSSLServer.run { server in
            let url = "https://\(server.localhost)/"
            let curl = try ChildProcess.run(
                [
                    "curl", "--silent", "--max-time", "20", "--noproxy", "*", "--ipv4", "--output", "/dev/null",
                    "--cacert", pki.path("root.pem"), "--pinnedpubkey", string, url,
                ], environment: TestEnvironment.base)
            #expect(curl.end == .exit(curlStatus), "\(curl.errors)")
            let wget = try ChildProcess.run(
                [
                    "wget", "--quiet", "--no-config", "--no-hsts", "--tries", "1", "--timeout", "20", "--no-proxy",
                    "--inet4-only", "--output-document", "/dev/null", "--ca-certificate", pki.path("root.pem"),
                    "--pinnedpubkey", string, url,
                ], environment: TestEnvironment.base)
            #expect(wget.end == .exit(wgetStatus), "\(wget.errors)")

            let configuration = try #require(
                try Platform.curl.configuration(ofFile: folder.bytes("pins.txt"), format: .curl))
            let leaf = try Certificate(der: pki.bytes("leaf.der"))
            let connection = PlatformConnection(
                host: "localhost",
                chain: [.init(certificate: ChainPin(role: .leaf, position: 0, pin: leaf.pin))], isTrusted: true,
                at: Timestamp(secondsSince1970: 1_790_000_000))
            let verdict = configuration.verdict(on: connection)
            #expect(verdict.verdict == (curlStatus == 0 ? .accepts : .rejects), "\(verdict.rule)")
            #expect(
                verdict.rule.contains("wget, which skips") == (curlStatus != 0 && wgetStatus == 0), "\(verdict.rule)")
        }
    }
}
