package import Arguments
internal import Authentication
internal import Encodings
package import Fetching
internal import Pinning

/// Options and environment variables for proxies.
package enum ProxyFlags {
    /// The text may contain a password, so it is parsed in ``rules(in:_:)``, whose errors do not quote it.
    package static let proxy = Option.optional(
        "proxy", takes: .secret("URL"),
        help:
            "connect through this proxy (http, https, socks4, socks4a, socks5, socks5h); none to ignore the environment"
    )
    package static let user = Option.optional(
        "proxy-user", takes: .secret("NAME"),
        help: "user name for the proxy; pinctl asks for the password, or reads it from --proxy-password-file"
    )
    package static let passwordFile = Option.optional(
        "proxy-password-file", takes: Value.passwordPath("FILE"),
        help: "file with the password for the proxy in its first line"
    )
    package static let exempt = Option.optional(
        "no-proxy", takes: .text("LIST"),
        help: "hosts to reach without a proxy, such as .example.com,10.0.0.0/8; replaces no_proxy"
    )
    package static let anchors = Option.repeated(
        "proxy-anchors", takes: Value.path("FILE|DIR"),
        help: "trust only these certificates for an https proxy, instead of the system's CAs"
    )
    package static let pins = Option.optional(
        "proxy-pins", takes: Value.path("FILE"), help: "pin set that the certificate of an https proxy must match, too"
    )

    private static let grouped: [any AnyOption] = [proxy, user, passwordFile, exempt, anchors, pins]

    package static let declared: [any AnyOption] = grouped

    package static let group = OptionGroup("Proxy", grouped)

    /// Overwrites the user and the password of `--proxy` in the command line of the process, and prevents core dumps if the process has
    /// a password for a proxy. It warns about a password in the command line. A command can wait for its inputs for any time, so this must precede the first of them.
    package static func protectSecrets(in values: Values, _ console: Console) {
        let given = values.contains(proxy) ? values[proxy] : nil
        let names = ["https_proxy", "HTTPS_PROXY", "http_proxy", "all_proxy", "ALL_PROXY"]
        let texts = [given].compactMap(\.self) + names.compactMap { console.environment[$0] }
        guard texts.contains(where: \.utf8.hasAtSign) else { return }
        console.protectSecrets()
        guard let given else { return }
        if console.ownsProcess { ProcessArguments.eraseUserInfo(of: given) }
        if (try? Proxy(parsing: given))?.credential?.hasPassword == true {
            console.writeError(
                Message.warning(
                    "the password in the URL of --proxy was visible to other users of this machine",
                    hint: "use --proxy-user NAME with --proxy-password-file FILE"))
        }
    }

    /// The proxies of the options and of the environment.
    ///
    /// The variables are those of curl: `https_proxy`, then `HTTPS_PROXY`, for HTTPS targets; `all_proxy`, then `ALL_PROXY`, for all
    /// targets; `no_proxy`, then `NO_PROXY`. An empty variable counts as absent ("ENVIRONMENT" in curl(1), curl_getenv()).
    ///
    /// - Parameter forPlainHTTP: whether to read `http_proxy`, too, for URLs with the scheme `http`. As in curl, `HTTP_PROXY` is not
    ///   read, because a CGI program gets it from a header field of its client.
    /// - Returns: nil if there is no proxy.
    package static func rules(
        in values: Values, forPlainHTTP: Bool = false, _ console: Console
    ) throws(CommandError) -> ProxyRules? {
        var https: Proxy?
        var http: Proxy?
        var general: Proxy?
        if let text = values[proxy] {
            general = try given(text)
        } else {
            https = try variable("https_proxy", "HTTPS_PROXY", console)
            if forPlainHTTP { http = try variable("http_proxy", "http_proxy", console) }
            general = try variable("all_proxy", "ALL_PROXY", console)
        }
        let proxies = [https, http, general].compactMap(\.self)
        guard !proxies.isEmpty else {
            try refuseUnusedOptions(values)
            return nil
        }
        if let (user, password) = try credential(in: values, for: proxies, console) {
            try add(user, password, to: &https)
            try add(user, password, to: &http)
            try add(user, password, to: &general)
        }
        if [https, http, general].contains(where: { $0?.credential != nil }) { console.protectSecrets() }
        let file = try pinSet(values, proxies, console)
        return ProxyRules(
            https: https, http: http, general: general, exempt: try exemptions(values, console),
            trust: try trust(values, proxies, file, console), pins: file?.set, at: .now)
    }

    /// The options as words of a command line, without credentials.
    package static func words(in values: Values) -> [String] {
        var words: [String] = []
        if let text = values[proxy] {
            words += ["--proxy", isNone(text) ? "none" : (try? Proxy(parsing: text))?.description ?? "URL"]
        }
        if let list = values[exempt] { words += ["--no-proxy", list] }
        for path in values[anchors] { words += ["--proxy-anchors", path] }
        if let path = values[pins] { words += ["--proxy-pins", path] }
        return words
    }

    // MARK: Proxies

    private static func isNone(_ text: String) -> Bool { text.isEmpty || text == "none" }

    private static func given(_ text: String) throws(CommandError) -> Proxy? {
        guard !isNone(text) else { return nil }
        let proxy: Proxy
        do throws(ProxyURLError) {
            proxy = try Proxy(parsing: text)
        } catch {
            throw CommandError("--proxy: \(error.reason(about: text))", hint: error.hint)
        }
        return proxy
    }

    private static func variable(
        _ name: String, _ other: String, _ console: Console
    ) throws(CommandError) -> Proxy? {
        for name in [name, other] {
            guard let text = console.environment[name], !text.isEmpty else { continue }
            do throws(ProxyURLError) {
                return try Proxy(parsing: text)
            } catch {
                throw CommandError(
                    "the environment variable \(name): \(error.reason(about: text))",
                    hint: error.hint ?? "correct \(name), or use --proxy none to ignore it")
            }
        }
        return nil
    }

    private static func refuseUnusedOptions(_ values: Values) throws(CommandError) {
        let needing: [any AnyOption] = [user, passwordFile, exempt, anchors, pins]
        guard let location = needing.compactMap({ values.location(of: $0) }).first else { return }
        throw CommandError(
            "\(location.shown.quoted) has no effect without a proxy",
            hint: "use --proxy URL to connect through a proxy")
    }

    // MARK: Credentials

    /// The user and the password of the options; nil if there are none.
    private static func credential(
        in values: Values, for proxies: [Proxy], _ console: Console
    ) throws(CommandError) -> (user: String, password: Password?)? {
        guard let name = values[user] else {
            guard let path = values[passwordFile] else { return nil }
            guard let given = proxies.first?.credential, !given.hasPassword, proxies.count == 1 else {
                throw CommandError("\"--proxy-password-file\" needs \"--proxy-user NAME\"")
            }
            return (given.user, try PasswordFile.read(path, console))
        }
        guard !name.has(":") else {
            throw CommandError(
                "--proxy-user takes a user name, which has no colon and no password",
                hint: "use --proxy-password-file FILE for the password")
        }
        guard Set(proxies.map(\.description)).count == 1, let proxy = proxies.first else {
            throw CommandError(
                "the environment names two proxies, and --proxy-user is for one",
                hint: "use --proxy URL to select the proxy")
        }
        guard proxies.allSatisfy({ $0.credential == nil }) else {
            throw CommandError("the URL of the proxy already has a user: \"--proxy-user\" cannot add another")
        }
        guard proxy.kind.takesPassword else {
            guard values[passwordFile] == nil else { throw CommandError("\(proxy.kind.name) has no passwords") }
            return (name, nil)
        }
        if let path = values[passwordFile] { return (name, try PasswordFile.read(path, console)) }
        guard let password = try console.password(asking: "password for the proxy \(proxy): ") else {
            throw CommandError(
                "--proxy-user needs a password, and there is no terminal", hint: "use --proxy-password-file FILE")
        }
        return (name, password)
    }

    private static func add(
        _ user: String, _ password: Password?, to proxy: inout Proxy?
    ) throws(CommandError) {
        guard var changed = proxy else { return }
        do throws(ProxyURLError) {
            if let password {
                try password.withBytes { bytes throws(ProxyURLError) in
                    try changed.setCredential(user: user, password: bytes)
                }
            } else {
                try changed.setCredential(user: user, password: nil)
            }
        } catch {
            throw CommandError("--proxy-user: \(error.reason)")
        }
        proxy = changed
    }

    // MARK: Exemptions and trust

    private static func exemptions(_ values: Values, _ console: Console) throws(CommandError) -> NoProxyList {
        guard let text = values[exempt] else {
            let names = ["no_proxy", "NO_PROXY"].lazy.compactMap { console.environment[$0] }
            return NoProxyList(parsing: names.first { !$0.isEmpty } ?? "")
        }
        let list = NoProxyList(parsing: text)
        guard let invalid = list.invalidEntries.first else { return list }
        // A part of a URL may be a part of its password.
        let shown = text.utf8.hasAtSign || text.has("://") ? "a URL" : invalid.quoted
        throw CommandError(
            "--no-proxy: \(shown) matches no host: expected a name, an address, or a range such as 10.0.0.0/8",
            hint: "use example.com for a name and all names below it, or a single * for all hosts")
    }

    private static func requireTLS(_ option: String, _ proxies: [Proxy]) throws(CommandError) {
        guard !proxies.contains(where: { $0.kind == .https }) else { return }
        throw CommandError(
            "\(option.quoted) has no effect: only an https proxy has a certificate",
            hint: "use --proxy https://HOST:PORT if the proxy accepts TLS")
    }

    private static func trust(
        _ values: Values, _ proxies: [Proxy], _ file: PinSetFile?, _ console: Console
    ) throws(CommandError) -> TrustSource {
        let paths = values[anchors]
        guard !paths.isEmpty else {
            if let file, let source = try trust(of: file, proxies) { return source }
            let usesTLS = proxies.contains { $0.kind == .https }
            return usesTLS
                ? try SystemTrust.checkedSource(console.environment).0 : SystemTrust.source(console.environment)
        }
        try requireTLS("--proxy-anchors", proxies)
        var found: [TrustAnchor] = []
        for path in paths { found += try AnchorFiles.anchors(at: path, console) }
        return TrustSource(anchors: TrustAnchors(anchors: found))
    }

    /// The anchors of the proxies' entries; nil if they have none.
    private static func trust(of file: PinSetFile, _ proxies: [Proxy]) throws(CommandError) -> TrustSource? {
        let entries = proxies.filter { $0.kind == .https }.compactMap { file.set.entry(for: $0.target.identity.text) }
        guard let first = entries.first else { return nil }
        guard entries.allSatisfy({ $0.anchors == first.anchors }) else {
            throw CommandError(
                "the entries of the proxies in \(file.name) have different anchors",
                hint: "use --proxy URL to select the proxy, or --proxy-anchors FILE")
        }
        guard !first.anchors.isEmpty else { return nil }
        return TrustSource(anchors: try PinSetTrust.anchors(of: first, in: file))
    }

    private static func pinSet(
        _ values: Values, _ proxies: [Proxy], _ console: Console
    ) throws(CommandError) -> PinSetFile? {
        guard let path = values[pins] else { return nil }
        try requireTLS("--proxy-pins", proxies)
        let file = try PinSetFile.read(path, console)
        for proxy in proxies where proxy.kind == .https {
            let host = proxy.target.identity.text
            guard let entry = file.set.entry(for: host) else {
                throw CommandError("\(file.name) has no pins for the proxy \(host.quoted)")
            }
            guard !entry.isExpired(at: .now) else {
                throw CommandError("the pins of the proxy \(host.quoted) in \(file.name) have expired")
            }
        }
        return file
    }
}
