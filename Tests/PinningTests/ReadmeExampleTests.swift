import Foundation
import Testing

/// The README's Swift is compiled as another package would: with the library's public names and no others.
@Suite struct ReadmeExampleTests {
    @Test func compiles() throws {
        let example = try #require(try Self.example)
        let folder = FileManager.default.temporaryDirectory.appending(path: "pinctl-example-\(UUID().uuidString)")
        try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
        defer { try? FileManager.default.removeItem(at: folder) }
        let file = folder.appending(path: "Example.swift")
        try Data(example.utf8).write(to: file)

        let compiler = Process()
        compiler.executableURL = URL(filePath: "/usr/bin/env")
        compiler.arguments = [
            "swiftc", "-typecheck", "-swift-version", "6", "-warnings-as-errors", "-package-name", "another",
            "-module-cache-path", folder.appending(path: "cache").path, "-I", try Self.modules.path,
            "-I", Self.root.appending(path: "Sources/COpenSSL").path,
            "-I", Self.root.appending(path: "Sources/CSystem").path,
            file.path,
        ]
        let output = Pipe()
        compiler.standardError = output
        try compiler.run()
        let messages = String(decoding: output.fileHandleForReading.readDataToEndOfFile(), as: UTF8.self)
        compiler.waitUntilExit()
        #expect(compiler.terminationStatus == 0, "\(messages)")
    }

    private static var root: URL {
        URL(filePath: #filePath).deletingLastPathComponent().deletingLastPathComponent().deletingLastPathComponent()
    }

    /// The block of Swift that imports the library.
    private static var example: String? {
        get throws {
            let readme = try String(contentsOf: root.appending(path: "README.md"), encoding: .utf8)
            return readme.components(separatedBy: "```swift\n").dropFirst()
                .compactMap { $0.components(separatedBy: "```").first }
                .first { $0.hasPrefix("import Pinning") }
        }
    }

    /// Where the build left its modules: beside the test bundle.
    private static var modules: URL {
        get throws {
            let products = URL(filePath: try #require(CommandLine.arguments.first)).resolvingSymlinksInPath()
            var folder = products.deletingLastPathComponent()
            while folder.path != "/" {
                let modules = folder.appending(path: "Modules")
                if FileManager.default.fileExists(atPath: modules.path) { return modules }
                folder.deleteLastPathComponent()
            }
            throw CocoaError(.fileNoSuchFile)
        }
    }
}
