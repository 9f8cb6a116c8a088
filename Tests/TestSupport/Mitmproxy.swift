internal import Foundation

/// The program mitmproxy in front of a server. It answers with certificates of a separate CA, as an interceptor does.
package struct Mitmproxy {
    private let process: ServerProcess
    /// The certificate of its CA in PEM, which each run creates again.
    package let authority: String

    package var port: UInt16 { process.port }
    package var endpoint: String { process.endpoint }
    package var localhost: String { process.localhost }
    package var log: String { process.log }

    /// Whether `Scripts/setup test` has installed it.
    package static let isInstalled = FileManager.default.isExecutableFile(atPath: python)

    /// Whether tests with mitmproxy are enabled. On Linux they always are, so that a missing installation is a failure.
    package static var isExpected: Bool {
        #if os(Linux)
            true
        #else
            isInstalled
        #endif
    }

    package static let absence = "mitmproxy is not installed: Scripts/setup test installs it and needs the network"

    /// Starts mitmproxy between its clients and a server that has a certificate of ``TestPKI``.
    ///
    /// mitmproxy validates the server's chain, so that only the interception itself is wrong.
    package static func run<Value>(
        inFrontOf server: ServerProcess, _ body: (Mitmproxy) throws -> Value
    ) throws -> Value {
        guard isInstalled else { throw ServerProcess.NotStarted(description: absence) }
        let pki = try TestPKI.shared()
        let folder = try TemporaryFolder("mitmproxy")
        defer { folder.remove() }
        return try ServerProcess.run(folder: folder) { port in
            let options = [
                "confdir=\(folder.path)", "ssl_verify_upstream_trusted_ca=\(pki.path("root.pem"))",
                "flow_detail=0", "onboarding=false",
            ]
            return [
                python, "-c", "from mitmproxy.tools.main import mitmdump; mitmdump()",
                "--mode", "reverse:https://\(server.localhost)",
                "--listen-host", Loopback.ipv4.rawValue, "--listen-port", String(port),
            ] + options.flatMap { ["--set", $0] }
        } _: { process in
            try body(Mitmproxy(process: process, authority: folder.path("mitmproxy-ca-cert.pem")))
        }
    }

    private static let python = Repository.python("mitmproxy")
}
