package import Arguments
internal import Encodings
internal import KeyFiles
internal import PinSetCodec
internal import PinSetMaintenance
package import Pinning

/// Options for backup keys: key files and certificate requests whose keys no server uses yet.
package enum BackupFlags {
    package static let key = Option.repeated(
        "from-key", takes: Value.path("FILE"),
        help: "add the pin of this private or public key as a backup; no server may use it yet"
    )
    package static let request = Option.repeated(
        "from-csr", takes: Value.path("FILE"), help: "add the pin of this certificate request's key as a backup"
    )
    package static let authority = Option.repeated(
        "backup-authority", takes: Value.text("CA|FILE"),
        help: "add the pin of a CA that no server uses yet as a backup: the name of a public CA, or a certificate file"
    )
    package static let passwordFile = Option.optional(
        "password-file", takes: Value.passwordPath("FILE"),
        help: "read the password of an encrypted key from the first line of FILE"
    )

    package static let declared: [any AnyOption] = [key, request, authority, passwordFile]

    /// The files that these options name.
    package static func files(in values: Values) -> [(option: String?, paths: [String?])] {
        [
            ("--from-key", values[key]), ("--from-csr", values[request]),
            ("--backup-authority", values[authority]),
            ("--password-file", [values[passwordFile]]),
        ]
    }

    /// The options as words of a command line.
    package static func words(in values: Values) -> [String] {
        var options = paths(in: values)
        options += values[authority].map { ("backup-authority", $0) }
        if let path = values[passwordFile] { options.append(("password-file", path)) }
        // Standard input cannot be read again.
        return options.flatMap { ["--\($0.option)", $0.path == "-" ? "FILE" : ShellCommand.path($0.path)] }
    }

    private static func paths(in values: Values) -> [(option: String, path: String)] {
        values[key].map { ("from-key", $0) } + values[request].map { ("from-csr", $0) }
    }

    /// Reads a backup key from each file, without duplicates.
    ///
    /// - Parameters:
    ///   - now: when the certificates of a CA must be valid.
    ///   - acceptsExpired: whether they may have expired.
    package static func keys(
        in values: Values, at now: Timestamp, acceptsExpired: Bool = false, _ console: Console
    ) throws(CommandError) -> [PinSet.PinnedKey] {
        let paths = paths(in: values)
        guard !paths.isEmpty || !values.contains(passwordFile) else {
            throw CommandError("\"--password-file\" needs \"--from-key\"")
        }
        let password = try values[passwordFile].map { path throws(CommandError) in try PasswordFile.read(path, console)
        }
        // Also with --at: the dates in a set are those of its changes.
        let today = Timestamp.now
        var keys: [PinSet.PinnedKey] = []
        for (option, path) in paths {
            let pin = try pin(of: path, option: option, password: password, console)
            guard !keys.contains(where: { $0.pin == pin }) else { continue }
            keys.append(
                PinSet.PinnedKey(
                    pin: pin, role: .leaf, state: .backup, label: "key of \(today.date)", added: today.startOfDay)
            )
        }
        for text in values[authority] {
            let key = try BackupAuthority.key(text, at: now, acceptsExpired: acceptsExpired, console)
            if !keys.contains(where: { $0.pin == key.pin }) { keys.append(key) }
        }
        return keys
    }

    private static func pin(
        of path: String, option: String, password: Password?, _ console: Console
    ) throws(CommandError) -> Pin {
        let name = InputFile.name(of: path)
        let results = try KeyFileInput.objects(in: path, password: password, console)
        guard let result = results.first, results.count == 1 else {
            throw CommandError("\(name) contains \(results.count) objects: \"--\(option)\" needs exactly one")
        }
        let object: KeyFileObject
        do throws(KeyFileError) {
            object = try result.get()
        } catch {
            let hint = error.problem == .needsPassword ? "use --password-file FILE" : error.hint
            throw CommandError("\(name): \(error.message)", hint: hint)
        }
        switch (object.kind, option) {
        case (.certificate, _):
            throw CommandError(
                "\(name) is a certificate: expected a key or a certificate request",
                hint: "use --from-key with the key, or --from-csr with its certificate request"
            )
        case (.certificateRequest, "from-key"):
            throw CommandError("\(name) is a certificate request: expected a key", hint: "use --from-csr")
        case (.certificateRequest, _): break
        case (_, "from-csr"):
            throw CommandError(
                "\(name) is a \(object.kind.rawValue): expected a certificate request", hint: "use --from-key")
        default: break
        }
        return object.pin
    }
}
