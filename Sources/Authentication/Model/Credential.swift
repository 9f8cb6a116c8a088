internal import Encodings
public import Pinning

/// An answer to a challenge: a user name with or without a password, a client certificate with its key, or the decision to trust a
/// server.
///
/// Secrets are wiped from memory with the last copy of the value. No description of a credential contains a secret.
public struct Credential: Sendable {
    /// How long a ``CredentialStorage`` keeps a credential.
    public enum Persistence: String, CaseIterable, Hashable, Sendable {
        /// For one request.
        case none
        /// Until the storage is deinitialized.
        case forSession
        /// In the file of the storage. Only passwords are stored there.
        case permanent
    }

    package enum Kind: Sendable {
        /// A user name without a password. It can only be proposed.
        case user(String)
        case password(PasswordCredential)
        case identity(ClientIdentity)
        case trust(ServerTrust)
    }

    package let kind: Kind
    public let persistence: Persistence

    /// A user name and a password.
    ///
    /// - Parameter password: the password in UTF-8. The credential keeps its own copy, and the caller can overwrite the bytes.
    public init(user: String, password: [UInt8], persistence: Persistence = .forSession) {
        self.init(.password(PasswordCredential(user: user, password: password)), persistence)
    }

    /// A user name and a password in a string. A string cannot be wiped from memory, so prefer bytes.
    public init(user: String, password: String, persistence: Persistence = .forSession) {
        self.init(user: user, password: Array(password.utf8), persistence: persistence)
    }

    /// A user name without a password, to propose it to a handler.
    public init(user: String, persistence: Persistence = .forSession) { self.init(.user(user), persistence) }

    /// A client certificate with its key. It is never stored permanently.
    public init(identity: ClientIdentity, persistence: Persistence = .forSession) {
        self.init(.identity(identity), persistence == .permanent ? .forSession : persistence)
    }

    /// The decision to trust the certificates of a server. It holds for the session.
    public init(trust: ServerTrust) { self.init(.trust(trust), .forSession) }

    package init(_ password: PasswordCredential, persistence: Persistence = .forSession) {
        self.init(.password(password), persistence)
    }

    private init(_ kind: Kind, _ persistence: Persistence) { (self.kind, self.persistence) = (kind, persistence) }

    /// The user name; nil for a client certificate and for server trust.
    public var user: String? {
        switch kind {
        case .user(let user): user
        case .password(let password): password.user
        case .identity, .trust: nil
        }
    }

    /// Whether the credential has a password, which may be empty.
    public var hasPassword: Bool { password != nil }

    /// The client's certificate and its issuers; empty for other credentials.
    public var certificates: [Certificate] {
        if case .identity(let identity) = kind { identity.certificates } else { [] }
    }

    /// Calls `body` with the password. `body` must not keep a copy of it.
    ///
    /// - Returns: nil if there is no password.
    public func withPassword<Value>(_ body: ([UInt8]) -> Value) -> Value? { password?.withPassword(body) }

    package var password: PasswordCredential? { if case .password(let password) = kind { password } else { nil } }

    package var identity: ClientIdentity? { if case .identity(let identity) = kind { identity } else { nil } }

    /// Whether both have the same user name and password.
    package func isSameLogin(as other: Credential) -> Bool {
        guard let password, let otherPassword = other.password, password.user == otherPassword.user else {
            return false
        }
        return password.withPassword { bytes in otherPassword.withPassword { $0 == bytes } }
    }

    func with(_ persistence: Persistence) -> Credential { Credential(kind, persistence) }
}

extension Credential: CustomStringConvertible, CustomDebugStringConvertible, CustomReflectable {
    public var description: String {
        switch kind {
        case .user(let user): "the user \(user.quotedExcerpt) without a password"
        case .password(let password): "the password of \(password.user.quotedExcerpt)"
        case .identity(let identity): identity.description
        case .trust: "trust in the server"
        }
    }

    public var debugDescription: String { description }

    /// Only the description, so that `dump` and a debugger show no secret.
    public var customMirror: Mirror { Mirror(self, children: ["description": description]) }
}
