package import Foundation

/// A run of the `pinctl` that was built with the tests.
package struct PinctlProcess: Sendable {
    /// The exit status; nil where a signal ended it.
    package let status: Int32?
    package let output: [UInt8]
    package let errors: String
    package let duration: Duration

    package var text: String { String(decoding: output, as: UTF8.self) }

    /// The lines of standard output.
    package var lines: [String] { text.split(separator: "\n").map(String.init) }

    /// The lines of standard error.
    package var errorLines: [String] { errors.split(separator: "\n").map(String.init) }

    /// - Parameters:
    ///   - environment: variables to add to ``TestEnvironment/base``.
    ///   - input: what it finds on standard input.
    ///   - folder: the folder that it runs in; the tests' own, for nil.
    ///   - limit: it is an error, not a result, to run longer.
    package static func run(
        _ arguments: [String], environment: [String: String] = [:], input: [UInt8] = [], folder: URL? = nil,
        atMost limit: Duration = .seconds(60)
    ) throws -> PinctlProcess {
        let outcome = try ChildProcess.run(
            [path] + arguments, environment: TestEnvironment.base.merging(environment) { $1 }, input: input,
            folder: folder, atMost: limit
        )
        let status: Int32? = if case .exit(let status) = outcome.end { status } else { nil }
        return PinctlProcess(
            status: status, output: outcome.output, errors: outcome.errors, duration: outcome.duration
        )
    }

    /// The built command: it stands beside the bundle of the tests.
    package static let path: String = {
        // On Linux the bundle is the running program; on macOS another program loads it.
        let bundle = Bundle.allBundles.map(\.bundleURL).first { $0.pathExtension == "xctest" }
        let tests = bundle ?? Bundle.main.executableURL ?? URL(filePath: CommandLine.arguments[0])
        return tests.deletingLastPathComponent().appending(path: "pinctl").path(percentEncoded: false)
    }()
}

extension PinctlProcess: CustomStringConvertible {
    /// For messages about failed expectations.
    package var description: String {
        "status \(status.map(String.init) ?? "none"), after \(duration)\n--- output\n\(text)--- errors\n\(errors)---"
    }
}
