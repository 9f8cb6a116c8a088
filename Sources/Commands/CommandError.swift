/// Why a command stopped: a sentence in the voice of ``Message``, and the next step where there is one.
struct CommandError: Error {
    let message: String
    let hint: String?
    let status: ExitStatus

    init(_ message: String, hint: String? = nil, status: ExitStatus = .misuse) {
        (self.message, self.hint, self.status) = (message, hint, status)
    }

    /// The same with another status: of what went wrong after hosts were contacted, nobody can say that nothing was.
    func with(_ status: ExitStatus) -> CommandError { CommandError(message, hint: hint, status: status) }
}
