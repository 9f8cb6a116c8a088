internal import Arguments
internal import CommandSupport
internal import Encodings
internal import KeyFiles
internal import PinSetCodec
internal import Pinning

/// The validated options of `keygen`. All checks are made before a key is generated.
struct KeygenPlan {
    let kind: BackupKey.Kind
    let keyFile: String
    let requestFile: String
    /// The hosts of the request, without duplicates, in the order of the command line.
    let hosts: [CertificateHost]
    let isEncrypted: Bool
    let format: KeygenCommand.Format
    private let passwordFile: String?

    init(_ values: Values) throws(CommandError) {
        kind = values[KeygenCommand.type]
        keyFile = values[KeygenCommand.file]
        requestFile = values[KeygenCommand.request] ?? Self.requestFile(for: keyFile)
        isEncrypted = !values[KeygenCommand.isBare]
        format = values[KeygenCommand.format]
        passwordFile = values[KeygenCommand.passwordFile]
        hosts = try Self.hosts(values[KeygenCommand.hosts])
        for path in [keyFile, requestFile] where path == "-" {
            throw CommandError("keygen writes files: \"-\" is standard output")
        }
        guard keyFile != requestFile else {
            throw CommandError(
                "\(keyFile.quoted) cannot contain both the key and the request",
                hint: "use --request FILE to name another file for the request")
        }
        for path in [keyFile, requestFile] { try NewFile.check(path) }
    }

    /// The password that encrypts the key, from the file or typed at the terminal; nil for no encryption.
    func password(_ console: Console) throws(CommandError) -> Password? {
        guard isEncrypted else { return nil }
        if let passwordFile { return try PasswordFile.readForNewKey(passwordFile, console) }
        let name = keyFile.escaped
        guard let password = try console.password(asking: "new password for \(name): ") else {
            throw CommandError(
                "keygen needs a password to encrypt the key, and there is no terminal", hint: Self.otherOptions)
        }
        guard !password.isEmpty else { throw CommandError("no password was typed", hint: Self.otherOptions) }
        let again = try console.password(asking: "repeat the password: ")
        guard let again, again.isEqual(to: password) else {
            throw CommandError("the two passwords differ; nothing was written", hint: "run keygen again")
        }
        return password
    }

    private static let otherOptions =
        "use --password-file FILE, or --no-encrypt to write the key without encryption"

    /// The default name of the request: `backup.csr` for `backup.key`, `backup.pem` and `backup`.
    private static func requestFile(for keyFile: String) -> String {
        for ending in [".key", ".pem"] where !keyFile.ends(with: "/" + ending) {
            if let stem = keyFile.without(suffix: ending) { return stem + ".csr" }
        }
        return keyFile + ".csr"
    }

    private static func hosts(_ texts: [String]) throws(CommandError) -> [CertificateHost] {
        var hosts: [CertificateHost] = []
        for text in texts {
            do throws(HostNameError) {
                let host = try CertificateHost(text)
                if !hosts.contains(host) { hosts.append(host) }
            } catch {
                switch error.reason {
                case .scheme, .path, .port:
                    throw CommandError(
                        "--host: expected only a host, not \(text.targetWithoutUserInfo.quoted)", hint: error.hint)
                case .wildcard:
                    throw CommandError(
                        "--host: \(text.targetWithoutUserInfo.quoted): a wildcard is one \"*.\" before a host name")
                case .address, .name: throw CommandError("--host: \(error.message)", hint: error.hint)
                }
            }
        }
        return hosts
    }
}
