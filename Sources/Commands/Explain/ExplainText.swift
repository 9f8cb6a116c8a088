internal import CommandSupport
internal import ConnectionFailures
internal import Encodings
internal import Fetching
internal import Pinning

/// The text report: a block for each failure.
struct ExplainText {
    let style: Style
    /// Maximum width in columns.
    let width: Int
    let plan: ExplainPlan

    private static let labelColumns = 10
    /// Maximum number of pins or certificates in a list.
    private static let maximumItems = 20
    /// Maximum number of chains besides the one that the conclusion is about.
    private static let maximumOtherChains = 8

    func block(_ explanation: Explanation) -> String {
        let failure = explanation.failure
        var title = "line \(failure.line)"
        if explanation.count > 1 { title += ", \(explanation.count) times" }
        let host = explanation.target?.description ?? failure.host?.escaped ?? "unknown host"
        var text = style(.strong, host) + ChainText.gap + failure.source.title + ChainText.gap + failure.kind.title
        text += ChainText.gap + style(.quiet, title) + "\n"
        text += row("message", [failure.message.shortened(to: 300).escaped])
        if explanation.isGuess, let line = failure.hostLine {
            let place = line == failure.line ? "the URL in the message" : "line \(line), the nearest with a URL"
            text += row("host", ["a guess from \(place); name it with --host"])
        }
        text += list(
            "expected", explanation.expected.map(pin) + failure.otherPins.map { "\($0.escaped) (not SHA-256)" })
        text += list("seen", failure.seen.map(certificate))
        text += now(explanation)
        let verdict = explanation.conclusion.verdict
        let emphasis: Style.Emphasis = verdict == .undecided ? .careful : .bad
        text += row("conclusion", ["\(verdict.title): \(explanation.conclusion.sentence.escaped)"], emphasis)
        text += row("next", [explanation.command(plan).escaped, explanation.purpose])
        return text
    }

    private func row(_ label: String, _ values: [String], _ emphasis: Style.Emphasis? = nil) -> String {
        let start = ChainText.indentation + style(.quiet, label.padded(to: Self.labelColumns)) + ChainText.gap
        let blank = String(
            repeating: " ", count: ChainText.indentation.count + Self.labelColumns + ChainText.gap.count)
        // A command is not wrapped, so that a person can copy it.
        let lines = values.flatMap { $0.hasPrefix("pinctl ") ? [$0] : $0.wrapped(to: max(20, width - blank.count)) }
        return lines.enumerated().map { offset, line in
            (offset == 0 ? start : blank) + (emphasis.map { style($0, line) } ?? line) + "\n"
        }.joined()
    }

    private func list(_ label: String, _ values: [String]) -> String {
        guard values.count > Self.maximumItems else { return values.isEmpty ? "" : row(label, values) }
        return row(label, values.prefix(Self.maximumItems) + ["and \(values.count - Self.maximumItems) more"])
    }

    private func pin(_ pin: Pin) -> String { pin.base64 + (plan.names.name(of: pin).map { "  \($0.escaped)" } ?? "") }

    private func certificate(_ certificate: ConnectionFailure.SeenCertificate) -> String {
        let subject = certificate.subject?.shortened(to: 120).escaped
        guard let pin = certificate.pin else {
            return (subject ?? "") + (certificate.issuer.map { ", issued by \($0.shortened(to: 120).escaped)" } ?? "")
        }
        let name = KnownAuthorities.name(of: pin)
        return pin.base64 + ([subject, name.map { "public CA \($0)" }].compactMap(\.self).map { "  \($0)" }.joined())
    }

    /// What the host serves now.
    private func now(_ explanation: Explanation) -> String {
        guard let host = explanation.host else {
            let reason =
                explanation.target == nil
                ? "the host is unknown" : "pinctl connects to \(ExplainPlan.maximumHosts) hosts only"
            return row("now", ["not compared" + (plan.isOffline ? " (--offline)" : ": \(reason)")])
        }
        guard let subject = explanation.comparison.subject else {
            if case .failure(let error) = host.result.outcome {
                return row("now", ["no answer: \(error.message.escaped)"])
            }
            return ""
        }
        let others = explanation.comparison.others
        var text = row("now", lines(subject, subject.otherClientText.map { "for \($0.escaped)" }, explanation))
        for other in others.prefix(Self.maximumOtherChains) {
            let place = other.differsByAddress(from: subject) ? "at another address" : "for \(other.clientText.escaped)"
            text += row("also", lines(other, place, explanation))
        }
        guard others.count > Self.maximumOtherChains else { return text }
        return text + row("", ["and \(others.count - Self.maximumOtherChains) more chains"])
    }

    /// A chain with its certificates.
    ///
    /// - Parameter place: The clients that receive the chain, or the address, as words; nil to leave them out.
    private func lines(
        _ served: HostResults.ServedChain, _ place: String?, _ explanation: Explanation
    ) -> [String] {
        let (chain, pins) = (served.chain, explanation.comparedPins)
        let title = chain.isTrusted ? "trusted" : "not trusted: \(chain.reason.escaped)"
        return [(place.map { "\($0): " } ?? "") + title]
            + chain.entries.map { entry in
                let pin = entry.certificate.pin
                let mark = pins.contains(pin) ? "  pinned" : chain.isTrusted ? "" : "  unverified"
                return pin.base64 + mark + "  " + (entry.certificate.subject?.displayName ?? "").escaped
            }
    }
}

extension ConnectionFailure.Source {
    var title: String {
        switch self {
        case .okhttp: "OkHttp"
        case .trustkit: "TrustKit"
        case .android: "Android"
        case .urlsession: "URLSession"
        case .alamofire: "Alamofire"
        case .dart: "Dart"
        case .curl: "curl"
        case .wget: "Wget"
        case .go: "Go"
        case .java: "Java"
        case .python: "Python"
        case .node: "Node.js"
        case .dotnet: ".NET"
        case .rustls: "rustls"
        case .nginx: "nginx"
        case .envoy: "Envoy"
        case .openssl: "openssl s_client"
        case .gnutls: "gnutls-cli"
        case .postfix: "Postfix"
        case .exim: "Exim"
        case .dovecot: "Dovecot"
        }
    }
}

extension ConnectionFailure.Kind {
    fileprivate var title: String {
        switch self {
        case .pinMismatch: "no pin matches"
        case .untrusted: "chain not trusted"
        case .expired: "certificate expired"
        case .notYetValid: "certificate not valid yet"
        case .nameMismatch: "certificate for other names"
        case .cancelled: "connection cancelled"
        case .handshake: "handshake failed"
        }
    }
}

extension Conclusion.Verdict {
    fileprivate var title: String {
        switch self {
        case .rotation: "rotation"
        case .interception: "interception"
        case .wrongSet: "wrong set"
        case .expiredCertificate: "expired certificate"
        case .serverError: "server error"
        case .undecided: "undecided"
        }
    }
}
