internal import Arguments
internal import Pinning

/// A `keygen` that can be carried out: whatever can be refused has been, before a key is made.
struct KeygenPlan {
    let kind: BackupKey.Kind
    let keyFile: String
    let requestFile: String
    /// Each once, in the order given.
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
            throw CommandError("a key and its request are written to files, and \"-\" is standard output")
        }
        guard keyFile != requestFile else {
            throw CommandError(
                "\(keyFile.quoted) cannot hold both the key and its request",
                hint: "--request FILE names the other file")
        }
        for path in [keyFile, requestFile] { try NewFile.check(path) }
    }

    /// What the key is encrypted under, from the file or from whoever sits at the terminal; nil where it is not to be.
    func password(_ console: Console) throws(CommandError) -> [UInt8]? {
        guard isEncrypted else { return nil }
        if let passwordFile { return try PasswordFile.read(passwordFile, console) }
        let name = keyFile.escaped
        guard let password = console.password(asking: "new password for \(name): ") else {
            throw CommandError(
                "the key is to be encrypted, and there is no terminal to ask for a password on", hint: Self.otherWays)
        }
        guard !password.isEmpty else { throw CommandError("no password was typed", hint: Self.otherWays) }
        let again = console.password(asking: "the same password again: ")
        guard again == password else {
            throw CommandError("the two passwords are not the same", hint: "nothing was written: try again")
        }
        return password
    }

    private static let otherWays =
        "--password-file FILE gives a password; --no-encrypt leaves the key readable to whoever reads the file"

    /// `backup.csr` for `backup.key`, `backup.pem` and `backup`.
    private static func requestFile(for keyFile: String) -> String {
        for ending in [".key", ".pem"] where keyFile.hasSuffix(ending) && !keyFile.hasSuffix("/" + ending) {
            return keyFile.dropLast(ending.count) + ".csr"
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
                    throw CommandError("\(text.quoted) is not a host alone, which --host takes", hint: error.hint)
                case .wildcard: throw CommandError("\(text.quoted): a wildcard is \"*.\" before a host name, once")
                case .address, .name: throw CommandError("--host: \(error.message)", hint: error.hint)
                }
            }
        }
        return hosts
    }
}
