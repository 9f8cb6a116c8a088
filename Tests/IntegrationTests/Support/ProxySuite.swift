import Foundation
import TestSupport
import Testing

/// Tests that run pinctl and curl through a proxy to a server.
protocol ProxySuite {
    var pki: TestPKI { get }
}

extension ProxySuite {
    /// They occur nowhere else, so that a search finds every place where they leak.
    static var user: (name: String, password: String) { ("proxyuser7", "hunter2-p:ss%w0rd") }

    var anchors: String { pki.path("root.pem") }

    /// Runs a TLS server whose certificate is for `www.example.test` and `localhost`, and passes its port.
    func withServer(_ body: (UInt16) throws -> Void) throws {
        try Nginx.run {
            Nginx.host($0, "leaf")
        } _: {
            try body($0.port)
        }
    }

    /// Runs pinctl, and fails if the user or the password is in its output or was left in its command line.
    func pinctl(
        _ arguments: String..., environment: [String: String] = [:], folder: TemporaryFolder? = nil
    ) throws -> PinctlRun {
        let run = try PinctlRun.spawn(arguments, environment: environment, folder: folder?.url)
        for text in [run.text, run.errors] {
            #expect(!text.contains(Self.user.password) && !text.contains(Self.user.name), "\(run)")
        }
        return run
    }

    func passwordFile(_ folder: TemporaryFolder, _ password: String = Self.user.password) throws -> String {
        try folder.write(password + "\n", to: "password")
    }

    /// Whether curl gets through the proxy to the server.
    func curlSucceeds(_ proxy: String, port: UInt16, host: String = "localhost", options: [String] = []) throws
        -> Bool
    {
        let outcome = try ChildProcess.run(
            ["curl", "-s", "-o", "/dev/null", "-m", "10", "--cacert", anchors, "-x", proxy] + options
                + ["https://\(host):\(port)/"])
        return outcome.end == .exit(0)
    }

    func host(_ run: PinctlRun) throws -> ProxiedHost {
        let hosts = try JSONDecoder().decode(ProxiedReport.self, from: Data(run.output)).hosts
        return try #require(hosts.first, "\(run)")
    }
}

private struct ProxiedReport: Decodable { let hosts: [ProxiedHost] }

/// A host in the JSON output of `fetch`.
struct ProxiedHost: Decodable {
    struct Trust: Decodable { let trusted: Bool }
    struct Failure: Decodable {
        let code: String
        let message: String
    }
    struct Entry: Decodable { let pin: String }
    let address: String?
    let proxy: String?
    let trust: Trust?
    let chain: [Entry]
    let error: Failure?
}

/// Bytes that several threads collect.
final class Requests: @unchecked Sendable {
    private let lock = NSLock()
    private var collected: [UInt8] = []

    func add(_ bytes: [UInt8]) { lock.withLock { collected += bytes } }

    var bytes: [UInt8] { lock.withLock { collected } }
}
