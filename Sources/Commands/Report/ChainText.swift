internal import Arguments
internal import Fetching
internal import Pinning

/// Chains as text for people, aligned, and no wider than the terminal.
struct ChainText {
    let style: Style
    /// The columns that there are; nil for as many as it takes.
    let width: Int?
    let now: Timestamp

    static let indentation = "  "
    static let gap = "  "
    /// "intermediate" is the longest role.
    static let roleColumns = 12
    /// A certificate that ends within so many days is marked.
    private static let daysOfWarning: Int64 = 21

    /// The host, how it went, and why not where it did not.
    func heading(of target: Target, _ presentation: HandshakeResult) -> String {
        let chain = presentation.chain
        let verdict = chain.isTrusted ? style(.good, "trusted") : style(.bad, "not trusted")
        return hostLine(target.description, verdict: verdict, presentation)
            + chain.failures.map { sentence($0.reason, .bad) }.joined()
    }

    /// The host, the verdict on it, and how it was reached.
    ///
    /// - Parameters:
    ///   - verdict: with its colours.
    ///   - presentation: nil where nobody was asked.
    func hostLine(_ host: String, verdict: String, _ presentation: HandshakeResult?) -> String {
        var line = style(.strong, host) + Self.gap + verdict
        if let presentation {
            line += Self.gap + presentation.protocolVersion
            let address = presentation.endpoint.description
            if address != host { line += Self.gap + style(.quiet, address) }
        }
        return line + "\n"
    }

    /// A sentence below the host, on as many lines as it needs.
    func sentence(_ text: String, _ emphasis: Style.Emphasis) -> String {
        let lines = text.escaped.wrapped(to: width.map { max(20, $0 - Self.indentation.count) })
        return lines.map { Self.indentation + style(emphasis, $0) + "\n" }.joined()
    }

    /// A line a certificate, and its pin below it.
    func table(of entries: [Chain.Entry]) -> String {
        let rows = entries.map { Row($0, now: now) }
        let keyColumns = rows.map(\.key.columns).max() ?? 0
        let validityColumns = rows.map(\.validity.columns).max() ?? 0
        let fixed = Self.indentation.count + Self.roleColumns + 3 * Self.gap.count + keyColumns + validityColumns
        let widest = rows.map(\.subject.columns).max() ?? 0
        let subjectColumns = min(widest, width.map { max(Self.leastSubjectColumns, $0 - fixed) } ?? widest)
        var text = ""
        for row in rows {
            let start = Self.indentation + row.role.padded(to: Self.roleColumns) + Self.gap
            text += start + style(.strong, row.subject.cut(to: subjectColumns).padded(to: subjectColumns)) + Self.gap
            text += row.key.padded(to: keyColumns) + Self.gap + style(row.emphasis, row.validity) + "\n"
            let title = Self.indentation + style(.quiet, "pin".padded(to: Self.roleColumns)) + Self.gap
            let columns = Self.indentation.count + Self.roleColumns + Self.gap.count + row.pin.count
            text += title + row.pin + remark(row.authority, after: columns) + "\n"
        }
        return text
    }

    private static let leastSubjectColumns = 12

    /// The known authority that a pin is of, where there is room for it beside the pin.
    private func remark(_ authority: String?, after columns: Int) -> String {
        guard let authority else { return "" }
        let room = width.map { $0 - columns - Self.gap.count } ?? Int.max
        return room < Self.leastSubjectColumns ? "" : Self.gap + style(.quiet, authority.cut(to: room))
    }

    /// One object of a file, and its hash below it.
    ///
    /// - Parameter names: for a key that comes without a certificate.
    func row(
        of object: MaterialObject, showing subject: HashCommand.Subject, _ names: AuthorityNames
    ) -> String {
        let isPin = subject == .spki
        let hash = isPin ? object.pin.base64 : Base64.encode(object.certificate?.sha256 ?? [])
        var line = Self.indentation
        if let certificate = object.certificate {
            let (validity, emphasis) = Row.validity(of: certificate, now: now)
            line += style(.strong, (certificate.subject?.displayName ?? "").escaped) + Self.gap
            line += object.key.description + Self.gap + style(emphasis, validity) + "\n"
        } else {
            line += object.key.description + "\n"
        }
        let title = isPin ? "pin" : "sha256"
        let authority = object.certificate.map(\.unobviousAuthority) ?? names.name(of: object.pin)?.escaped
        let columns = Self.indentation.count + title.count + Self.gap.count + hash.count
        line += Self.indentation + style(.quiet, title) + Self.gap + hash
        return line + (isPin ? remark(authority, after: columns) : "") + "\n"
    }

    /// What else there is to know.
    func notes(on presentation: HandshakeResult) -> String {
        var notes: [String] = []
        let unused = presentation.chain.unused
        if !unused.isEmpty {
            let names = unused.map { "\"\($0.subject?.displayName ?? "")\"" }.joined(separator: ", ")
            notes.append("the server also sent \(names), which the path does not need")
        }
        if presentation.clientCertificate == .demanded {
            notes.append("the server demands a client certificate, and ended the handshake for want of one")
        }
        return notes.map { sentence($0, .quiet) }.joined()
    }

    private struct Row {
        let role: String
        let subject: String
        let key: String
        let validity: String
        let emphasis: Style.Emphasis
        let pin: String
        let authority: String?

        init(_ entry: Chain.Entry, now: Timestamp) {
            let certificate = entry.certificate
            role = entry.role.rawValue
            subject = (certificate.subject?.displayName ?? "").escaped
            key = certificate.key.description
            pin = certificate.pin.base64
            authority = certificate.unobviousAuthority
            (validity, emphasis) = Self.validity(of: certificate, now: now)
        }

        static func validity(of certificate: Certificate, now: Timestamp) -> (String, Style.Emphasis) {
            guard let start = certificate.notBefore, let end = certificate.notAfter else {
                return ("no readable dates", .bad)
            }
            if now < start { return ("starts \(start.date)", .bad) }
            let days = now.days(until: end)
            if now > end { return ("expired \(end.date)", .bad) }
            let left = days == 1 ? "1 day" : "\(days) days"
            return ("until \(end.date) (\(left))", days <= ChainText.daysOfWarning ? .careful : .quiet)
        }
    }
}
