/// A path that is compared by its bytes.
///
/// Swift compares strings by canonical equivalence: "é" as one character is equal to "e" with a combining accent. For most file
/// systems, these are two files.
package struct PathKey: Hashable, Sendable {
    private let bytes: [UInt8]

    package init(_ path: String) { bytes = Array(path.utf8) }

    /// The absolute path without symbolic links (realpath(3)); nil if nothing exists there. It need not be UTF-8.
    package init?(resolving path: String) {
        guard let bytes = FilePath.resolvedBytes(path) else { return nil }
        self.bytes = bytes
    }

    /// The path of an entry in this folder.
    package func appending(_ name: String) -> PathKey {
        PathKey((isRoot ? [] : bytes) + Array("/".utf8) + Array(name.utf8))
    }

    /// The folder of this path, which is absolute.
    package var folder: PathKey {
        // The folder of `/file` is `/`.
        PathKey(Array(bytes.prefix(max(1, bytes.lastIndex(of: UInt8(ascii: "/")) ?? 0))))
    }

    private var isRoot: Bool { bytes == Array("/".utf8) }

    private init(_ bytes: [UInt8]) { self.bytes = bytes }
}
