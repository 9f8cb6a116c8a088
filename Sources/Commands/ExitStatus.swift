internal import Arguments

/// What the command's exit status says; part of the interface.
public enum ExitStatus: Int32, Sendable {
    /// Done, everything validated, everything matched.
    case yes = 0
    /// A pin mismatch, a chain that does not validate, a difference.
    case no = 1
    /// The request cannot be carried out as given; nothing was contacted.
    case misuse = 2
    /// A host could not be resolved, reached or shaken hands with in time.
    case unknown = 3
    /// Ended before its end by Ctrl-C or SIGTERM, as shells say it (128 and the number of SIGINT).
    case interrupted = 130

    /// The status of a run with both of these in it: a clear no outranks all, and anything outranks a yes.
    func combined(with other: ExitStatus) -> ExitStatus {
        for status in [ExitStatus.interrupted, .no, .misuse, .unknown] where self == status || other == status {
            return status
        }
        return .yes
    }
}

extension ExitStatus {
    /// The part of a command's help that explains its status.
    static func note(yes: String, no: String, interrupted: String = "nothing was written") -> Note {
        Note(
            "Exit status",
            rows: [
                "0": "yes: \(yes)",
                "1": "no: \(no)",
                "2": "the request cannot be carried out as given; nothing was contacted",
                "3": "could not tell: a host could not be resolved, reached or shaken hands with in time",
                "130": "ended early by Ctrl-C: \(interrupted)",
            ]
        )
    }
}
