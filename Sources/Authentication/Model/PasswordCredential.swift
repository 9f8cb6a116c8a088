internal import Encodings
internal import OpenSSL

/// A user name and a password.
///
/// The password is wiped from memory with the last copy of the value. No description of a credential contains it.
package struct PasswordCredential: Sendable {
    /// The user name.
    package let user: String
    private let secret: SecretBytes

    /// - Parameter password: the password in UTF-8. The credential keeps its own copy.
    package init(user: String, password: [UInt8]) {
        self.user = user
        secret = SecretBytes(password)
    }

    /// Whether the password has at least one byte.
    package var hasPassword: Bool { secret.withBytes { !$0.isEmpty } }

    /// Calls `body` with the password. `body` must not keep a copy of it.
    package func withPassword<Value>(_ body: ([UInt8]) -> Value) -> Value { secret.withBytes(body) }
}

extension PasswordCredential: CustomStringConvertible, CustomDebugStringConvertible, CustomReflectable {
    package var description: String { "the credential of \(user.quoted)" }
    package var debugDescription: String { description }
    /// Only the user name, so that `dump` and a debugger show no password.
    package var customMirror: Mirror { Mirror(self, children: ["user": user]) }
}
