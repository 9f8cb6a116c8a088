package import Foundation

/// A running command. Its output goes to files, so that it never waits for a reader.
///
/// Foundation's `Process` is not used: it needs a run loop to detect the end of the command, and commands that start at the same
/// time inherit its pipes.
package final class ChildProcess {
    package struct StartError: Error, CustomStringConvertible {
        package let description: String
    }

    /// The end of a command: its exit status or signal.
    package enum End: Equatable, Sendable {
        case exit(Int32)
        case signal(Int32)
    }

    package let command: [String]
    package let identifier: pid_t
    private let input: CaptureFile
    private let output: CaptureFile
    private let errors: CaptureFile
    private var end: End?
    /// The processor time of the command and of the processes that it waited for, in nanoseconds; 0 while it runs.
    package private(set) var processorTime: Int64 = 0
    /// Nil if the command is not pinctl, or has no secret.
    private let secrets: SecretSearch?

    /// - Parameters:
    ///   - command: the program, which is searched in PATH, and its arguments.
    ///   - environment: the complete environment.
    ///   - input: the contents of standard input.
    ///   - folder: the working folder; nil for that of the tests.
    package init(
        _ command: [String], environment: [String: String], input: [UInt8] = [], folder: URL? = nil
    ) throws {
        self.command = command
        let program = command.firstIndex(of: PinctlRun.executable)
        secrets = program.flatMap {
            SecretSearch(of: Array(command[($0 + 1)...]), environment: environment, folder: folder)
        }
        // Some C libraries cannot start a program in another folder.
        let words =
            folder.map { ["sh", "-c", "cd \"$0\" && exec \"$@\"", $0.path(percentEncoded: false)] + command } ?? command
        output = try CaptureFile()
        errors = try CaptureFile()
        self.input = try CaptureFile(input)

        #if canImport(Darwin)
            var actions: posix_spawn_file_actions_t?
            var attributes: posix_spawnattr_t?
        #else
            var actions = unsafe posix_spawn_file_actions_t()
            var attributes = posix_spawnattr_t()
        #endif
        unsafe posix_spawn_file_actions_init(&actions)
        defer { unsafe posix_spawn_file_actions_destroy(&actions) }
        unsafe posix_spawnattr_init(&attributes)
        defer { unsafe posix_spawnattr_destroy(&attributes) }

        unsafe posix_spawn_file_actions_adddup2(&actions, self.input.descriptor, 0)
        unsafe posix_spawn_file_actions_adddup2(&actions, output.descriptor, 1)
        unsafe posix_spawn_file_actions_adddup2(&actions, errors.descriptor, 2)
        // The command starts with the default signal settings, as from a shell, and not with those of the test runner.
        var signals = sigset_t()
        unsafe sigemptyset(&signals)
        unsafe posix_spawnattr_setsigmask(&attributes, &signals)
        unsafe sigaddset(&signals, SIGPIPE)
        unsafe posix_spawnattr_setsigdefault(&attributes, &signals)
        unsafe posix_spawnattr_setflags(&attributes, Int16(POSIX_SPAWN_SETSIGMASK | POSIX_SPAWN_SETSIGDEF))

        let arguments = unsafe words.map { unsafe strdup($0) } + [nil]
        let variables = unsafe environment.map { unsafe strdup("\($0.key)=\($0.value)") } + [nil]
        defer { _ = unsafe (arguments + variables).map { unsafe free($0) } }
        var identifier: pid_t = 0
        let error = unsafe posix_spawnp(&identifier, words[0], &actions, &attributes, arguments, variables)
        guard error == 0 else {
            throw StartError(description: "cannot start \(command[0]): \(unsafe String(cString: strerror(error)))")
        }
        self.identifier = identifier
    }

    deinit { stop() }

    /// The contents of standard output so far.
    package var outputSoFar: [UInt8] { output.contents }
    package var errorsSoFar: [UInt8] { errors.contents }

    /// The arguments of the process as other processes see them; nil if the system does not show them in /proc.
    package var commandLine: String? {
        let path = "/proc/\(identifier)/cmdline"
        return FileManager.default.contents(atPath: path).map { String(decoding: $0, as: UTF8.self) }
    }

    package var isRunning: Bool { poll() == nil }

    /// - Returns: the end of the command; nil if it still runs after the time limit.
    package func wait(atMost limit: Duration) -> End? {
        let deadline = ContinuousClock.now + limit
        var pause: UInt32 = 500
        while true {
            if let end = poll() { return end }
            guard ContinuousClock.now < deadline else { return nil }
            // wait4(2) has no time limit, so this loop polls.
            usleep(pause)
            pause = min(10_000, pause + pause / 4)
        }
    }

    /// Sends a signal to the command if it still runs.
    package func send(_ signal: Int32) {
        guard poll() == nil else { return }
        kill(identifier, signal)
    }

    /// Kills the command and waits for its end.
    package func stop() {
        guard poll() == nil else { return }
        kill(identifier, SIGTERM)
        guard wait(atMost: .seconds(5)) == nil else { return }
        kill(identifier, SIGKILL)
        _ = wait(atMost: .seconds(60))
    }

    private func poll() -> End? {
        if let end { return end }
        var status: Int32 = 0
        var usage = rusage()
        guard unsafe wait4(identifier, &status, WNOHANG, &usage) == identifier else { return nil }
        for time in [usage.ru_utime, usage.ru_stime] {
            processorTime += Int64(time.tv_sec) * 1_000_000_000 + Int64(time.tv_usec) * 1000
        }
        let signal = status & 0x7F
        let end = signal == 0 ? End.exit((status >> 8) & 0xFF) : .signal(signal)
        self.end = end
        secrets?.check(end, output: outputSoFar, errors: errorsSoFar)
        return end
    }
}

extension ChildProcess {
    package struct Outcome: Sendable {
        package let end: End
        package let output: [UInt8]
        package let errors: String
        package let duration: Duration
        /// The processor time of the command, in nanoseconds.
        package let processorTime: Int64

        package var text: String { String(decoding: output, as: UTF8.self) }
    }

    /// Runs a command and waits for its end.
    ///
    /// - Throws: if the command cannot be started or does not end within the time limit.
    package static func run(
        _ command: [String], environment: [String: String] = TestEnvironment.base, input: [UInt8] = [],
        folder: URL? = nil, atMost limit: Duration = .seconds(60)
    ) throws -> Outcome {
        let start = ContinuousClock.now
        let process = try ChildProcess(command, environment: environment, input: input, folder: folder)
        let end = process.wait(atMost: limit)
        let duration = ContinuousClock.now - start
        process.stop()
        let errors = String(decoding: process.errorsSoFar, as: UTF8.self)
        guard let end else {
            throw StartError(description: "\(command.joined(separator: " ")) did not end within \(limit): \(errors)")
        }
        return Outcome(
            end: end, output: process.outputSoFar, errors: errors, duration: duration,
            processorTime: process.processorTime)
    }

    /// The standard output of a command, which must succeed.
    package static func output(of command: [String], input: [UInt8] = [], folder: URL? = nil) throws -> [UInt8] {
        let outcome = try run(command, input: input, folder: folder)
        guard outcome.end == .exit(0) else {
            throw StartError(description: "\(command.joined(separator: " ")): \(outcome.end): \(outcome.errors)")
        }
        return outcome.output
    }
}

/// A file without a name, which the system removes when the last descriptor is closed.
private struct CaptureFile: ~Copyable {
    let descriptor: Int32

    init(_ contents: [UInt8] = []) throws {
        var template = Array((FileManager.default.temporaryDirectory.path() + "/pinctl-tests.XXXXXX").utf8CString)
        descriptor = unsafe mkstemp(&template)
        guard descriptor >= 0 else { throw ChildProcess.StartError(description: "cannot create a temporary file") }
        unsafe unlink(template)
        _ = fcntl(descriptor, F_SETFD, FD_CLOEXEC)
        guard !contents.isEmpty else { return }
        let count = unsafe contents.withUnsafeBytes { unsafe pwrite(descriptor, $0.baseAddress, $0.count, 0) }
        guard count == contents.count else {
            throw ChildProcess.StartError(description: "cannot write a temporary file")
        }
    }

    deinit { close(descriptor) }

    var contents: [UInt8] {
        var contents: [UInt8] = []
        while true {
            let offset = contents.count
            let chunk = unsafe [UInt8](unsafeUninitializedCapacity: 65_536) { buffer, count in
                count = max(0, unsafe pread(descriptor, buffer.baseAddress, buffer.count, off_t(offset)))
            }
            guard !chunk.isEmpty else { return contents }
            contents += chunk
        }
    }
}
