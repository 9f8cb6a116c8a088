package import Foundation

/// The files of this package.
package enum Repository {
    package static let url = URL(filePath: #filePath)
        .deletingLastPathComponent().deletingLastPathComponent().deletingLastPathComponent()

    package static func path(_ name: String) -> String { url.appending(path: name).path(percentEncoded: false) }

    package static func has(_ path: String) -> Bool { FileManager.default.fileExists(atPath: path) }
}
