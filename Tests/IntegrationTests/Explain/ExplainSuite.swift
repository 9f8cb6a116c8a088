import Foundation
import TestSupport
import Testing

/// The helpers of the suites about `explain`.
protocol ExplainSuite {
    var pki: TestPKI { get }
    var folder: TemporaryFolder { get }
}

/// The JSON document of `explain`.
struct ExplainReport: Decodable {
    let failures: [Failure]

    struct Failure: Decodable {
        let source: String
        let kind: String
        let host: String?
        let target: String?
        let live: Live?
        let conclusion: Conclusion
    }

    struct Live: Decodable {
        let clients: String?
        let chain: [Certificate]
        let otherChains: [Chain]

        struct Chain: Decodable {
            let clients: String?
            let chain: [Certificate]
        }

        struct Certificate: Decodable {
            let pin: String
            let pinned: Bool
        }
    }

    struct Conclusion: Decodable {
        let verdict: String
        let sentence: String
        let command: String
    }
}

extension ExplainSuite {
    /// - Parameter store: the system's trust store; nil to use the root with `--anchors`.
    func explain(
        _ log: String, _ options: [String] = [], store: String? = nil, environment: [String: String] = [:],
        status: Int32 = 0
    ) throws -> ExplainReport.Failure {
        let anchors = store == nil ? ["--anchors", pki.path("root.pem")] : []
        let trust = store.map { ["SSL_CERT_FILE": $0, "SSL_CERT_DIR": folder.path] } ?? [:]
        let run = try PinctlRun.spawn(
            ["explain", "-", "--format", "json"] + anchors + options, environment: environment.merging(trust) { $1 },
            input: Array(log.utf8))
        #expect(run.status == status, "\(run)")
        let failures = try JSONDecoder().decode(ExplainReport.self, from: Data(run.output)).failures
        #expect(failures.count == 1, "\(run)")
        return try #require(failures.first)
    }

    /// A message of OkHttp. The name of a public root shows where the chain ends.
    func okhttp(seen: [String], pinned: [String], root: String = "ISRG Root X1") -> String {
        "Certificate pinning failure!\n  Peer certificate chain:\n"
            + seen.dropLast().map { "    sha256/\($0): CN=leaf\n" }.joined()
            + seen.suffix(1).map { "    sha256/\($0): CN=\(root)\n" }.joined()
            + "  Pinned certificates for localhost:\n"
            + pinned.map { "    sha256/\($0)\n" }.joined()
    }

    /// Runs the real curl, and explains what it prints.
    func curl(_ arguments: [String], status: Int32) throws -> String {
        let outcome = try ChildProcess.run(["curl", "--silent", "--show-error"] + arguments)
        #expect(outcome.end == .exit(status), "\(outcome.errors)")
        return outcome.errors
    }
}
