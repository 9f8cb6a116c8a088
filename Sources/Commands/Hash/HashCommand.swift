internal import Arguments
internal import CommandSupport
internal import Encodings
internal import KeyFiles
internal import PinSetCodec
internal import Pinning

/// `pinctl hash`: prints the pins of certificates, requests, keys and bundles in files, and names the owners of pins.
enum HashCommand {
    enum Format: String, CaseIterable, Sendable {
        case pin, text, json
        case okhttp, curl, tlsa, hpkp, hex, android, apple

        /// The spelling of bare pins; nil for a report.
        var spelling: PinSpelling? { PinSpelling(rawValue: rawValue) }
    }

    /// The bytes to hash.
    enum Subject: String, CaseIterable, Sendable {
        case spki, certificate
    }

    static let files = Operand.some(
        Value.path("FILE|PIN"),
        help: "file of a kind listed below (- is standard input), or a pin, if there is no such file")

    static let format = Option.single(
        "format", short: "f", takes: .choice(Format.self, "FORMAT"), default: .pin,
        help: "print pins in base64 or as a platform spells them, a report, or JSON"
    )
    static let subject = Option.single(
        "of", takes: .choice(Subject.self, "WHAT"), default: .spki,
        help: "hash the SubjectPublicKeyInfo, which gives a pin, or the whole certificate"
    )
    static let passwordFile = Option.optional(
        "password-file", takes: Value.passwordPath("FILE"),
        help: "decrypt keys and PKCS#12 files with the first line of FILE"
    )

    static let command = Command(
        "hash", summary: "print the pins of certificates, requests, keys and bundles", operands: files,
        options: [
            OptionGroup("Output", [format, subject, ColorChoice.option]), OptionGroup("Input", [passwordFile]),
        ],
        examples: [
            Example("pinctl hash cert.der", "print the pin of a certificate"),
            Example("pinctl hash certs/*.pem", "print the pins of several files, each with its file name"),
            Example(
                "openssl s_client -connect example.com:443 -showcerts | pinctl hash -",
                "print the pin of every certificate in a text"),
            Example("pinctl hash backup.key", "print the pin of a backup key, which has no certificate yet"),
            Example("pinctl hash cert.pem --format okhttp", "print the pin as OkHttp spells it"),
            Example(
                "pinctl hash sha256/C5+lpZ7tcVwmwQIMcRtPbsQtWLABXhQzejna0wHFr8M=",
                "print the name of the CA with this pin"),
        ],
        notes: [
            Note(
                "Files",
                "hash reads certificates, certificate requests, public keys, private keys (PKCS#8, PKCS#1, SEC1), PKCS#7 and"
                    + " PKCS#12, in DER, PEM or base64, with any text around PEM blocks. It recognizes them by their contents, not by"
                    + " their file names."
            ),
            Note(
                "Format of pins",
                "For one operand, each line is a pin. For several operands, each line is a pin, two spaces and the operand, with #2 and"
                    + " so on for the second and later objects of a bundle."
            ),
            Note(
                "Pins",
                "For a pin in any spelling, hash prints the pin in base64 and the name of the public or installed CA with this key, or"
                    + " that it is unknown. With --format it prints the pin in another spelling."
            ),
            PinSpelling.note,
            Note(
                "Exit status",
                rows: [
                    "0": "hash printed the pins of every file",
                    "2": "a file, or a part of one, has no pin; hash printed the others",
                ]
            ),
        ]
    )

    static func run(_ values: Values, _ console: Console) throws(CommandError) -> ExitStatus {
        let paths = values[files]
        try StandardInput.checkReadOnce([
            (nil, paths), ("--password-file", [values[passwordFile]]),
        ])
        let password = try values[passwordFile].map { path throws(CommandError) in try PasswordFile.read(path, console)
        }
        if let spelling = values[format].spelling, spelling != .pin, values[subject] == .certificate {
            throw CommandError(
                "\"--format \(spelling.rawValue)\" spells pins, and \"--of certificate\" prints no pin",
                hint: "remove one of the two options")
        }
        let report: any HashReport =
            switch values[format] {
            case .pin, .okhttp, .curl, .tlsa, .hpkp, .hex, .android, .apple:
                HashPinReport(
                    isSingleFile: paths.count == 1, subject: values[subject], spelling: values[format].spelling ?? .pin,
                    answers: values.contains(format) ? nil : PinAnswer(console))
            case .text:
                HashTextReport(console, values[ColorChoice.option], values[subject])
            case .json: HashJSONReport(console)
            }
        var status = ExitStatus.success
        console.write(report.start)
        for path in paths where !console.isClosed {
            let results = Self.results(for: path, password: password, console)
            for (index, result) in results.enumerated() {
                let item = HashItem(path: path, isSecondary: index > 0, result: result)
                let checked = values[subject] == .certificate ? item.requiringCertificate : item
                console.write(report.output(for: checked))
                guard let message = checked.message else { continue }
                // In JSON, the object itself contains the error.
                if values[format] != .json { console.writeError(message) }
                status = .usageError
            }
        }
        console.write(report.end)
        return status
    }

    private static func results(
        for path: String, password: Password?, _ console: Console
    ) -> [Result<HashSource, HashFailure>] {
        do throws(CommandError) {
            return try KeyFileInput.objects(in: path, password: password, console).map { result in
                result.map { .object($0) }.mapError { .unusable($0) }
            }
        } catch {
            // Only now, because most operands are files, and this look at the file system costs time for each of them.
            if path != "-", !InputFile.exists(at: path), let pin = try? Pin(spelling: path) {
                return [.success(.pin(pin))]
            }
            return [.failure(.unreadable(error))]
        }
    }
}
