internal import Arguments
internal import Pinning

/// `pinctl hash`: pins of certificates, requests, keys and bundles in files.
enum HashCommand {
    enum Format: String, CaseIterable, Sendable {
        case pin, text, json
    }

    /// What is hashed.
    enum Subject: String, CaseIterable, Sendable {
        case spki, certificate
    }

    static let files = Operand.some(Value.path("FILE"), help: "a file of any kind below; - is standard input")

    static let format = Option.single(
        "format", short: "f", takes: .choice(Format.self, "FORMAT"), default: .pin,
        help: "bare pins, a report for people, or JSON"
    )
    static let subject = Option.single(
        "of", takes: .choice(Subject.self, "WHAT"), default: .spki,
        help: "hash the key's SubjectPublicKeyInfo, which makes a pin, or the whole certificate, which does not"
    )
    static let passwordFile = Option.optional(
        "password-file", takes: Value.path("FILE"),
        help: "the password for encrypted keys and PKCS#12 files: the first line of FILE"
    )

    static let command = Command(
        "hash", summary: "pins of certificates, requests, keys and bundles", operands: files,
        options: [
            OptionGroup("What to give", [format, subject, ColorChoice.option]), OptionGroup("Input", [passwordFile]),
        ],
        examples: [
            Example("pinctl hash cert.der", "the certificate's pin"),
            Example("pinctl hash certs/*.pem", "many files: each pin with its file"),
            Example(
                "openssl s_client -connect example.com:443 -showcerts | pinctl hash -", "every certificate in a text"),
            Example("pinctl hash backup.key", "the pin of a spare key, which has no certificate yet"),
        ],
        notes: [
            Note(
                "Input",
                "Contents decide, not names: certificates, certificate requests, public keys, private keys (PKCS#8,"
                    + " PKCS#1, SEC1), PKCS#7 and PKCS#12, in DER, PEM or base64, with any text around PEM blocks."
            ),
            Note(
                "Output",
                "One file gives bare pins, one a line; several give each pin, two spaces and the file, with #2 and so on"
                    + " for what comes second in a bundle."
            ),
            Note(
                "Exit status",
                rows: [
                    "0": "every file gave its pins",
                    "2": "a file, or a part of one, gave none; the others did all the same",
                ]
            ),
        ]
    )

    static func run(_ values: Values, _ console: Console) throws(CommandError) -> ExitStatus {
        let paths = values[files]
        try StandardInput.checkReadOnce([
            (nil, paths), ("--password-file", [values[passwordFile]]),
        ])
        var password = try values[passwordFile].map { path throws(CommandError) in try PasswordFile.read(path, console)
        }
        let report: any HashReport =
            switch values[format] {
            case .pin: HashPinReport(isSingleFile: paths.count == 1, subject: values[subject])
            case .text:
                HashTextReport(console, values[ColorChoice.option], values[subject])
            case .json: HashJSONReport(console)
            }
        var status = ExitStatus.yes
        console.write(report.start)
        for path in paths where !console.isClosed {
            let results = Self.results(for: path, password: &password, console)
            for (index, result) in results.enumerated() {
                let item = HashItem(path: path, isSecondary: index > 0, result: result)
                let checked = values[subject] == .certificate ? item.requiringCertificate : item
                console.write(report.output(for: checked))
                guard let message = checked.message else { continue }
                // In JSON it stands in the object.
                if values[format] != .json { console.writeError(message) }
                status = .misuse
            }
        }
        console.write(report.end)
        return status
    }

    /// Reads one file, and asks for a password where it needs one and somebody is there to ask.
    private static func results(
        for path: String, password: inout [UInt8]?, _ console: Console
    ) -> [Result<MaterialObject, HashFailure>] {
        let bytes: [UInt8]
        do throws(CommandError) {
            bytes = try InputFile.bytes(at: path, console)
        } catch {
            return [.failure(.unreadable(error))]
        }
        var results = Material.read(bytes, password: password)
        if password == nil, results.contains(where: \.needsPassword), let typed = console.password(of: path) {
            results = Material.read(bytes, password: typed)
        }
        return results.map { $0.mapError { .unusable($0) } }
    }
}
