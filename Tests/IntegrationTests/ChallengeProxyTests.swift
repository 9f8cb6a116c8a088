import Foundation
import TestSupport
import Testing

/// The errors of `challenge` through proxies, as text and JSON.
@Suite(.blocking) struct ChallengeProxyTests {
    private struct Report: Decodable {
        struct Entry: Decodable {
            struct Failure: Decodable {
                let code: String
                let message: String
            }
            let admission: String
            let error: Failure?
        }
        let urls: [Entry]
    }

    /// A proxy that forwards requests, and answers with another protocol.
    private func run(_ arguments: String...) throws -> (run: PinctlRun, proxy: String) {
        try RawPeer.run { connection in
            _ = connection.read()
            connection.write("SSH-2.0-OpenSSH\r\n")
            connection.drain()
        } _: { peer in
            let run = try PinctlRun.spawn(
                ["challenge", "http://origin.test/"] + arguments,
                environment: ["http_proxy": "http://proxyuser7:hunter22x@\(peer.endpoint)", "no_proxy": ""])
            #expect(run.status == 3, "\(run)")
            return (run, "http://\(peer.endpoint)")
        }
    }

    @Test func text() throws {
        let (run, proxy) = try run()
        #expect(run.errors.hasPrefix("pinctl: error: http://origin.test/: proxy \(proxy): "), "\(run)")
        #expect(run.errors.contains("did not answer with HTTP/1: it sent \"SSH-2.0-OpenSSH"), "\(run)")
        #expect(
            run.errors.contains("hint: check --proxy, or the environment variables http_proxy and all_proxy"), "\(run)")
    }

    @Test func json() throws {
        let (run, proxy) = try run("--format", "json")
        let entry = try #require(try JSONDecoder().decode(Report.self, from: Data(run.output)).urls.first)
        #expect(entry.admission == "undecided")
        #expect(entry.error?.code == "proxy")
        #expect(entry.error?.message.hasPrefix("proxy \(proxy): ") == true, "\(run)")
    }

    /// The error of the server after the tunnel is that of `fetch`.
    @Test func serverBehindATunnel() throws {
        try RawPeer.run { connection in
            _ = connection.read()
            connection.write("HTTP/1.1 200 OK\r\n\r\n")
            _ = connection.read()
            connection.write("SSH-2.0-OpenSSH\r\n")
            connection.drain()
        } _: { peer in
            let message = "origin.test:443 (through http://\(peer.endpoint)) does not speak TLS"
            for arguments in [["fetch", "origin.test"], ["challenge", "https://origin.test/"]] {
                let run = try PinctlRun.spawn(arguments + ["--proxy", "http://\(peer.endpoint)"])
                #expect(run.status == 3, "\(run)")
                #expect(run.errors.hasPrefix("pinctl: error: \(message)"), "\(run)")
            }
        }
    }
}
