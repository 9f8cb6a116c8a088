package import KeyFiles
internal import Pinning

/// Files that may contain private keys.
package enum KeyFileInput {
    /// Reads the objects in a file. If a password is needed and was not given, asks for one on the terminal.
    ///
    /// - Parameter keys: Receives the private keys.
    package static func objects(
        in path: String, password: Password?, keys: PrivateKeyCollection? = nil, _ console: Console
    ) throws(CommandError) -> [Result<KeyFileObject, KeyFileError>] {
        console.protectSecrets()
        var bytes = try InputFile.bytes(at: path, for: .certificatesOrSecrets, console)
        defer { Password.wipe(&bytes) }
        let results =
            if let password {
                password.withBytes { KeyFile.read(bytes, password: $0, keys: keys) }
            } else {
                KeyFile.read(bytes, keys: keys)
            }
        guard password == nil, results.contains(where: \.needsPassword),
            let typed = try console.password(of: path)
        else { return results }
        return typed.withBytes { KeyFile.read(bytes, password: $0, keys: keys) }
    }
}

extension Result<KeyFileObject, KeyFileError> {
    /// Whether pinctl could read the object if it had a password.
    fileprivate var needsPassword: Bool {
        if case .failure(let error) = self, error.problem == .needsPassword { return true }
        return false
    }
}
