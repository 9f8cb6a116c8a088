/// Why a command stopped: a sentence in the voice of ``Message``, and the next step where there is one.
struct CommandError: Error {
    let message: String
    let hint: String?
    let status: ExitStatus

    init(_ message: String, hint: String? = nil, status: ExitStatus = .misuse) {
        (self.message, self.hint, self.status) = (message, hint, status)
    }
}
