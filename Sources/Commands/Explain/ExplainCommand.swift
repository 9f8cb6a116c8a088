internal import Arguments
internal import CommandSupport
internal import ConnectionFailures
internal import Fetching

/// `pinctl explain`: reads the log of a failed connection and names the cause and the next step.
enum ExplainCommand {
    enum Format: String, CaseIterable, Sendable {
        case text, json
    }

    static let log = Operand.one(Value.path("FILE"), help: "log with the error message; - is standard input")

    static let host = Option.optional(
        "host", takes: TargetFlags.value, help: "host of the failures whose messages contain no host or port")
    static let pins = Option.optional(
        "pins", takes: Value.path("FILE"), help: "pin set of the program; its pins count besides those in the log")
    static let offline = Option.flag(
        "offline", conflicts: ConnectionFlags.declared, help: "do not connect to the hosts in the log")
    static let format = Option.single(
        "format", short: "f", takes: .choice(Format.self, "FORMAT"), default: .text, help: "print a report or JSON")

    static let command = Command(
        "explain", summary: "find the cause of a pin failure in the log of a program", operands: log,
        options: [
            OptionGroup("Input", [host, pins, offline]),
            OptionGroup("Output", [format, ColorChoice.option]),
            OptionGroup("Trust", [TrustFlags.anchors, TrustFlags.systemAnchors, TrustFlags.time]),
            ConnectionFlags.group, ProxyFlags.group, OptionGroup("Several hosts", LoadFlags.declared),
        ],
        mostUsed: [host, pins, offline, format, TrustFlags.anchors],
        examples: [
            Example("pinctl explain crash.log", "the cause of each failure in a log"),
            Example("adb logcat -d | pinctl explain -", "the same for the log of an Android device"),
            Example("pinctl explain crash.log --pins pins.json", "the same, with the pin set of the app"),
            Example("pinctl explain crash.log --offline", "the same without a connection"),
        ],
        notes: [
            Note(
                "Messages",
                "explain reads the messages of these programs, with any text around them:",
                rows: [
                    "OkHttp": "Certificate pinning failure! with the chain and the pins; Hostname … not verified",
                    "TrustKit": "SSL Pin not found for HOST, default SSL validation failed, and the JSON reports",
                    "Android": "Pin verification failed; Trust anchor for certification path not found",
                    "URLSession": "NSURLErrorDomain with -999 and -1200 to -1204, with the chain in the description",
                    "Alamofire": "Server trust evaluation failed due to reason: …",
                    "Dart, Flutter": "CERTIFICATE_VERIFY_FAILED: … (handshake.cc:…)",
                    "curl":
                        "exit status 35, 51, 60, 77 and 90 about certificates, also of git, Composer, Guzzle and PycURL",
                    "Wget": "cannot verify HOST's certificate, The certificate of …",
                    "Go": "x509: certificate signed by unknown authority, has expired, is valid for other names",
                    "Java":
                        "PKIX path building failed, CertificateExpiredException, No subject alternative DNS name, and those of"
                        + " Apache HttpClient",
                    "Python": "[SSL: CERTIFICATE_VERIFY_FAILED], also of requests, httpx and aiohttp",
                    "Node.js": "codes such as UNABLE_TO_VERIFY_LEAF_SIGNATURE, Hostname/IP does not match",
                    ".NET": "The remote certificate is invalid …",
                    "rustls": "invalid peer certificate: …, also of reqwest",
                    "openssl s_client": "verify error:num=…, Verification error: …",
                    "gnutls-cli": "- Status: The certificate is NOT trusted. …",
                    "nginx, Envoy": "upstream SSL certificate verify error, verify cert failed",
                    "Postfix": "certificate verification failed for HOST, Server certificate not verified",
                    "Exim": "TLS session: (certificate verification failed), SSL verify error: …",
                    "Dovecot": "Received invalid SSL certificate: …, as a client of another server",
                ]
            ),
            Note(
                "Conclusions",
                "pinctl compares the keys that the program saw and its pins with the chains that all addresses of the host send now, also to"
                    + " clients without TLS 1.3 and to clients that accept only other keys. The conclusion is the most probable cause. If a look-up"
                    + " fails, an address to which this machine has a route gives no answer, or a search for another chain fails, pinctl"
                    + " concludes no rotation and no interception. pinctl never changes the log.",
                rows: [
                    "rotation": "the host uses keys that are not pinned",
                    "interception": "another party answered in place of the host",
                    "wrong-set": "no pin can match a key of the host, or no pin of a list that must match can",
                    "expired-certificate":
                        "a certificate of the chain had expired, or the clock of the device is wrong",
                    "server-error": "clients reject the chain of the host",
                    "undecided": "the log and the host do not show the cause",
                ]
            ),
            Note(
                "Exit status",
                rows: [
                    "0": "pinctl found a cause for every failure",
                    "2": "usage error, or the log contains no message that pinctl knows; pinctl contacted no host",
                    "3": "for at least one failure, the cause is undecided, or a part of the log was not read",
                ]
            ),
        ]
    )

    static func run(_ values: Values, _ console: Console) throws(CommandError) -> ExitStatus {
        let plan = try ExplainPlan(values, console)
        for warning in plan.warnings { console.writeError(Message.warning(warning)) }
        let explanations: [Explanation]
        do throws(CommandError) {
            explanations = try plan.explanations()
        } catch {
            throw error.with(.undecided)
        }
        switch values[format] {
        case .text:
            let text = ExplainText(
                style: Style(values[ColorChoice.option], on: console), width: console.width ?? 80, plan: plan)
            console.write(explanations.map(text.block).joined(separator: "\n"))
        case .json: console.write(ExplainJSON.document(explanations, plan))
        }
        let isDecided = explanations.allSatisfy { $0.conclusion.verdict != .undecided }
        return isDecided && !plan.log.isCutShort && !plan.log.hasUnreadReports ? .success : .undecided
    }
}
