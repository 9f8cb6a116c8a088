internal import CSystem
package import FileConflicts

/// Standard output or standard error; the raw value is its descriptor.
package enum StandardStream: Int32, CaseIterable, Sendable {
    case output = 1
    case error = 2

    /// The stream that goes to a file; nil if none does.
    ///
    /// - Parameters:
    ///   - file: nil for something else than a regular file.
    ///   - descriptor: a descriptor of the file that is no stream, although it has the number of a closed one.
    package init?(writingTo file: FileIdentity?, besides descriptor: Int32? = nil) {
        guard let file,
            let stream = Self.allCases.first(where: {
                $0.rawValue != descriptor && pinctl_is_writable($0.rawValue) != 0
                    && FileIdentity(of: $0.rawValue) == file
            })
        else { return nil }
        self = stream
    }

    var name: String {
        switch self {
        case .output: "standard output"
        case .error: "standard error"
        }
    }
}
