internal import CSystem

/// A getaddrinfo(3) error.
package struct ResolveFailure: Error, Equatable, Sendable {
    let code: Int32

    /// The name itself is at fault, not the service that answers for it.
    var meansNoSuchName: Bool { code == EAI_NONAME }

    /// Another try may find what this one did not: the service was out of reach, or busy.
    var mayPass: Bool { code == EAI_AGAIN || code == EAI_SYSTEM || code == EAI_MEMORY }

    /// The system's words, in the voice of pinctl's messages.
    var text: String {
        let words = unsafe String(cString: gai_strerror(code))
        return words.prefix(1).lowercased() + words.dropFirst()
    }
}
