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
}
