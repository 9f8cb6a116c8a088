internal import Authentication
internal import CommandSupport
internal import Encodings
internal import Fetching
internal import HTTPSession
internal import Pinning

/// The text report: a block for each URL with one line for each challenge, in the order of the challenges.
final class ChallengeTextReport: HostReport {
    private let style: Style
    private let width: Int?

    private let plan: ChallengePlan

    /// - Parameter width: Maximum width in columns; nil for no limit.
    init(_ plan: ChallengePlan, style: Style, width: Int?) {
        (self.plan, self.style, self.width) = (plan, style, width)
    }

    var separator: String { "\n" }

    func fragment(for outcome: ChallengeOutcome) throws(CommandError) -> ReportFragment {
        let result = outcome.result
        var text = style(.strong, outcome.shownURL) + Self.gap + verdict(of: result) + "\n"
        var records = result.challenges[...]
        for (index, hop) in result.hops.enumerated() {
            if index > 0 { text += row("redirect", "to \(hop.url)", .quiet) }
            let isLast = index == result.hops.count - 1
            while let record = records.first, isLast || record.url == hop.url {
                text += row(Self.name(of: record), description(of: record), Self.emphasis(of: record.result))
                records = records.dropFirst()
            }
        }
        if result.challenges.isEmpty, case .success = result.outcome { text += row("no challenge", "", .quiet) }
        var fragment = ReportFragment(output: Array(text.utf8), status: outcome.status)
        if case .failure(let error) = result.outcome {
            let target = outcome.url.target.description
            let message = error.message.has(target) ? error.message : "\(outcome.shownURL): \(error.message)"
            fragment.messages = Message.error(
                message,
                hint: ChallengeHint.hint(
                    for: error, result, { plan.step(after: $0, of: result) }, isUnlisted: isUnlisted))
        } else if let error = outcome.error {
            fragment.messages = Message.error("\(outcome.shownURL): \(error.message)", hint: nil)
        } else if result.admission != .admitted, let hint = ChallengeHint.hint(for: result, isUnlisted: isUnlisted) {
            fragment.messages = Message.hint(hint)
        }
        return fragment
    }

    private func isUnlisted(_ authorities: [[UInt8]]) -> Bool { plan.unlistedIssuer(among: authorities) != nil }

    private static let gap = "  "
    /// Width of the longest common name, "Digest SHA-512-256".
    private static let nameColumns = 18

    private func verdict(of result: TaskResult) -> String {
        let (word, emphasis): (String, Style.Emphasis) =
            switch result.admission {
            case .admitted: ("admitted", .good)
            case .refused: ("refused", .bad)
            case .undecided: ("undecided", .careful)
            }
        guard case .success(let response) = result.outcome else { return style(emphasis, word) }
        // The reason phrase is free text of the server.
        let reason = response.reason.isEmpty ? "" : " " + response.reason.bounded.escaped
        return style(emphasis, word) + Self.gap + "status \(response.status)\(reason)"
    }

    private func row(_ name: String, _ text: String, _ emphasis: Style.Emphasis) -> String {
        let start = "  " + name.escaped.padded(to: Self.nameColumns)
        guard !text.isEmpty else { return "  \(name.escaped)\n" }
        let indentation = String(repeating: " ", count: start.columns + Self.gap.count)
        let lines = text.escaped.wrapped(to: width.map { max(30, $0 - indentation.count) })
        return lines.enumerated().map { index, line in
            (index == 0 ? start + Self.gap : indentation) + style(emphasis, line) + "\n"
        }.joined()
    }

    private static func emphasis(of result: ChallengeRecord.Result) -> Style.Emphasis {
        switch result {
        case .accepted: .good
        case .refused, .insecure: .bad
        case .unanswered, .unsupported, .unknown: .careful
        }
    }

    private static func name(of record: ChallengeRecord) -> String {
        (record.protectionSpace.isProxy ? "proxy " : "")
            + (record.scheme ?? record.protectionSpace.authenticationMethod.name)
    }

    /// What the challenge asks for, how it was answered, and what followed.
    private func description(of record: ChallengeRecord) -> String {
        let space = record.protectionSpace
        switch space.authenticationMethod {
        case .serverTrust: return Self.serverTrust(record)
        case .clientCertificate: return clientCertificate(record)
        case .htmlForm: return "a redirect leads to a page with a login form, which pinctl never fills in"
        default: return Self.login(record)
        }
    }

    private static func serverTrust(_ record: ChallengeRecord) -> String {
        var parts: [String] = []
        if let chain = record.chain {
            parts.append(chain.isTrusted ? "trusted" : "not trusted: \(chain.reason)")
        }
        switch record.pins?.verdict {
        case nil: break
        case .match(let matches)?: parts.append(matches.count == 1 ? "1 pin matches" : "\(matches.count) pins match")
        case .mismatch?: parts.append("no pin matches")
        case .expired(let date)?: parts.append("the pins expired on \(date.date)")
        case .noPins?: parts.append("the pin set has no entry for this host")
        }
        parts += [record.protocolVersion, record.address].compactMap(\.self)
        return parts.joined(separator: ", ")
    }

    /// Maximum number of CAs whose names are printed.
    private static let maximumListedAuthorities = 6

    private func clientCertificate(_ record: ChallengeRecord) -> String {
        let outcome: String
        let name = record.certificate.map { ($0.subject?.displayName ?? "").quoted } ?? "a certificate"
        switch record.result {
        case .accepted: outcome = "requested; \(name) was sent and TLS continued"
        case .refused: outcome = "requested; \(name) was sent and refused" + (record.reason.map { ": \($0)" } ?? "")
        case .unknown: outcome = "requested; \(name) was sent"
        case .unanswered, .unsupported, .insecure:
            outcome = record.isRequired == true ? "required; none was sent" : "requested; none was sent"
        }
        let authorities = record.protectionSpace.distinguishedNames ?? []
        guard !authorities.isEmpty else { return outcome }
        var names = authorities.prefix(Self.maximumListedAuthorities)
            .map { (DistinguishedName(der: $0)?.description ?? "a malformed name").quoted }.joined(separator: ", ")
        if authorities.count > Self.maximumListedAuthorities {
            names += " and \(authorities.count - Self.maximumListedAuthorities) more"
        }
        let remark = plan.unlistedIssuer(among: authorities).map { "; \($0)" } ?? ""
        return "\(outcome); the server names the CAs \(names)\(remark)"
    }

    private static func login(_ record: ChallengeRecord) -> String {
        let space = record.protectionSpace
        var parts: [String] = []
        if let realm = space.realm { parts.append("realm \(realm.quoted)") }
        if let charset = record.charset { parts.append("charset \(charset.bounded)") }
        parts.append(
            space.isEncrypted
                ? "inside TLS"
                : space.receivesCredentialSecurely ? "without TLS, no password sent" : "without TLS, password readable")
        let user = record.user.map { "the user \($0.quoted)" } ?? "the credential"
        switch record.result {
        case .accepted: parts.append("\(user) was accepted")
        case .refused: parts.append("\(user) was refused")
        case .unknown: parts.append("\(user) was sent")
        case .unanswered: parts.append("not answered" + (record.reason.map { ": \($0)" } ?? ""))
        case .unsupported: parts.append("not supported by pinctl")
        case .insecure: parts.append("not answered: Basic would send the password in plain text")
        }
        return parts.joined(separator: "; ")
    }
}
