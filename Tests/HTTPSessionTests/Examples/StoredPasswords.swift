import Authentication
import HTTPSession

/// Logs in with stored passwords: first those of a private file, then those of a `.netrc` file. No handler is needed.
func requestWithStoredPasswords(_ url: String, file: String, netrc: [UInt8]) throws -> TaskResult {
    var configuration = SessionConfiguration()
    configuration.storage = try CredentialStorage(
        netrc: try Netrc(parsing: netrc), file: PrivateFile(path: file))
    return try Session(configuration).run(Session.Request(url: url))
}

/// Asks for a password once, and stores it permanently after the server has accepted it.
func requestAndStorePassword(
    _ url: String, file: String, ask: @escaping @Sendable () -> (user: String, password: [UInt8])
) throws -> TaskResult {
    var configuration = SessionConfiguration()
    configuration.storage = try CredentialStorage(file: PrivateFile(path: file))
    let handler = PasswordHandler(maximumAttempts: 1) { _ in
        let (user, password) = ask()
        return Credential(user: user, password: password, persistence: .permanent)
    }
    return try Session(configuration, handler: handler).run(Session.Request(url: url))
}
