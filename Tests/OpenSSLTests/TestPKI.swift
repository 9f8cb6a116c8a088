import Foundation
import Testing

@testable import OpenSSL

/// The certificates of Scripts/pki, made anew once a run, and what the openssl command says of them.
enum TestPKI {
    private static let scripts = URL(filePath: #filePath).deletingLastPathComponent().deletingLastPathComponent()
        .deletingLastPathComponent().appending(path: "Scripts")

    private static let place = FileManager.default.temporaryDirectory.appending(path: "pinctl-pki-\(UUID().uuidString)")

    private static let folder = Result {
        try run(scripts.appending(path: "pki").path(), [place.path()])
        // Tests need the files until the process ends.
        atexit { try? FileManager.default.removeItem(at: place) }
        return place
    }

    static func path(_ name: String) throws -> String { try folder.get().appending(path: name).path() }

    static func der(_ name: String) throws -> [UInt8] {
        [UInt8](try Data(contentsOf: try folder.get().appending(path: "\(name).der")))
    }

    static func chain(_ names: String...) throws -> PeerChain { try chain(of: names.map { try der($0) }) }

    static func chain(of certificates: [[UInt8]]) throws -> PeerChain {
        guard let chain = try PeerChain.saved(certificates) else { throw NoCertificates() }
        return chain
    }

    private struct NoCertificates: Error {}

    /// A file of the test's own.
    static func write(_ bytes: [UInt8], to name: String) throws -> String {
        let file = try folder.get().appending(path: name)
        try FileManager.default.createDirectory(
            at: file.deletingLastPathComponent(), withIntermediateDirectories: true)
        try Data(bytes).write(to: file)
        return file.path()
    }

    @discardableResult
    static func openssl(_ arguments: String...) throws -> String { try openssl(arguments) }

    @discardableResult
    static func openssl(_ arguments: [String]) throws -> String {
        let openssl = try run(scripts.appending(path: "find-openssl").path(), [])
        return try run(openssl.trimmingCharacters(in: .whitespacesAndNewlines), arguments)
    }

    /// Standard output and error of a command, whatever its status.
    @discardableResult
    private static func run(_ command: String, _ arguments: [String]) throws -> String {
        let process = Process()
        let pipe = Pipe()
        process.executableURL = URL(filePath: command)
        process.arguments = arguments
        process.standardInput = FileHandle.nullDevice
        process.standardOutput = pipe
        process.standardError = pipe
        try process.run()
        let data = try pipe.fileHandleForReading.readToEnd() ?? Data()
        process.waitUntilExit()
        return String(decoding: data, as: UTF8.self)
    }
}
