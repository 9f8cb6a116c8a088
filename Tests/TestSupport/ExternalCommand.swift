package import Foundation

/// A command of another project, whose result is the expected value of a test.
package struct ExternalCommand {
    package let status: Int32
    package let output: String

    package static func path(of name: String) -> String? {
        let folders = (ProcessInfo.processInfo.environment["PATH"] ?? "/usr/bin").split(separator: ":")
        return folders.map { "\($0)/\(name)" }.first { FileManager.default.isExecutableFile(atPath: $0) }
    }

    package init(_ path: String, _ arguments: [String]) throws {
        let process = Process()
        process.executableURL = URL(filePath: path)
        process.arguments = arguments
        let output = Pipe()
        process.standardOutput = output
        process.standardError = output
        try process.run()
        let data = output.fileHandleForReading.readDataToEndOfFile()
        process.waitUntilExit()
        status = process.terminationStatus
        self.output = String(decoding: data, as: UTF8.self)
    }

    /// Runs `body` with a folder that is removed afterwards.
    package static func withFolder<Result>(_ body: (URL) throws -> Result) throws -> Result {
        let folder = FileManager.default.temporaryDirectory.appending(path: "pinctl-tests-\(UUID().uuidString)")
        try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
        defer { try? FileManager.default.removeItem(at: folder) }
        return try body(folder)
    }
}

extension SeededGenerator {
    /// A copy of `original` that is damaged at one to four positions.
    package mutating func damaged(_ original: [UInt8], words: [String]) -> [UInt8] {
        var bytes = original
        for _ in 0...Int.random(in: 0...3, using: &self) {
            guard !bytes.isEmpty else { break }
            let index = Int.random(in: bytes.indices, using: &self)
            switch Int.random(in: 0..<7, using: &self) {
            case 0: bytes[index] ^= 1 << UInt8.random(in: 0..<8, using: &self)
            case 1: bytes[index] = UInt8.random(in: 0...255, using: &self)
            case 2: bytes.insert(UInt8.random(in: 0...255, using: &self), at: index)
            case 3: bytes.remove(at: index)
            case 4: bytes.removeSubrange(index...)
            case 5:
                let end = Int.random(in: index...min(bytes.count, index + 100), using: &self)
                bytes.insert(contentsOf: bytes[index..<end], at: Int.random(in: 0...bytes.count, using: &self))
            default: bytes.insert(contentsOf: (words.randomElement(using: &self) ?? "").utf8, at: index)
            }
        }
        return bytes
    }
}
