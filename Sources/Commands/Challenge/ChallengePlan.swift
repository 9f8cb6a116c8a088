internal import Arguments
internal import Authentication
internal import CommandSupport
internal import Encodings
internal import Fetching
internal import HTTPSession
internal import KeyFiles
internal import PinSetCodec
internal import Pinning

/// The validated input of `challenge`. Its initializer reports every usage error before the first connection.
struct ChallengePlan {
    let urls: [RequestURL]
    let format: ChallengeFormat
    let method: Session.Request.Method
    let warnings: [String]
    private let configuration: SessionConfiguration
    private let netrc: Netrc?
    private let answers: CommandLineAnswers
    /// The different passwords for the first hosts of ``urls``.
    private let passwords: [PasswordCredential]
    /// The step after an untrusted chain of a host.
    private let untrustedStep: (String) -> UntrustedChainStep

    init(_ values: Values, _ console: Console) throws(CommandError) {
        try StandardInput.checkReadOnce(
            [
                ("--from", values[ChallengeCommand.from]), ("--anchors", values[TrustFlags.anchors]),
                ("--pins", [values[ChallengeCommand.pins]]),
                ("--password-file", [values[ChallengeCommand.passwordFile]]),
                ("--netrc-file", [values[ChallengeCommand.netrcFile]]),
            ] + ConnectionFlags.files(in: values))
        format = values[ChallengeCommand.format]
        method = values[ChallengeCommand.method]
        urls = try Self.urls(values, console)
        guard !urls.isEmpty else {
            throw CommandError(
                "no URL to request", hint: "add a URL, as in: pinctl challenge https://www.example.com/private")
        }
        var configuration = SessionConfiguration()
        configuration.options = try ConnectionFlags.optionsForRequests(in: values, console)
        configuration.allowsPlaintextPasswords = values[ChallengeCommand.allowPlaintext]
        configuration.time = values[TrustFlags.time]
        if let path = values[ChallengeCommand.pins] {
            let file = try PinSetFile.read(path, console)
            try Self.checkCoverage(of: configuration.options.serverName, urls, in: file)
            // The session gives each target its server name, because that of --servername does not apply after a redirect.
            let trust = try PinSetTrust(values, file, for: file.set.entries + [nil], serverName: nil, console)
            (configuration.pins, configuration.trust) = (file.set, trust.policy)
            warnings = file.warnings + trust.warnings
            untrustedStep = { UntrustedChainStep(trust, for: file.set.entry(for: $0), in: file) }
        } else {
            let (source, warnings) = try TrustFlags.source(in: values, console)
            configuration.trust = TrustPolicy(source)
            self.warnings = warnings
            untrustedStep = { _ in UntrustedChainStep(source) }
        }
        netrc = try Self.netrc(values, console)
        let login = try Self.login(values, netrc, urls, console)
        answers = CommandLineAnswers(
            login: login, netrc: netrc, identity: configuration.options.clientCredential.map { ClientIdentity($0) },
            only: values[ChallengeCommand.only].map { Set($0) }, answersNone: values[ChallengeCommand.noAnswer])
        var hosts: Set<String> = []
        for url in urls where hosts.count < Self.maximumHosts { hosts.insert(url.hostText) }
        passwords = Self.passwords(for: Array(hosts), answers)
        // The session sends the certificate only after the handler has chosen it.
        configuration.options.clientCredential = nil
        self.configuration = configuration
    }

    /// The pins are those of the server name, and a name without an entry is only validated. So `--servername` must not take a host
    /// out of the set.
    private static func checkCoverage(
        of serverName: ServerIdentity?, _ urls: [RequestURL], in file: PinSetFile
    ) throws(CommandError) {
        guard let name = serverName?.text, file.set.entry(for: name) == nil else { return }
        let hosts = urls.map { Target(host: $0.host, port: $0.port).identity.text }
        guard let host = hosts.first(where: { file.set.entry(for: $0) != nil }) else { return }
        throw CommandError(
            "\(file.name) has an entry for \(host.quoted), but none for the server name \(name.quoted)",
            hint: "remove --servername, or add an entry for \(name.quoted)")
    }

    /// Requests one URL with a separate session, so that its list of challenges is complete.
    func outcome(of url: RequestURL) throws(CommandError) -> ChallengeOutcome {
        var configuration = configuration
        configuration.storage = CredentialStorage(netrc: netrc)
        let session: Session
        do throws(SessionError) {
            session = try Session(configuration, handler: answers.handler(for: url))
        } catch {
            throw CommandError(error.message)
        }
        let result = session.run(Session.Request(url: url.description, method: method))
        return ChallengeOutcome(url: url, method: method, result: result.masking(secrets(for: url, result)))
    }

    /// The sentence about the client certificate of the command line if no CA that the server named issued it; otherwise nil. A server
    /// that names no CA accepts any (RFC 5246, section 7.4.4).
    ///
    /// - Parameter authorities: the names in DER.
    func unlistedIssuer(among authorities: [[UInt8]]) -> String? {
        guard let identity = answers.identity, let certificate = identity.certificates.first, !authorities.isEmpty,
            !authorities.contains(where: { identity.certificates.containsIssuer(named: $0) })
        else { return nil }
        return "none of them is \((certificate.issuer?.displayName ?? "").quoted), which issued"
            + " \((certificate.subject?.displayName ?? "").quoted)"
    }

    /// The step after the untrusted chain with which a request ended.
    func step(after chain: CertificateChain, of result: TaskResult) -> String? {
        guard let text = result.challenges.last(where: { $0.chain != nil })?.url, let url = try? RequestURL(text) else {
            return nil
        }
        // --servername does not apply after a redirect.
        let given = result.hops.first?.url == text ? configuration.options.serverName?.text : nil
        return untrustedStep(given ?? url.target.identity.text).text(for: chain)
    }

    /// Maximum number of hosts of the run whose passwords are searched in each answer.
    private static let maximumHosts = 64

    /// The logins of the run that an answer can contain: those of the host, of the servers to which it redirects, of the other URLs, and of
    /// the proxies. A `.netrc` file can have thousands of others, and a search for all of them would take longer than the time limit.
    private func secrets(for url: RequestURL, _ result: TaskResult) -> SecretTexts {
        let redirects = result.hops.compactMap { try? RequestURL($0.url).hostText }
        return SecretTexts(
            Self.passwords(for: [url.hostText] + redirects, answers) + passwords,
            proxies: configuration.options.proxies?.proxies.compactMap(\.credential) ?? [])
    }

    /// The different passwords that the command line and its `.netrc` file have for these hosts.
    private static func passwords(for hosts: [String], _ answers: CommandLineAnswers) -> [PasswordCredential] {
        var credentials = hosts.map { answers.netrc?.credential(for: $0) }
        switch answers.login {
        case .credential(let credential)?: credentials.append(credential)
        case .ofNetrc(let user)?: credentials += hosts.map { answers.netrc?.credential(for: $0, user: user) }
        case nil: break
        }
        var different: [Credential] = []
        for case let credential? in credentials where !different.contains(where: { $0.isSameLogin(as: credential) }) {
            different.append(credential)
        }
        return different.compactMap(\.password)
    }

    // MARK: Input

    private static func urls(_ values: Values, _ console: Console) throws(CommandError) -> [RequestURL] {
        var urls = values[ChallengeCommand.urls]
        for path in values[ChallengeCommand.from] {
            let bytes = try InputFile.bytes(at: path, console)
            var keyLines = KeyFileLines()
            for (index, line) in bytes.split(separator: UInt8(ascii: "\n"), omittingEmptySubsequences: false)
                .enumerated()
            {
                let text = String(decoding: line[...].trimmed, as: UTF8.self)
                // A private key must be neither printed nor looked up.
                if let kind = keyLines.kind(of: line) {
                    throw CommandError(
                        "line \(index + 1) of \(InputFile.name(of: path)): \(kind.reason)",
                        hint: "use a list with one URL in each line")
                }
                guard !text.isEmpty, !text.begins(with: "#") else { continue }
                // The line may be that of a .netrc file, so it is not quoted.
                guard !text.unicodeScalars.contains(where: \.properties.isWhitespace) else {
                    throw CommandError(
                        "line \(index + 1) of \(InputFile.name(of: path)) contains white space",
                        hint: "use a list with one URL in each line")
                }
                do throws(RequestURL.Failure) {
                    urls.append(try RequestURL(text))
                } catch {
                    // The line may contain a password, so neither it nor a part of it is quoted.
                    throw CommandError(
                        "line \(index + 1) of \(InputFile.name(of: path)): \(error.reasonWithoutText)",
                        hint: "use a list with one URL in each line")
                }
            }
        }
        return urls
    }

    private static func netrc(_ values: Values, _ console: Console) throws(CommandError) -> Netrc? {
        let path: String
        if let given = values[ChallengeCommand.netrcFile] {
            path = given
        } else if values[ChallengeCommand.netrc] {
            guard let home = console.environment["HOME"], !home.isEmpty else {
                throw CommandError(
                    "--netrc needs the environment variable HOME, in UTF-8", hint: "use --netrc-file FILE")
            }
            path = home.ends(with: "/") ? home + ".netrc" : home + "/.netrc"
        } else {
            return nil
        }
        console.protectSecrets()
        var bytes = try InputFile.bytes(at: path, for: .certificatesOrSecrets, console)
        defer { Password.wipe(&bytes) }
        do throws(Netrc.Failure) {
            return try Netrc(parsing: bytes)
        } catch {
            throw CommandError("\(InputFile.name(of: path)): \(error)")
        }
    }

    /// The credential of `--user`.
    private static func login(
        _ values: Values, _ netrc: Netrc?, _ urls: [RequestURL], _ console: Console
    ) throws(CommandError) -> CommandLineAnswers.Login? {
        guard let user = values[ChallengeCommand.user] else {
            guard values.contains(ChallengeCommand.passwordFile) else { return nil }
            throw CommandError("\"--password-file FILE\" needs \"--user NAME\"")
        }
        guard !user.has(":") else {
            throw CommandError(
                "--user takes a user name, which has no colon and no password",
                hint: "use --password-file FILE for the password")
        }
        if let path = values[ChallengeCommand.passwordFile] {
            return try credential(user, PasswordFile.read(path, console))
        }
        if netrc != nil { return .ofNetrc(user) }
        guard let password = try console.password(asking: "password of \(user.escaped): ") else {
            throw CommandError(
                "--user needs a password, and there is no terminal",
                hint: "use --password-file FILE or --netrc-file FILE")
        }
        return credential(user, password)
    }

    private static func credential(_ user: String, _ password: Password) -> CommandLineAnswers.Login {
        password.withBytes { .credential(Credential(user: user, password: $0)) }
    }
}
