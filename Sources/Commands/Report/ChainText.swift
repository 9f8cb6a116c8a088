internal import Arguments
internal import Fetching
internal import Pinning

/// Chains as text for people, aligned, and no wider than the terminal.
struct ChainText {
    let style: Style
    /// The columns that there are; nil for as many as it takes.
    let width: Int?
    let now: Timestamp

    private static let indentation = "  "
    private static let gap = "  "
    /// "intermediate" is the longest role.
    private static let roleColumns = 12
    /// A certificate that ends within so many days is marked.
    private static let daysOfWarning: Int64 = 21

    /// The host, how it went, and why not where it did not.
    func heading(of target: Target, _ presentation: Presentation) -> String {
        let chain = presentation.chain
        let verdict = chain.isTrusted ? style(.good, "trusted") : style(.bad, "not trusted")
        var line = style(.strong, target.description) + Self.gap + verdict + Self.gap + presentation.protocolVersion
        let address = presentation.endpoint.description
        if address != target.description { line += Self.gap + style(.quiet, address) }
        var text = line + "\n"
        for failure in chain.failures {
            for line in wrapped(failure.reason.escaped) { text += Self.indentation + style(.bad, line) + "\n" }
        }
        return text
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
            text += Self.indentation + style(.quiet, "pin".padded(to: Self.roleColumns)) + Self.gap + row.pin + "\n"
        }
        return text
    }

    private static let leastSubjectColumns = 12

    /// One object of a file, and its hash below it.
    func row(of object: MaterialObject, showing subject: HashCommand.Subject) -> String {
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
        return line + Self.indentation + style(.quiet, isPin ? "pin" : "sha256") + Self.gap + hash + "\n"
    }

    /// What else there is to know.
    func notes(on presentation: Presentation) -> String {
        var notes: [String] = []
        let unused = presentation.chain.unused
        if !unused.isEmpty {
            let names = unused.map { "\"\($0.subject?.displayName ?? "")\"" }.joined(separator: ", ")
            notes.append("the server also sent \(names), which the path does not need")
        }
        if presentation.clientCertificate == .demanded {
            notes.append("the server demands a client certificate, and ended the handshake for want of one")
        }
        return notes.map { note in
            wrapped(note.escaped).map { Self.indentation + style(.quiet, $0) + "\n" }.joined()
        }.joined()
    }

    private func wrapped(_ text: String) -> [String] {
        guard let width else { return [text] }
        let available = max(20, width - Self.indentation.count)
        var lines: [String] = [""]
        for word in text.split(separator: " ") {
            let last = lines[lines.count - 1]
            if !last.isEmpty, last.columns + 1 + String(word).columns > available {
                lines.append(String(word))
            } else {
                lines[lines.count - 1] = last.isEmpty ? String(word) : "\(last) \(word)"
            }
        }
        return lines
    }

    private struct Row {
        let role: String
        let subject: String
        let key: String
        let validity: String
        let emphasis: Style.Emphasis
        let pin: String

        init(_ entry: Chain.Entry, now: Timestamp) {
            let certificate = entry.certificate
            role = entry.role.rawValue
            subject = (certificate.subject?.displayName ?? "").escaped
            key = certificate.key.description
            pin = certificate.pin.base64
            (validity, emphasis) = Self.validity(of: certificate, now: now)
        }

        static func validity(of certificate: Certificate, now: Timestamp) -> (String, Style.Emphasis) {
            guard let start = certificate.notBefore, let end = certificate.notAfter else { return ("no readable dates", .bad) }
            if now < start { return ("starts \(start.date)", .bad) }
            let days = now.days(until: end)
            if now > end { return ("expired \(end.date)", .bad) }
            let left = days == 1 ? "1 day left" : "\(days) days left"
            return ("until \(end.date), \(left)", days <= ChainText.daysOfWarning ? .careful : .quiet)
        }
    }
}

extension String {
    fileprivate func padded(to count: Int) -> String {
        self + String(repeating: " ", count: max(0, count - columns))
    }

    /// The start and the end of it with an ellipsis between, where it is longer: what tells names apart is often last.
    fileprivate func cut(to count: Int) -> String {
        guard columns > count, count > 3 else { return self }
        let tail = count / 3
        return prefix(columns: count - 1 - tail) + "…" + String(String(reversed()).prefix(columns: tail).reversed())
    }

    private func prefix(columns limit: Int) -> String {
        var result = ""
        for character in self {
            guard (result + String(character)).columns <= limit else { break }
            result.append(character)
        }
        return result
    }
}
