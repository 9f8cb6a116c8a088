package import FileConflicts

/// Why a command stopped: a message and a hint for ``Message``, and the exit status.
package struct CommandError: Error {
    package let message: String
    package let hint: String?
    package let status: ExitStatus

    package init(_ message: String, hint: String? = nil, status: ExitStatus = .usageError) {
        self.message = message
        self.hint = hint
        self.status = status
    }

    package init(_ conflict: FileConflict) { self.init(conflict.message, hint: conflict.hint) }

    /// Returns this error with another exit status. The status `usageError` promises that pinctl contacted no host.
    package func with(_ status: ExitStatus) -> CommandError { CommandError(message, hint: hint, status: status) }
}
