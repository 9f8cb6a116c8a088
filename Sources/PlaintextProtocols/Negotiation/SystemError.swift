internal import CSystem
internal import Encodings

/// An `errno` value.
package struct SystemError: Error, Equatable, Sendable {
    package let code: Int32

    package init(code: Int32) { self.code = code }

    /// This thread's `errno`.
    package static var last: SystemError { SystemError(code: pinctl_errno()) }

    package var isRefusal: Bool { code == ECONNREFUSED }

    /// Whether this machine has no route, no usable local address, or no support for the address family (connect(2)).
    package var isUnroutable: Bool { code == ENETUNREACH || code == EADDRNOTAVAIL || code == EAFNOSUPPORT }

    /// Whether the process or the system has no file descriptor left (socket(2)).
    package var isShortage: Bool { code == EMFILE || code == ENFILE }

    /// The system's error text, starting with a lower-case letter: "no route to host".
    package var text: String {
        var buffer = [CChar](repeating: 0, count: 256)
        guard unsafe strerror_r(code, &buffer, buffer.count) == 0 else { return "error \(code)" }
        let text = String(decoding: buffer.prefix { $0 != 0 }.map { UInt8(bitPattern: $0) }, as: UTF8.self)
        return text.prefix(1).lowercased() + text.dropFirst()
    }
}
