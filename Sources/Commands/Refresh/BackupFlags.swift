internal import Arguments
internal import Pinning

/// Backup keys for a pin set: keys and requests in files, which no server uses yet.
enum BackupFlags {
    static let key = Option.repeated(
        "from-key", takes: Value.path("FILE"),
        help: "add the pin of this key, private or public, as a backup; it must not be in use"
    )
    static let request = Option.repeated(
        "from-csr", takes: Value.path("FILE"), help: "the same with the key of a certificate request"
    )
    static let passwordFile = Option.optional(
        "password-file", takes: Value.path("FILE"), help: "the password of an encrypted key: the first line of FILE"
    )

    static let declared: [any AnyOption] = [key, request, passwordFile]

    /// Every file that these options name.
    static func files(in values: Values) -> [(option: String?, paths: [String?])] {
        [
            ("--from-key", values[key]), ("--from-csr", values[request]),
            ("--password-file", [values[passwordFile]]),
        ]
    }

    private static func paths(in values: Values) -> [(option: String, path: String)] {
        values[key].map { ("from-key", $0) } + values[request].map { ("from-csr", $0) }
    }

    /// A pin for each file, to be kept ready for the server: none stands twice.
    static func keys(
        in values: Values, at now: Timestamp, _ console: Console
    ) throws(CommandError) -> [PinSet.PinnedKey] {
        let paths = paths(in: values)
        guard !paths.isEmpty || !values.contains(passwordFile) else {
            throw CommandError("\"--password-file\" is for \"--from-key\", which is not given")
        }
        let password = try values[passwordFile].map { path throws(CommandError) in try PasswordFile.read(path, console)
        }
        var keys: [PinSet.PinnedKey] = []
        for (option, path) in paths {
            let pin = try pin(of: path, option: option, password: password, console)
            guard !keys.contains(where: { $0.pin == pin }) else { continue }
            keys.append(
                PinSet.PinnedKey(
                    pin: pin, role: .leaf, state: .backup, label: "backup key of \(now.date)", added: now.startOfDay)
            )
        }
        return keys
    }

    private static func pin(
        of path: String, option: String, password: [UInt8]?, _ console: Console
    ) throws(CommandError) -> Pin {
        let bytes = try InputFile.bytes(at: path, console)
        let name = InputFile.name(of: path)
        var results = Material.read(bytes, password: password)
        if password == nil, results.contains(where: \.needsPassword), let typed = console.password(of: path) {
            results = Material.read(bytes, password: typed)
        }
        guard let result = results.first, results.count == 1 else {
            throw CommandError("\(name) holds \(results.count) objects, and \"--\(option)\" takes one")
        }
        let object: MaterialObject
        do throws(MaterialError) {
            object = try result.get()
        } catch {
            let hint = error.problem == .needsPassword ? "--password-file FILE gives one" : error.hint
            throw CommandError("\(name): \(error.message)", hint: hint)
        }
        switch (object.kind, option) {
        case (.certificate, _):
            throw CommandError(
                "\(name) is a certificate, and a backup is a key that is not in use",
                hint: "give the key itself with --from-key, or its request with --from-csr"
            )
        case (.certificateRequest, "from-key"):
            throw CommandError("\(name) is a certificate request, not a key", hint: "--from-csr takes it")
        case (.certificateRequest, _): break
        case (_, "from-csr"):
            throw CommandError("\(name) is a \(object.kind.rawValue), not a request", hint: "--from-key takes it")
        default: break
        }
        return object.pin
    }
}

extension Result<MaterialObject, MaterialError> {
    /// Whether a password may open what could not be read without one.
    var needsPassword: Bool {
        if case .failure(let error) = self, error.problem == .needsPassword { return true }
        return false
    }
}
