import Foundation
import TestSupport

@testable import CommandSupport
@testable import Commands
@testable import Encodings

#if os(Linux)
    /// A command on a thread with a separate working folder.
    final class InProcessRun: @unchecked Sendable {
        struct FolderError: Error { let code: Int32 }

        /// The stack size of a process's first thread.
        private static let stackSize = 8 << 20

        private let arguments: [String]
        private let environment: [String: String]
        private let input: FileHandle
        private let folder: URL?
        private let output = CapturedStream()
        private let errors = CapturedStream()
        private let finished = DispatchSemaphore(value: 0)
        private let start = ContinuousClock.now
        /// The result. The thread writes it before it signals ``finished``; it is read after that signal.
        private var status = Result<Int32, any Error>.success(-1)

        init(_ arguments: [String], _ environment: [String: String], _ input: [UInt8], _ folder: URL?) throws {
            // As in a process, writing to a socket that the peer closed returns an error and raises no signal.
            signal(SIGPIPE, SIG_IGN)
            self.arguments = arguments
            self.environment = TestEnvironment.base.merging(environment) { $1 }
            self.folder = folder
            let file = FileManager.default.temporaryDirectory.appending(path: "pinctl-input.\(UUID().uuidString)")
            try Data(input).write(to: file)
            self.input = try FileHandle(forReadingFrom: file)
            try FileManager.default.removeItem(at: file)
        }

        func wait() throws -> PinctlRun {
            let thread = Thread { [self] in
                status = Result { try run() }
                finished.signal()
            }
            thread.stackSize = Self.stackSize
            let secrets = SecretSearch(of: arguments, environment: environment, folder: folder)
            thread.start()
            finished.wait()
            JSONSamples.record(arguments, status: try status.get(), output: output.bytes)
            secrets?.check(.exit(try status.get()), output: output.bytes, errors: Array(errors.text.utf8))
            return PinctlRun(
                status: try status.get(), output: output.bytes, errors: errors.text,
                duration: ContinuousClock.now - start)
        }

        /// Gives the calling thread a separate working folder: unshare(2), which Glibc's module does not declare.
        private static func unshareFolder() -> Int32 {
            // linux/sched.h
            let shareFolder: Int32 = 0x200
            guard let function = unsafe dlsym(nil, "unshare") else { return -1 }
            return unsafe unsafeBitCast(function, to: (@convention(c) (Int32) -> Int32).self)(shareFolder)
        }

        private func run() throws -> Int32 {
            guard Self.unshareFolder() == 0 else { throw FolderError(code: errno) }
            if let folder, unsafe chdir(folder.path(percentEncoded: false)) != 0 { throw FolderError(code: errno) }
            let console = Console(
                input: input.fileDescriptor, output: output, errors: errors, environment: .variables(environment),
                readPassword: { _ in .noTerminal }, ownsProcess: false)
            return KnownPrivateKeys.store.withValue(KnownPrivateKeys.Store()) {
                Pinctl.run(arguments, on: console).rawValue
            }
        }
    }
#endif
