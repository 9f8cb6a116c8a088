internal import CSystem
internal import Encodings
package import FileConflicts

/// A descriptor that the process began with: a standard stream, or another one of the shell, such as `3>FILE`.
package struct OpenStream: Equatable, Sendable {
    package let descriptor: Int32

    /// The stream that goes to a file; nil if none does.
    ///
    /// - Parameters:
    ///   - file: nil for something else than a regular file.
    ///   - own: a descriptor of the file that is no stream, although it may have the number of a closed one.
    package init?(writingTo file: FileIdentity?, besides own: Int32? = nil) {
        guard let file,
            let descriptor = ([0, 1, 2] + Self.inherited).first(where: {
                $0 != own && pinctl_is_writable($0) != 0 && FileIdentity(of: $0) == file
            })
        else { return nil }
        self.descriptor = descriptor
    }

    /// A lock (flock(2)) of a file that a process keeps when it starts another one, as flock(1) does.
    enum Lock {
        case shared, exclusive
    }

    /// The lock of a file that the process has through an inherited descriptor; nil without one. Only Linux tells (proc(5),
    /// `/proc/pid/fdinfo`).
    static func lock(of file: FileIdentity?) -> (kind: Lock, stream: OpenStream)? {
        guard let file else { return nil }
        for number in inherited where FileIdentity(of: number) == file {
            let info = (try? InputFile.bytes(at: "/proc/self/fdinfo/\(number)", isInput: false)) ?? []
            for line in String(decoding: info, as: UTF8.self).split(separator: "\n") {
                let fields = line.split { " \t".contains($0) }
                guard fields.first == "lock:", fields.contains("FLOCK") else { continue }
                return (fields.contains("WRITE") ? .exclusive : .shared, OpenStream(number))
            }
        }
        return nil
    }

    /// Fails if pinctl cannot change a file because of a stream that it inherited.
    ///
    /// - Parameter own: a descriptor of the file that is no stream.
    static func check(_ path: String, _ file: FileIdentity?, besides own: Int32? = nil) throws(CommandError) {
        guard let stream = OpenStream(writingTo: file, besides: own) else { return }
        throw CommandError("cannot change \(path.quoted): \(stream.name) goes to it", hint: stream.hint)
    }

    /// Fails if pinctl would wait for its own lock.
    static func checkLock(_ path: String, _ file: FileIdentity?) throws(CommandError) {
        guard let lock = lock(of: file), lock.kind == .shared else { return }
        throw CommandError(
            "cannot change \(path.quoted): \(lock.stream.name) has a shared lock of it",
            hint: "use an exclusive lock, or a separate lock file")
    }

    private init(_ descriptor: Int32) { self.descriptor = descriptor }

    /// The stream with a name such as `/dev/stdout` or `/dev/fd/3`; nil for another path. Opening the name of a socket fails (open(2), ENXIO).
    init?(named path: String) {
        switch path {
        case "/dev/stdout": descriptor = 1
        case "/dev/stderr": descriptor = 2
        default:
            guard let number = path.without(prefix: "/dev/fd/").flatMap({ Int32($0) }) else { return nil }
            descriptor = number
        }
    }

    /// The descriptors besides the standard streams.
    private static var inherited: [Int32] { inheritedAtStart.filter { pinctl_is_inherited($0) != 0 } }

    /// Those that pinctl opens are closed in a new program (`O_CLOEXEC`), so it did not inherit them.
    private static let inheritedAtStart = FilePath.files(inFolder: "/dev/fd").compactMap {
        Int32(FilePath.name(of: $0))
    }
    .filter { $0 > 2 && pinctl_is_inherited($0) != 0 }.sorted()

    var name: String {
        switch descriptor {
        case 0: "standard input"
        case 1: "standard output"
        case 2: "standard error"
        default: "the descriptor \(descriptor)"
        }
    }

    /// What to do if the stream prevents a change of its file.
    var hint: String {
        descriptor > 2
            ? "open another file with it, or use \(descriptor)<FILE for a lock" : "redirect \(name) to another file"
    }
}
