package import Foundation
package import TestSupport

extension PinctlRun {
    /// Runs a command inside the test process, on a separate thread, and captures its streams.
    ///
    /// The thread has its own working folder (unshare(2), `CLONE_FS`), and the threads that the command starts inherit it. On systems
    /// without unshare(2), and with `PINCTL_TEST_SPAWN=1`, the command runs as a process.
    ///
    /// - Parameters:
    ///   - environment: variables to add to ``TestEnvironment/base``.
    ///   - input: the contents of standard input.
    ///   - folder: the working folder; nil for that of the tests.
    package static func inProcess(
        _ arguments: [String], environment: [String: String] = [:], input: [UInt8] = [], folder: URL? = nil
    ) throws -> PinctlRun {
        #if os(Linux)
            guard ProcessInfo.processInfo.environment["PINCTL_TEST_SPAWN"] != "1" else {
                return try spawn(arguments, environment: environment, input: input, folder: folder)
            }
            return try InProcessRun(arguments, environment, input, folder).wait()
        #else
            return try spawn(arguments, environment: environment, input: input, folder: folder)
        #endif
    }
}
