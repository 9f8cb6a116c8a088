internal import Foundation

/// A server that runs as long as a closure does.
///
/// A closure, and not an object that stops the server when it goes: Swift may let an object go before the end of the
/// test that made it.
package struct ServerProcess {
    package let port: UInt16
    package let loopback: Loopback
    private let process: ChildProcess

    /// "127.0.0.1:4433".
    package var endpoint: String { loopback.endpoint(port) }
    /// "localhost:4433".
    package var localhost: String { "localhost:\(port)" }

    /// What the server has written so far.
    package var log: String {
        String(decoding: process.outputSoFar, as: UTF8.self) + String(decoding: process.errorsSoFar, as: UTF8.self)
    }

    package struct NotStarted: Error, CustomStringConvertible {
        package let description: String
    }

    /// Starts a server, waits until it answers, runs the closure, and stops the server, whatever comes of the closure.
    ///
    /// A port that is free when it is looked for may be taken a moment later: then the server ends at once, and another
    /// port is tried.
    ///
    /// - Parameter command: what starts the server on a port.
    package static func run<Value>(
        on loopback: Loopback = .ipv4, folder: TemporaryFolder? = nil, command: (UInt16) throws -> [String],
        _ body: (ServerProcess) throws -> Value
    ) throws -> Value {
        var complaint = ""
        for _ in 0..<5 {
            let port = try LoopbackSocket.freePort(on: loopback)
            let process = try ChildProcess(
                try command(port), environment: TestEnvironment.base, folder: folder?.url
            )
            defer { process.stop() }
            let server = ServerProcess(port: port, loopback: loopback, process: process)
            guard server.isReady() else {
                complaint = "\(process.command.joined(separator: " ")): \(server.log)"
                continue
            }
            return try body(server)
        }
        throw NotStarted(description: complaint)
    }

    /// Waits until the log holds a text.
    ///
    /// - Returns: whether it does.
    package func logs(_ text: String, atMost limit: Duration = .seconds(10)) -> Bool {
        let deadline = ContinuousClock.now + limit
        while !log.contains(text) {
            guard ContinuousClock.now < deadline else { return false }
            usleep(2000)
        }
        return true
    }

    private func isReady() -> Bool {
        let deadline = ContinuousClock.now + .seconds(20)
        while process.isRunning, ContinuousClock.now < deadline {
            if (try? LoopbackSocket(to: port, of: loopback)) != nil { return process.isRunning }
            usleep(2000)
        }
        return false
    }
}
