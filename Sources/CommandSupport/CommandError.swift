package import FileConflicts

/// Why a command stopped: a message and a hint for ``Message``, and the exit status.
package struct CommandError: Error {
    package let message: String
    package let hint: String?
    package private(set) var status: ExitStatus
    /// Whether another process changed one output, and the others can still be written.
    package let isConflict: Bool
    /// Whether no other output can be written either, for example because the disk is full.
    package let affectsAllOutputs: Bool

    package init(
        _ message: String, hint: String? = nil, status: ExitStatus = .usageError, isConflict: Bool = false,
        affectsAllOutputs: Bool = false
    ) {
        self.message = message
        self.hint = hint
        self.status = status
        self.isConflict = isConflict
        self.affectsAllOutputs = affectsAllOutputs
    }

    package init(_ conflict: FileConflict) { self.init(conflict.message, hint: conflict.hint) }

    /// Returns this error with another exit status. The status `usageError` promises that pinctl contacted no host.
    package func with(_ status: ExitStatus) -> CommandError {
        var error = self
        error.status = status
        return error
    }
}
