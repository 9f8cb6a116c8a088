/// Why a command stopped: a message and a hint for ``Message``, and the exit status.
struct CommandError: Error {
    let message: String
    let hint: String?
    let status: ExitStatus

    init(_ message: String, hint: String? = nil, status: ExitStatus = .usageError) {
        self.message = message
        self.hint = hint
        self.status = status
    }

    /// This error with another status, because a usage error means that pinctl contacted no host.
    func with(_ status: ExitStatus) -> CommandError { CommandError(message, hint: hint, status: status) }
}
