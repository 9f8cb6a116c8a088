package import Foundation

/// Shell commands, mainly for openssl.
package enum Shell {
    package struct Failure: Error {
        package let command: String
        package let messages: String
    }

    /// - Returns: standard output.
    /// - Throws: ``Failure`` if a command of the line fails.
    @discardableResult
    package static func run(_ line: String, in folder: URL) throws -> String {
        let process = Process()
        process.executableURL = URL(filePath: "/bin/sh")
        // On macOS, the openssl on PATH is LibreSSL.
        let start = #"PATH=$(dirname "$("$SCRIPTS/find-openssl")"):$PATH; "#
        process.arguments = ["-ec", start + line]
        process.currentDirectoryURL = folder
        process.environment = ProcessInfo.processInfo.environment.merging(["SCRIPTS": scripts.path]) { $1 }
        let (output, errors) = (Pipe(), Pipe())
        process.standardOutput = output
        process.standardError = errors
        try process.run()
        // Both outputs fit into a pipe, so the process does not block.
        let text = String(decoding: output.fileHandleForReading.readDataToEndOfFile(), as: UTF8.self)
        let messages = String(decoding: errors.fileHandleForReading.readDataToEndOfFile(), as: UTF8.self)
        process.waitUntilExit()
        guard process.terminationStatus == 0 else { throw Failure(command: line, messages: messages) }
        return text
    }

    private static let scripts = Repository.url.appending(path: "Scripts")
}
