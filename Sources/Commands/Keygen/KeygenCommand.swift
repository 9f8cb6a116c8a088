internal import Arguments
internal import Pinning

/// `pinctl keygen`: a backup key, the request for its certificate, and its pin.
enum KeygenCommand {
    enum Format: String, CaseIterable, Sendable {
        case pin, text, json
    }

    static let file = Operand.one(
        Value.path("KEY"), help: "the file for the private key; there must be none of that name")

    static let type = Option.single(
        "type", short: "t", takes: .choice(BackupKey.Kind.self, "TYPE"), default: .ec,
        help: "the key: P-256, P-384, RSA of 3072 or 4096 bits, or Ed25519"
    )
    static let hosts = Option.repeated(
        "host", takes: Value.text("NAME"),
        help: "what the certificate is to be for: a host name, *. before one, or an IP address"
    )
    static let request = Option.optional(
        "request", takes: Value.path("FILE"),
        help: "the file for the certificate request; by itself, KEY with the ending .csr"
    )
    static let isBare = Option.flag("no-encrypt", help: "leave the key readable to whoever reads the file")
    static let passwordFile = Option.optional(
        "password-file", takes: Value.path("FILE"), conflicts: [isBare],
        help: "the password that encrypts the key: the first line of FILE"
    )
    static let format = Option.single(
        "format", short: "f", takes: .choice(Format.self, "FORMAT"), default: .pin,
        help: "the bare pin, a report for people, or JSON"
    )

    static let command = Command(
        "keygen", summary: "make a backup key with its request and pin", operands: file,
        options: [
            OptionGroup("The key", [type, passwordFile, isBare]),
            OptionGroup("The certificate request", [hosts, request]),
            OptionGroup("Report", [format]),
        ],
        examples: [
            Example(
                "pinctl keygen backup.key --host api.example.com",
                "asks for a password, writes backup.key and backup.csr, and prints the pin"),
            Example(
                "pinctl keygen backup.key --type rsa --password-file secret.txt", "where nobody is there to be asked"),
        ],
        notes: [
            Note(
                "Files",
                "The key is PKCS#8 in PEM, encrypted with AES-256 under a key of 600,000 rounds of PBKDF2, and for its"
                    + " owner alone (mode 0600). No file is ever overwritten: either both come to be, or neither."
            ),
            Note(
                "A backup",
                "A key is a backup while whoever gets hold of the server's own key does not get hold of it: keep it, and its"
                    + " password, elsewhere. Its pin goes into the set with \"state\": \"backup\"."
            ),
            Note(
                "Exit status",
                rows: [
                    "0": "both files were written", "2": "nothing was",
                    "3": "both were written, and the pin could not be printed",
                ]
            ),
        ]
    )

    static func run(_ values: Values, _ console: Console) throws(CommandError) -> ExitStatus {
        let plan = try KeygenPlan(values)
        let password = try plan.password(console)
        let outcome: Result<KeygenReport, CommandError>
        do throws(BackupKeyError) {
            outcome = try make(plan, password)
        } catch {
            throw CommandError(error.message)
        }
        try outcome.get().write(to: console)
        return .yes
    }

    private static func make(
        _ plan: KeygenPlan, _ password: [UInt8]?
    ) throws(BackupKeyError) -> Result<KeygenReport, CommandError> {
        let key = try BackupKey.generate(plan.kind)
        let request = try key.request(for: plan.hosts)
        let written = try key.withPEM(password: password) { pem in
            Result { () throws(CommandError) in
                try NewFile.create((plan.keyFile, pem, .owner), (plan.requestFile, request, .usual))
            }
        }
        let report = KeygenReport(plan, key)
        return written.map { report }
    }
}
