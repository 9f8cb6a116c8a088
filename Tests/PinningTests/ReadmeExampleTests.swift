import Foundation
import Testing

@testable import Encodings
@testable import Pinning

/// Compiles the Swift examples of the documents as in another package, with the public names of the library only.
@Suite struct ReadmeExampleTests {
    @Test(arguments: [("README.md", 1), ("Docs/evaluators.md", 6), ("Docs/formats.md", 1), ("Docs/library.md", 4)])
    func compiles(document: String, count: Int) throws {
        let examples = try Self.examples(of: document)
        #expect(examples.count == count)
        let folder = FileManager.default.temporaryDirectory.appending(path: "pinctl-example-\(UUID().uuidString)")
        try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
        defer { try? FileManager.default.removeItem(at: folder) }
        // Each example is a file of one module, so an example may use the names of another.
        let files = try examples.enumerated().map { number, example in
            let file = folder.appending(path: "Example\(number).swift")
            try Data(example.utf8).write(to: file)
            return file.path
        }

        let compiler = Process()
        compiler.executableURL = URL(filePath: "/usr/bin/env")
        compiler.arguments =
            [
                "swiftc", "-typecheck", "-swift-version", "6", "-warnings-as-errors", "-package-name", "another",
                "-module-cache-path", folder.appending(path: "cache").path, "-I", try Self.modules.path,
                "-I", Self.root.appending(path: "Sources/COpenSSL").path,
                "-I", Self.root.appending(path: "Sources/CSystem").path,
            ] + files
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

    /// The Swift examples that import the library.
    private static func examples(of document: String) throws -> [String] {
        let text = try String(contentsOf: root.appending(path: document), encoding: .utf8)
        return text.components(separatedBy: "```swift\n").dropFirst()
            .compactMap { $0.components(separatedBy: "```").first }
            .filter { $0.split(separator: "\n").contains("import Pinning") }
    }

    /// The folder of the built modules, which is beside the test bundle.
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
