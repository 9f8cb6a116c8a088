package import CSystem
package import PlaintextProtocols

/// Identity and attributes of a file at one moment (stat(2)).
package struct FileState: Hashable {
    private let device: dev_t
    private let inode: ino_t
    package let size: Int64
    /// Time of the last change of the contents, in nanoseconds since 1970.
    private let modified: Int64
    private let changed: Int64
    package let mode: mode_t
    package let owner: uid_t
    package let group: gid_t

    private init(_ status: stat) {
        device = status.st_dev
        inode = status.st_ino
        size = Int64(status.st_size)
        modified = unsafe withUnsafePointer(to: status) { unsafe pinctl_modification_time($0) }
        changed = unsafe withUnsafePointer(to: status) { unsafe pinctl_change_time($0) }
        mode = status.st_mode
        owner = status.st_uid
        group = status.st_gid
    }

    /// The state of an open file.
    package init(of descriptor: Int32) throws(SystemError) {
        var status = stat()
        guard unsafe fstat(descriptor, &status) == 0 else { throw SystemError(code: pinctl_errno()) }
        self.init(status)
    }

    /// The state of a file by its path.
    ///
    /// - Parameter followsLinks: whether to follow a symbolic link to the file that it refers to.
    package init(at path: String, followsLinks: Bool = true) throws(SystemError) {
        var status = stat()
        let result = followsLinks ? unsafe stat(path, &status) : unsafe lstat(path, &status)
        guard result == 0 else { throw SystemError(code: pinctl_errno()) }
        self.init(status)
    }

    package var isRegular: Bool { mode & mode_t(S_IFMT) == mode_t(S_IFREG) }

    package func isSameFile(as other: FileState) -> Bool { device == other.device && inode == other.inode }

    /// Whether owner, group and permissions are equal.
    ///
    /// - Parameter andTime: whether to compare the time of the last attribute change too, which also shows a change of extended
    ///   attributes and access control lists.
    package func hasSameAttributes(as other: FileState, andTime: Bool) -> Bool {
        mode == other.mode && owner == other.owner && group == other.group && (!andTime || changed == other.changed)
    }

    /// Whether both states are of the same file with unchanged contents, judged by size and modification time. The time of the last
    /// attribute change is not compared, because renaming the file changes it.
    package func hasSameContents(as other: FileState) -> Bool {
        isSameFile(as: other) && size == other.size && modified == other.modified
    }
}
