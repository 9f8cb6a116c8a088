package import Arguments

/// Exit status of the command; part of the interface.
package enum ExitStatus: Int32, Sendable {
    /// Everything validated and matched.
    case success = 0
    /// A mismatch, an untrusted chain, a lint error, or a difference that `--check` found.
    case failure = 1
    /// A usage error or unreadable input. pinctl contacted no host.
    case usageError = 2
    /// For at least one host, name resolution, connection or handshake failed or timed out, or the result was not delivered because
    /// standard output was closed.
    case undecided = 3
    /// SIGINT or SIGTERM ended the run early. The value is 128 plus the number of SIGINT, as shells report it.
    case interrupted = 130

    /// Returns the status for a run with two results: the more important one. From the most to the least important: interrupted,
    /// failure, usage error, undecided, success.
    package func combined(with other: ExitStatus) -> ExitStatus {
        for status in [ExitStatus.interrupted, .failure, .usageError, .undecided]
        where self == status || other == status {
            return status
        }
        return .success
    }
}

extension ExitStatus {
    private static let defaultInterruption =
        "pinctl wrote nothing, unless a second Ctrl-C ended it while it wrote files"

    /// The section of a command's help that explains its exit status.
    ///
    /// - Parameter writesFiles: whether an option names an output file.
    package static func note(
        success: String, failure: String, interrupted: String = defaultInterruption, writesFiles: Bool = false
    ) -> Note {
        let closed = "standard output was closed early"
        let lost = writesFiles ? "\(closed), or another process changed an output file" : "or \(closed)"
        return Note(
            "Exit status",
            rows: [
                "0": success,
                "1": failure,
                "2": "usage error or unreadable input; pinctl contacted no host",
                "3": "undecided: name resolution, connection or handshake failed or timed out, \(lost)",
                "130": "interrupted: \(interrupted)",
            ]
        )
    }
}
