import Foundation
import TestSupport

/// The scripted server of `Tests/Hostile`: each of its behaviours listens on a loopback port.
struct HostileServer {
    /// The outcome that a client may report for a host.
    enum Outcome: String, Decodable {
        /// The chain validates.
        case trusted
        /// The chain does not validate.
        case untrusted
        /// No chain; the client reports it before the time limit.
        case refused
        /// No chain within the time limit.
        case silent
    }

    struct Behaviour: Decodable {
        let name: String
        let port: UInt16
        /// The scheme of the target; empty if TLS begins at once.
        let scheme: String
        let outcomes: Set<Outcome>
        /// The outcomes for a client that reads nothing after the certificate message.
        let certificateOnlyOutcomes: Set<Outcome>

        var host: String { "\(name).example.test" }
        var target: String { (scheme.isEmpty ? "" : "\(scheme)://") + "\(host):\(port)" }
    }

    let behaviours: [Behaviour]
    /// The pin of the root, which every trusted chain has.
    let rootPin: String
    /// The path of the root's certificate.
    let anchor: String

    struct NotStarted: Error, CustomStringConvertible {
        let description: String
    }

    /// Starts the server, waits until every behaviour listens, runs the closure, and stops the server.
    static func run<Value>(_ body: (HostileServer) throws -> Value) throws -> Value {
        let folder = try TemporaryFolder("hostile")
        defer { folder.remove() }
        let process = try ChildProcess(
            ["python3", Repository.path("Tests/Hostile/server.py"), folder.path], environment: TestEnvironment.base
        )
        defer { process.stop() }
        let lines = try readiness(of: process)
        guard let last = lines.last else { throw NotStarted(description: "no behaviour") }
        let decoder = JSONDecoder()
        return try body(
            HostileServer(
                behaviours: try lines.dropLast().map { try decoder.decode(Behaviour.self, from: $0) },
                rootPin: try decoder.decode(Keys.self, from: last).pins.root,
                anchor: folder.path("hostile-root.pem")
            ))
    }

    private struct Keys: Decodable {
        let pins: Pins

        struct Pins: Decodable {
            let root: String
        }
    }

    /// - Returns: the lines that the server prints until it is ready.
    private static func readiness(of process: ChildProcess) throws -> [Data] {
        let deadline = ContinuousClock.now + .seconds(60)
        while true {
            let isRunning = process.isRunning
            let text = String(decoding: process.outputSoFar, as: UTF8.self)
            if text.hasSuffix("\n"), text.contains("{\"pins\":") {
                return text.split(separator: "\n").map { Data($0.utf8) }
            }
            guard isRunning, ContinuousClock.now < deadline else {
                throw NotStarted(
                    description: "server.py: \(String(decoding: process.errorsSoFar, as: UTF8.self))")
            }
            usleep(5000)
        }
    }
}
