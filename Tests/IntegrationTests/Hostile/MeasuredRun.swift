import Foundation
import TestSupport

/// The end of a command, and the resources that it used.
struct MeasuredRun: Decodable {
    /// The exit status, or the negative number of the signal that ended the command.
    let status: Int32
    let seconds: Double
    /// Processor time of the process.
    let processorSeconds: Double
    /// The number of processes that waited for a processor at the end of the command, divided by the number of processors.
    let load: Double
    /// Peak resident memory, in bytes.
    let memory: Int
    let output: String
    let errors: String

    /// An error of the measurement.
    struct Failed: Error, CustomStringConvertible {
        let description: String
    }

    /// An estimate of the additional time because of other processes, in seconds.
    var delay: Double { processorSeconds * max(0, load - 1) }

    var errorLines: [Substring] { errors.split(separator: "\n") }

    /// Runs commands, `width` of them in parallel.
    ///
    /// - Returns: one result for each command, in the order of the commands.
    static func run(_ commands: [[String]], width: Int) throws -> [MeasuredRun] {
        let encoder = JSONEncoder()
        let lines = try commands.map { try encoder.encode($0) + [0x0A] }
        let output = try ChildProcess.run(
            ["python3", Repository.path("Tests/Hostile/measure.py"), String(width)],
            input: lines.flatMap { [UInt8]($0) },
            atMost: .seconds(600)
        )
        guard output.end == .exit(0) else { throw Failed(description: output.errors) }
        let runs = try output.text.split(separator: "\n").map {
            try JSONDecoder().decode(MeasuredRun.self, from: Data($0.utf8))
        }
        guard runs.count == commands.count else { throw Failed(description: output.errors) }
        return runs
    }
}
