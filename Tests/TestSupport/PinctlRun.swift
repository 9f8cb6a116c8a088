package import Foundation

/// The result of a run of pinctl.
package struct PinctlRun: Sendable {
    /// The exit status; nil if a signal ended the process.
    package let status: Int32?
    package let output: [UInt8]
    package let errors: String
    package let duration: Duration
    /// The processor time of the process, in nanoseconds; 0 if the command ran inside the test process.
    package let processorTime: Int64

    package init(status: Int32?, output: [UInt8], errors: String, duration: Duration, processorTime: Int64 = 0) {
        self.status = status
        self.output = output
        self.errors = errors
        self.duration = duration
        self.processorTime = processorTime
    }

    package var text: String { String(decoding: output, as: UTF8.self) }

    /// The lines of standard output.
    package var lines: [String] { text.split(separator: "\n").map(String.init) }

    /// The lines of standard error.
    package var errorLines: [String] { errors.split(separator: "\n").map(String.init) }

    /// Starts the `pinctl` that was built with the tests, as a process, and waits for its end.
    ///
    /// - Parameters:
    ///   - environment: variables to add to ``TestEnvironment/base``.
    ///   - input: the contents of standard input.
    ///   - folder: the working folder; nil for that of the tests.
    ///   - limit: a longer run is an error, not a result.
    package static func spawn(
        _ arguments: [String], environment: [String: String] = [:], input: [UInt8] = [], folder: URL? = nil,
        atMost limit: Duration = .seconds(60)
    ) throws -> PinctlRun {
        let outcome = try ChildProcess.run(
            [executable] + arguments, environment: TestEnvironment.base.merging(environment) { $1 }, input: input,
            folder: folder, atMost: limit
        )
        let status: Int32? = if case .exit(let status) = outcome.end { status } else { nil }
        JSONSamples.record(arguments, status: status, output: outcome.output)
        return PinctlRun(
            status: status, output: outcome.output, errors: outcome.errors, duration: outcome.duration,
            processorTime: outcome.processorTime
        )
    }

    /// Path of the program: that of the variable `PINCTL_TEST_PROGRAM`, otherwise the built one, which is beside the bundle of the tests.
    package static let executable: String = {
        if let path = ProcessInfo.processInfo.environment["PINCTL_TEST_PROGRAM"] { return path }
        // On Linux the bundle is the running program; on macOS another program loads it.
        let bundle = Bundle.allBundles.map(\.bundleURL).first { $0.pathExtension == "xctest" }
        let tests = bundle ?? Bundle.main.executableURL ?? URL(filePath: CommandLine.arguments[0])
        return tests.deletingLastPathComponent().appending(path: "pinctl").path(percentEncoded: false)
    }()
}

extension PinctlRun: CustomStringConvertible {
    /// For messages about failed expectations.
    package var description: String {
        "status \(status.map(String.init) ?? "none"), after \(duration)\n--- output\n\(text)--- errors\n\(errors)---"
    }
}
