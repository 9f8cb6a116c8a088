import Foundation
import TestSupport

/// How a command ended, and what it needed.
struct MeasuredRun: Decodable {
    /// The exit status, or the number of the signal that ended it, negative.
    let status: Int32
    let seconds: Double
    /// Time that the process was given a processor.
    let processorSeconds: Double
    /// Processes that waited for a processor, per processor, when it ended.
    let load: Double
    /// Peak resident memory, in bytes.
    let memory: Int
    let output: String
    let errors: String

    /// The runs could not be measured.
    struct Failed: Error, CustomStringConvertible {
        let description: String
    }

    /// How much longer the command took on this machine than on one that runs nothing else, in seconds; an estimate.
    var delay: Double { processorSeconds * max(0, load - 1) }

    var errorLines: [Substring] { errors.split(separator: "\n") }

    /// Runs commands, `width` of them at once.
    ///
    /// - Returns: a result for each, in their order.
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
