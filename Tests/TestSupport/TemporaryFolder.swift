package import Foundation

/// A separate folder for a test. All folders are in one folder, which is removed when the tests end.
package struct TemporaryFolder: Sendable {
    package let url: URL

    package var path: String { url.path(percentEncoded: false) }

    /// - Parameter name: the purpose, which identifies the folder if a test crashes and leaves it behind.
    package init(_ name: String = "test") throws {
        url = Self.root.appending(path: "\(name)-\(UUID().uuidString)")
        try FileManager.default.createDirectory(at: url, withIntermediateDirectories: true)
    }

    /// The path of a file in the folder.
    package func path(_ name: String) -> String { url.appending(path: name).path(percentEncoded: false) }

    /// Creates a file and its parent folders.
    @discardableResult
    package func write(_ contents: some Sequence<UInt8>, to name: String) throws -> String {
        let file = path(name)
        try FileManager.default.createDirectory(
            atPath: (file as NSString).deletingLastPathComponent, withIntermediateDirectories: true)
        // Data.write(to:) is not suitable: commands that start at the same time would inherit its descriptor and keep the file open.
        let descriptor = unsafe open(file, O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC, 0o666)
        guard descriptor >= 0 else { throw POSIXError(POSIXErrorCode(rawValue: errno) ?? .EIO) }
        let handle = FileHandle(fileDescriptor: descriptor, closeOnDealloc: true)
        try handle.write(contentsOf: Data(contents))
        try handle.close()
        return path(name)
    }

    @discardableResult
    package func write(_ text: String, to name: String) throws -> String { try write(text.utf8, to: name) }

    package func bytes(_ name: String) throws -> [UInt8] { [UInt8](try Data(contentsOf: url.appending(path: name))) }

    package func text(_ name: String) throws -> String { String(decoding: try bytes(name), as: UTF8.self) }

    package func names() throws -> [String] {
        try FileManager.default.contentsOfDirectory(atPath: path).sorted()
    }

    package func remove() { try? FileManager.default.removeItem(at: url) }

    private static let root: URL = {
        let root = FileManager.default.temporaryDirectory.appending(path: "pinctl-tests.\(UUID().uuidString)")
        atexit { try? FileManager.default.removeItem(at: TemporaryFolder.root) }
        return root
    }()
}
