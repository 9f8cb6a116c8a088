internal import CSystem

/// A getaddrinfo(3) error.
package struct ResolveFailure: Error, Equatable, Sendable {
    let code: Int32

    /// The name itself is at fault, not the service that answers for it.
    var meansNoSuchName: Bool { code == EAI_NONAME }

    /// The system's words, in the voice of pinctl's messages.
    var text: String {
        let words = unsafe String(cString: gai_strerror(code))
        return words.prefix(1).lowercased() + words.dropFirst()
    }
}
