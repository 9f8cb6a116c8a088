internal import CSystem
internal import Encodings
internal import PlaintextProtocols

/// A getaddrinfo(3) error.
package struct ResolveFailure: Error, Equatable, Sendable {
    let code: Int32
    /// The cause, if the system reported one.
    var systemError: SystemError?

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
        if let systemError { return systemError.text }
        let text = unsafe String(cString: gai_strerror(code))
        return text.prefix(1).lowercased() + text.dropFirst()
    }
}
