internal import CSystem

/// The file that an output is written to.
enum OutputTarget: Equatable, Sendable {
    case existing(FileIdentity)
    /// The entry that the new file gets.
    case new(FileEntry)

    /// Nil if the path refers to a folder, a pipe or a device, which an output does not replace, or if its folder does not exist.
    init?(_ path: String) {
        if let identity = FileIdentity(at: path) {
            self = .existing(identity)
            return
        }
        guard unsafe access(path, F_OK) != 0 else { return nil }
        let entry = FileEntry(path)
        guard entry.hasFolder else { return nil }
        self = .new(entry)
    }
}
