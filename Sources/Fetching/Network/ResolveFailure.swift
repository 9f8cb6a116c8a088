internal import CSystem
internal import Encodings

/// A getaddrinfo(3) error.
package struct ResolveFailure: Error, Equatable, Sendable {
    let code: Int32

    /// Whether the name does not exist, as opposed to a failure of the name service.
    var isUnknownName: Bool { code == EAI_NONAME }

    /// Whether another attempt may succeed: the name service was unreachable or overloaded.
    var isTransient: Bool { code == EAI_AGAIN || code == EAI_SYSTEM || code == EAI_MEMORY }

    /// The system's error text, starting with a lower-case letter.
    var text: String {
        let text = unsafe String(cString: gai_strerror(code))
        return text.prefix(1).lowercased() + text.dropFirst()
    }
}
