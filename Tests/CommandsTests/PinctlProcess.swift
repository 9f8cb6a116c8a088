import Foundation
import Testing

/// One run of the built command, as a person or a script would run it.
struct PinctlProcess {
    let output: String
    let errors: String
    let status: Int32

    /// The lines of standard error.
    var errorLines: [String] { errors.split(separator: "\n").map(String.init) }

    /// Runs `pinctl`, to its end.
    ///
    /// - Parameters:
    ///   - input: what stands on standard input; nothing where it is left out.
    ///   - environment: added to that of the tests, without the variables that change what pinctl prints or trusts.
    ///   - folder: the working directory.
    static func run(
        _ arguments: String..., input: String = "", environment: [String: String] = [:], in folder: URL? = nil
    ) async throws -> PinctlProcess {
        try await run(arguments, input: Data(input.utf8), environment: environment, in: folder)
    }

    static func run(
        _ arguments: [String], input: Data = Data(), environment: [String: String] = [:], in folder: URL? = nil
    ) async throws -> PinctlProcess {
        let scratch = FileManager.default.temporaryDirectory.appending(path: "pinctl-run-\(UUID().uuidString)")
        try FileManager.default.createDirectory(at: scratch, withIntermediateDirectories: true)
        defer { try? FileManager.default.removeItem(at: scratch) }
        // Files and not pipes: whatever is printed, nobody waits for a reader.
        func file(_ name: String, _ contents: Data = Data()) throws -> URL {
            let url = scratch.appending(path: name)
            try contents.write(to: url)
            return url
        }
        let (output, errors) = (try file("output"), try file("errors"))

        let process = Process()
        let executable = try #require(Self.executable, "pinctl does not stand beside the tests: swift build makes it")
        process.executableURL = executable
        process.arguments = arguments
        process.environment = inherited.merging(environment) { $1 }
        process.currentDirectoryURL = folder
        process.standardInput = try FileHandle(forReadingFrom: try file("input", input))
        process.standardOutput = try FileHandle(forWritingTo: output)
        process.standardError = try FileHandle(forWritingTo: errors)
        try await withCheckedThrowingContinuation { (done: CheckedContinuation<Void, any Error>) in
            process.terminationHandler = { _ in done.resume() }
            do { try process.run() } catch { done.resume(throwing: error) }
        }
        return PinctlProcess(
            output: try String(contentsOf: output, encoding: .utf8),
            errors: try String(contentsOf: errors, encoding: .utf8),
            status: process.terminationReason == .exit ? process.terminationStatus : -process.terminationStatus
        )
    }

    /// SwiftPM puts the executables of a package beside the bundle of its tests.
    static let executable: URL? = {
        let bundles = [Bundle(for: Marker.self).bundleURL, Bundle.main.executableURL, Bundle.main.bundleURL]
        let folders = bundles.compactMap { $0 }.flatMap { [$0, $0.deletingLastPathComponent()] }
        return folders.map { $0.appending(path: "pinctl") }.first {
            // A folder of that name may stand there too.
            let attributes = try? FileManager.default.attributesOfItem(atPath: $0.path())
            return attributes?[.type] as? FileAttributeType == .typeRegular
        }
    }()

    private static let inherited = ProcessInfo.processInfo.environment.filter { name, _ in
        !["NO_COLOR", "TERM", "COLUMNS", "SSL_CERT_FILE", "SSL_CERT_DIR"].contains(name)
    }

    private final class Marker {}
}
