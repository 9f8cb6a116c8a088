package import Foundation

/// The files of this package.
package enum Repository {
    package static let url = URL(filePath: #filePath)
        .deletingLastPathComponent().deletingLastPathComponent().deletingLastPathComponent()

    package static func path(_ name: String) -> String { url.appending(path: name).path(percentEncoded: false) }

    package static func has(_ path: String) -> Bool { FileManager.default.fileExists(atPath: path) }

    /// Path of the Python interpreter in an environment that `Scripts/setup` creates. The file may not exist.
    package static func python(_ environment: String) -> String {
        let output = try? ChildProcess.output(of: [path("Scripts/find-python"), environment])
        return String(decoding: output ?? [], as: UTF8.self).trimmingCharacters(in: .whitespacesAndNewlines)
    }
}
