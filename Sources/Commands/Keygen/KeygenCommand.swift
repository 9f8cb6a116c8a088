internal import Arguments
internal import CommandSupport
internal import KeyFiles
internal import PinSetMaintenance
internal import Pinning

/// `pinctl keygen`: creates a backup key, a certificate request for it, and its pin.
enum KeygenCommand {
    enum Format: String, CaseIterable, Sendable {
        case pin, text, json
    }

    static let file = Operand.one(
        Value.path("KEY"), help: "file for the private key, which must not exist")

    static let type = Option.single(
        "type", short: "t", takes: .choice(BackupKey.Kind.self, "TYPE"), default: .ec,
        help: "type of the key: P-256, P-384, RSA with 3072 or 4096 bits, or Ed25519"
    )
    static let hosts = Option.repeated(
        "host", takes: Value.text("NAME"),
        help: "subject alternative name of the request: a host name, also with *. before it, or an IP address"
    )
    static let request = Option.optional(
        "request", takes: Value.path("FILE"),
        help: "file for the certificate request (default: KEY with the extension .csr)"
    )
    static let isBare = Option.flag("no-encrypt", help: "write the key without encryption")
    static let passwordFile = Option.optional(
        "password-file", takes: Value.passwordPath("FILE"), conflicts: [isBare],
        help: "encrypt the key with the first line of FILE (at most 1023 bytes, which openssl can read)"
    )
    static let format = Option.single(
        "format", short: "f", takes: .choice(Format.self, "FORMAT"), default: .pin,
        help: "print the pin, a report, or JSON"
    )

    static let command = Command(
        "keygen", summary: "create a backup key, its certificate request and its pin", operands: file,
        options: [
            OptionGroup("Key", [type, passwordFile, isBare]),
            OptionGroup("Certificate request", [hosts, request]),
            OptionGroup("Output", [format]),
        ],
        mostUsed: [type, passwordFile, hosts],
        examples: [
            Example(
                "pinctl keygen backup.key --host api.example.com",
                "ask for a password, write backup.key and backup.csr, and print the pin"),
            Example(
                "pinctl keygen backup.key --type rsa --password-file secret.txt", "without a terminal, as in a script"),
        ],
        notes: [
            Note(
                "Files",
                "The key is PKCS#8 in PEM with mode 0600, encrypted with AES-256 and PBKDF2 (600,000 iterations). keygen writes"
                    + " both files or neither, and never overwrites a file. Only if the system kills it as it names the files, the"
                    + " key can be without its request. On file systems without O_TMPFILE, such as NFS, the key can then also"
                    + " be empty or incomplete: it needs a name before keygen writes it."
            ),
            Note(
                "Backup",
                "Store the key and its password separately from the server's key, so that they are not stolen or lost"
                    + " together. Add the pin to the set with \"state\": \"backup\"."
            ),
            Note(
                "Exit status",
                rows: [
                    "0": "keygen wrote both files", "2": "keygen wrote nothing",
                    "3": "keygen wrote both files and could not print the pin",
                ]
            ),
        ]
    )

    static func run(_ values: Values, _ console: Console) throws(CommandError) -> ExitStatus {
        let plan = try KeygenPlan(values)
        console.protectSecrets()
        let password = try plan.password(console)
        let outcome: Result<KeygenReport, CommandError>
        do throws(BackupKeyError) {
            outcome = try make(plan, password)
        } catch {
            throw CommandError(error.message)
        }
        try outcome.get().write(to: console)
        return .success
    }

    private static func make(
        _ plan: KeygenPlan, _ password: Password?
    ) throws(BackupKeyError) -> Result<KeygenReport, CommandError> {
        let key = try BackupKey.generate(plan.kind)
        let request = try key.request(for: plan.hosts)
        func write(_ password: [UInt8]?) throws(BackupKeyError) -> Result<Void, CommandError> {
            try key.withPEM(password: password) { pem in
                Result { () throws(CommandError) in
                    try NewFile.create(secret: (plan.keyFile, pem), (plan.requestFile, request))
                }
            }
        }
        let written = if let password { try password.withBytes(write) } else { try write(nil) }
        let report = KeygenReport(plan, key)
        return written.map { report }
    }
}
