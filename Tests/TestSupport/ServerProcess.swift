internal import Foundation

/// A server that runs during a closure.
///
/// An object that stops the server in its deinitializer would not work, because Swift can release an object before the end of the
/// test.
package struct ServerProcess {
    package let port: UInt16
    package let loopback: Loopback
    private let process: ChildProcess

    /// "127.0.0.1:4433".
    package var endpoint: String { loopback.endpoint(port) }
    /// "localhost:4433".
    package var localhost: String { "localhost:\(port)" }

    /// The output of the server so far.
    package var log: String {
        String(decoding: process.outputSoFar, as: UTF8.self) + String(decoding: process.errorsSoFar, as: UTF8.self)
    }

    package struct NotStarted: Error, CustomStringConvertible {
        package let description: String
    }

    /// Starts a server, waits until it answers, runs the closure, and stops the server even if the closure throws.
    ///
    /// Another process can take a free port before the server does. Then the server stops at once, and this method tries another
    /// port.
    ///
    /// - Parameter command: returns the command that starts the server on a port.
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

    /// Waits until the log contains a text.
    ///
    /// - Returns: false if it does not within the time limit.
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
