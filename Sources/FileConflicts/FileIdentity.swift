internal import CSystem

/// Identity of a regular file or a folder (stat(2)). It is the same for all paths of the file, also through symbolic and hard links.
package struct FileIdentity: Hashable, Sendable {
    private let device: UInt64
    private let inode: UInt64

    /// The identity of the file that a path refers to; nil if there is no regular file.
    package init?(at path: String) {
        var status = stat()
        guard unsafe stat(path, &status) == 0 else { return nil }
        self.init(status, type: mode_t(S_IFREG))
    }

    /// The identity of the folder that a path refers to; nil for anything else.
    package init?(ofFolder path: String) {
        var status = stat()
        guard unsafe stat(path, &status) == 0 else { return nil }
        self.init(status, type: mode_t(S_IFDIR))
    }

    /// The identity of an open file; nil if it is not a regular file.
    package init?(of descriptor: Int32) {
        var status = stat()
        guard unsafe fstat(descriptor, &status) == 0 else { return nil }
        self.init(status, type: mode_t(S_IFREG))
    }

    private init?(_ status: stat, type: mode_t) {
        guard status.st_mode & mode_t(S_IFMT) == type else { return nil }
        device = UInt64(truncatingIfNeeded: status.st_dev)
        inode = UInt64(truncatingIfNeeded: status.st_ino)
    }
}
