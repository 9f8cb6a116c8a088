internal import Arguments
internal import Authentication
internal import CommandSupport
internal import Encodings
internal import Fetching
internal import HTTPSession
internal import PinSetCodec
internal import Pinning

/// `pinctl challenge`: requests URLs, and prints the authentication challenges in front of them with their answers.
enum ChallengeCommand {
    static let urls = Operand.any(
        Value<RequestURL>("URL", expected: "a URL") { text throws(ValueError) in
            do throws(RequestURL.Failure) {
                return try RequestURL(text)
            } catch {
                throw ValueError(error.reason(about: text), hint: error.hint, isAboutTarget: true)
            }
        },
        help: "https, http or ftp URL; without a scheme, https"
    )
    static let from = Option.repeated(
        "from", takes: Value.path("FILE"), help: "read more URLs from FILE, one per line; - is standard input")
    static let format = Option.single(
        "format", short: "f", takes: .choice(ChallengeFormat.self, "FORMAT"), default: .text,
        help: "text for people, json or ndjson for programs")

    static let method = Option.single(
        "method", takes: .choice(Session.Request.Method.self, "METHOD"), default: .get,
        help: "request method; a login form is found with GET only")
    static let user = Option.optional(
        "user", short: "u", takes: .secret("NAME"),
        help: "user name for the servers of the URLs; pinctl asks for the password, or reads it from a file")
    static let passwordFile = Option.optional(
        "password-file", takes: Value.passwordPath("FILE"), help: "file with the password of --user in its first line")
    static let netrc = Option.flag("netrc", help: "read users and passwords from ~/.netrc, by host")
    static let netrcFile = Option.optional(
        "netrc-file", takes: Value.passwordPath("FILE"), conflicts: [netrc],
        help: "read users and passwords from FILE, in the format of .netrc")
    static let only = Option.optional(
        "only", takes: .list(AuthenticationMethod.allCases, "METHODS"),
        help: "answer only these challenges; the server's chain is validated in any case")
    static let noAnswer = Option.flag(
        "no-answer", conflicts: [only, user, passwordFile, netrc, netrcFile],
        help: "list the challenges and answer none; the server's chain is validated in any case")
    static let allowPlaintext = Option.flag(
        "allow-plaintext",
        help: "let Basic send a password to a server without TLS, readable for everybody on the network")

    static let pins = Option.optional(
        "pins", takes: Value.path("FILE"),
        help: "pin set that the servers' chains must match; a host without an entry is only validated")

    static let command = Command(
        "challenge", summary: "list and answer the authentication challenges in front of URLs", operands: urls,
        options: [
            OptionGroup("Output", [format, ColorChoice.option]),
            OptionGroup(
                "Answers", [user, passwordFile, netrc, netrcFile, only, noAnswer, allowPlaintext, method]),
            OptionGroup("Trust", [pins, TrustFlags.anchors, TrustFlags.systemAnchors, TrustFlags.time]),
            OptionGroup("Connection", ConnectionFlags.declaredForRequests),
            ProxyFlags.group,
            OptionGroup("Many URLs", [from]),
        ],
        mostUsed: [user, passwordFile, noAnswer, pins, TrustFlags.anchors, ConnectionFlags.certificate, format],
        examples: [
            Example("pinctl challenge https://www.example.com/private", "each challenge, its answer, and the status"),
            Example("pinctl challenge --no-answer https://www.example.com/private", "list the challenges only"),
            Example(
                "pinctl challenge --user alice https://www.example.com/private", "log in; pinctl asks for the password"),
            Example("pinctl challenge --cert client.p12 https://api.example.com", "answer with a client certificate"),
            Example("pinctl challenge --pins pins.json https://api.example.com", "also compare the pins"),
            Example("pinctl challenge ftp://ftp.example.com", "log in to FTP after AUTH TLS, as anonymous"),
        ],
        notes: [
            Note(
                "Passwords",
                "A credential, also one of a .netrc file, is sent only to the host, port and scheme of its URL, never after a"
                    + " redirect to another one. Basic of a server is not answered over plain HTTP without --allow-plaintext. NTLM,"
                    + " Negotiate and login forms are reported and not answered."
            ),
            ExitStatus.note(
                success: "every URL is admitted",
                failure: "a login, a certificate, a server or its pins were refused",
                interrupted: "the results so far were printed"),
        ]
    )

    static func run(_ values: Values, _ console: Console) throws(CommandError) -> ExitStatus {
        let plan = try ChallengePlan(values, console)
        for warning in plan.warnings { console.writeError(Message.warning(warning)) }
        let report: any HostReport<ChallengeOutcome> =
            switch plan.format {
            case .text:
                ChallengeTextReport(
                    plan, style: Style(values[ColorChoice.option], on: console), width: console.width)
            case .json, .ndjson: ChallengeJSONReport(isStreamed: plan.format == .ndjson)
            }
        let output = ReportWriter(report, to: console)
        for (index, url) in plan.urls.enumerated() where !output.isClosed {
            try output.take(try plan.outcome(of: url), at: index)
            try output.flush()
        }
        return try output.finish()
    }
}

extension RequestURL.Failure {
    fileprivate var hint: String? {
        switch self {
        case .userInfo: "use --user NAME, with --password-file FILE if there is no terminal"
        case .host(let error): error.hint
        case .scheme, .tooLong: nil
        }
    }
}

/// One URL with its result.
struct ChallengeOutcome: HostOutcome {
    let url: RequestURL
    let method: Session.Request.Method
    let result: TaskResult

    /// The URL without the users and passwords of URLs in its query.
    var shownURL: String { url.description.withoutUserInfoInURLs }

    var status: ExitStatus {
        switch result.admission {
        case .admitted: .success
        case .refused: .failure
        case .undecided: .undecided
        }
    }

    var isUndecided: Bool { result.admission == .undecided }
    /// The command handles one URL after another, so no result waits.
    var size: Int { 0 }

    /// Why there is no response, or why the response decides nothing; nil if neither is the case.
    var error: (code: SessionError.Code, message: String)? {
        if case .failure(let error) = result.outcome { return (error.code, error.message) }
        guard result.admission == .undecided, result.hasUnreadPage else { return nil }
        return (
            .response,
            "the page after the redirect was not received completely or has more than 1 MiB, so it may contain a login form"
        )
    }
}
