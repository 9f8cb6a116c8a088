internal import CSystem
internal import Encodings
internal import PlaintextProtocols

/// A getaddrinfo(3) error.
package struct ResolveFailure: Error, Equatable, Sendable {
    let code: Int32
    /// The cause, if the system reported one.
    var systemError: SystemError?
    /// Whether the system cannot create a thread for the look-up.
    private let lacksThread: Bool

    init(code: Int32, systemError: SystemError? = nil) {
        self.init(code: code, systemError: systemError, lacksThread: false)
    }

    private init(code: Int32, systemError: SystemError?, lacksThread: Bool) {
        (self.code, self.systemError, self.lacksThread) = (code, systemError, lacksThread)
    }

    /// The system cannot create a thread for the look-up (pthread_create(3)).
    static let noThread = ResolveFailure(
        code: EAI_SYSTEM, systemError: SystemError(code: EAGAIN), lacksThread: true)

    static let unknownName = ResolveFailure(code: EAI_NONAME)

    /// Whether the name does not exist, as opposed to a failure of the name service or of this machine.
    var isUnknownName: Bool { code == EAI_NONAME && systemError == nil }

    /// Whether the process or the system had no file descriptor left for the look-up.
    var isShortage: Bool { systemError?.isShortage ?? false }

    /// Whether another attempt may succeed: the name service was unreachable or overloaded.
    var isTransient: Bool { systemError != nil || code == EAI_AGAIN || code == EAI_SYSTEM || code == EAI_MEMORY }

    /// Whether the look-up failed, as opposed to a name without addresses.
    var isFailedLookUp: Bool { isTransient || code == EAI_FAIL }

    /// The system's error text, starting with a lower-case letter.
    var text: String {
        if lacksThread { return "cannot start a thread: a limit of this process or of the system is reached" }
        if let systemError { return systemError.text }
        let text = unsafe String(cString: gai_strerror(code))
        return text.prefix(1).lowercased() + text.dropFirst()
    }
}
