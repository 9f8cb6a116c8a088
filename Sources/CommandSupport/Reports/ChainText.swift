internal import Encodings
package import Fetching
package import Pinning

/// Certificate chains as aligned text, at most as wide as the terminal.
package struct ChainText {
    package let style: Style
    /// Maximum width in columns; nil for no limit.
    package let width: Int?
    package let now: Timestamp

    package init(style: Style, width: Int?, now: Timestamp) {
        self.style = style
        self.width = width
        self.now = now
    }

    package static let indentation = "  "
    package static let gap = "  "
    /// Width of the longest role, "intermediate".
    package static let roleColumns = 12
    /// Number of days before expiry at which a certificate is marked.
    private static let expiryWarningDays: Int64 = 21

    /// The host, its verdict, and the reasons if the chain does not validate.
    package func heading(
        of target: Target, _ presentation: HandshakeResult, _ chainPart: FetchResult.ChainPart? = nil
    ) -> String {
        let chain = presentation.chain
        let verdict = style(
            !chain.isTrusted ? .bad : presentation.isProven ? .good : .careful, presentation.verdict)
        return hostLine(target, named: target.description, verdict: verdict, presentation, chainPart)
            + chain.failures.map { sentence($0.reason, .bad) }.joined()
    }

    /// The host, its verdict, the TLS version, and the address.
    ///
    /// - Parameters:
    ///   - name: The host as the report shows it. If the terminal shows Unicode, an internationalized name is added in Unicode.
    ///   - verdict: The verdict, already coloured.
    ///   - presentation: Nil if the host was not contacted.
    ///   - chainPart: Which of the host's chains this is.
    ///   - addresses: The addresses that gave this result; empty for the address of `presentation` only.
    package func hostLine(
        _ target: Target, named name: String, verdict: String, _ presentation: HandshakeResult?,
        _ chainPart: FetchResult.ChainPart? = nil, at addresses: [Endpoint] = []
    ) -> String {
        let unicode = style.showsUnicode ? DomainName.unicode(of: target.hostText) : nil
        var line = style(.strong, name) + (unicode.map { " (\($0.escaped))" } ?? "") + Self.gap + verdict
        if let presentation {
            line += Self.gap + presentation.protocolVersion
            let answered = addresses.isEmpty ? [presentation.endpoint].compactMap(\.self) : addresses
            let address = answered.map(\.description).joined(separator: " ")
            if !address.isEmpty, address != name { line += Self.gap + style(.quiet, address) }
            if let chainPart, chainPart.count > 1 {
                line += Self.gap + style(.quiet, "chain \(chainPart.number) of \(chainPart.count)")
            }
            if let proxy = presentation.proxy { line += Self.gap + style(.quiet, "through \(proxy)") }
        }
        return line + "\n"
    }

    /// An indented, wrapped sentence below the host.
    package func sentence(_ text: String, _ emphasis: Style.Emphasis) -> String {
        let lines = text.escaped.wrapped(to: width.map { max(20, $0 - Self.indentation.count) })
        return lines.map { Self.indentation + style(emphasis, $0) + "\n" }.joined()
    }

    /// One line for each certificate, and its pin on the next line. If a name is too wide for its line, the key and the validity
    /// get another line.
    ///
    /// - Parameter pinMark: The mark of each pin, because it may be an attacker's; nil for pins of a trusted chain.
    package func table(of entries: [CertificateChain.Entry], pinMark: String?) -> String {
        let rows = entries.map { Row($0, now: now) }
        let roleColumns = max(Self.roleColumns, rows.map(\.role.columns).max() ?? 0)
        let keyColumns = rows.map(\.key.columns).max() ?? 0
        let validityColumns = rows.map(\.validity.columns).max() ?? 0
        let fixed = Self.indentation.count + roleColumns + 3 * Self.gap.count + keyColumns + validityColumns
        let widest = rows.map(\.subject.columns).max() ?? 0
        let isStacked = width.map { $0 - fixed < widest } ?? false
        let room = width.map { $0 - Self.indentation.count - roleColumns - Self.gap.count } ?? widest
        let subjectColumns = isStacked ? max(Self.minimumSubjectColumns, room) : widest
        let details = isStacked ? String(repeating: " ", count: Self.indentation.count + roleColumns) : ""
        var text = ""
        for row in rows {
            let start = Self.indentation + row.role.padded(to: roleColumns) + Self.gap
            text +=
                start + style(.strong, row.subject.cut(to: subjectColumns).padded(to: isStacked ? 0 : subjectColumns))
            text += (isStacked ? "\n" : "") + details + Self.gap
            text += row.key.padded(to: keyColumns) + Self.gap + style(row.emphasis, row.validity) + "\n"
            let title = Self.indentation + style(.quiet, "pin".padded(to: roleColumns)) + Self.gap
            let columns = Self.indentation.count + roleColumns + Self.gap.count + row.pin.count
            let markColumns = pinMark.map { $0.count + 1 } ?? 0
            let isMarkBelow = width.map { columns + markColumns > $0 } ?? false
            let gap = isMarkBelow ? "\n" + String(repeating: " ", count: columns - row.pin.count) : " "
            let mark = pinMark.map { gap + style(.bad, $0) } ?? ""
            text += title + row.pin + mark + remark(row.authority, after: columns + markColumns) + "\n"
        }
        return text
    }

    private static let minimumSubjectColumns = 12

    /// The name of the known CA with a pin, if it fits on the line after the pin.
    package func remark(_ authority: String?, after columns: Int) -> String {
        guard let authority else { return "" }
        let room = width.map { $0 - columns - Self.gap.count } ?? Int.max
        return room < Self.minimumSubjectColumns ? "" : Self.gap + style(.quiet, authority.cut(to: room))
    }

    /// Maximum number of extra certificates whose names are printed.
    private static let maximumListedCertificates = 4

    /// Remarks on extra certificates and client certificates.
    package func notes(on presentation: HandshakeResult) -> String {
        Self.sentences(on: presentation).map { sentence($0, .quiet) }.joined()
    }

    /// The remarks as sentences.
    package static func sentences(on presentation: HandshakeResult) -> [String] {
        var notes: [String] = []
        let unused = presentation.chain.unused
        if !unused.isEmpty {
            let listed = unused.prefix(maximumListedCertificates)
            var names = listed.map { "\"\($0.subject?.displayName ?? "")\"" }.joined(separator: ", ")
            if unused.count > listed.count { names += " and \(unused.count - listed.count) more" }
            let noun = unused.count == 1 ? "extra certificate" : "extra certificates"
            let verb = unused.count == 1 ? "is" : "are"
            notes.append("\(noun): \(names) \(verb) not part of the validated chain")
        }
        if let detour = presentation.chain.detour { notes.append("\(detour.reason): \(detour.step)") }
        notes += presentation.clientCertificate.map(Self.notes) ?? []
        if presentation.isUnfinished { notes.append(UnfinishedHandshake.note) }
        return notes
    }

    /// Maximum number of CAs for client certificates whose names are printed.
    private static let maximumListedAuthorities = 6

    private static func notes(on request: ClientCertificateRequest) -> [String] {
        let outcome: String
        switch request.outcome {
        case .none: return []
        case .requested where request.isRequired == false:
            outcome = "the server requests a client certificate, and completed the handshake without one"
        case .requested:
            outcome =
                "the server requests a client certificate; it did not say within a second of the handshake whether it requires one"
        case .demanded:
            outcome =
                "the server requires a client certificate and aborted the handshake because no certificate was sent"
        case .sent:
            outcome =
                "pinctl sent the client certificate; the server did not say within a second of the handshake whether it accepts it"
        case .accepted:
            outcome = "the server requested a client certificate, and accepted the handshake with that of --cert"
        case .refused: outcome = "the server refused the client certificate: alert \((request.alert ?? "").quoted)"
        }
        guard !request.authorities.isEmpty else { return [outcome] }
        let listed = request.authorities.prefix(maximumListedAuthorities)
        var names = listed.map { (DistinguishedName(der: $0)?.description ?? "a malformed name").quoted }
            .joined(separator: ", ")
        if request.authorities.count > listed.count { names += " and \(request.authorities.count - listed.count) more" }
        return [outcome, "CAs that the server accepts for client certificates: \(names)"]
    }

    private struct Row {
        let role: String
        let subject: String
        let key: String
        let validity: String
        let emphasis: Style.Emphasis
        let pin: String
        let authority: String?

        init(_ entry: CertificateChain.Entry, now: Timestamp) {
            let certificate = entry.certificate
            role = entry.roleDescription
            subject =
                (certificate.subject?.displayName ?? "").escaped + (entry.source == .fetched ? " (fetched)" : "")
            key = certificate.key.description
            pin = certificate.pin.base64
            authority = certificate.unobviousAuthority
            (validity, emphasis) = ChainText.validity(of: certificate, now: now)
        }
    }

    /// The text for the validity period, and its emphasis.
    package static func validity(of certificate: Certificate, now: Timestamp) -> (String, Style.Emphasis) {
        guard let start = certificate.notBefore, let end = certificate.notAfter else {
            return ("no readable dates", .bad)
        }
        if now < start { return ("valid from \(start.date)", .bad) }
        let days = now.days(until: end)
        if now > end { return ("expired \(end.date)", .bad) }
        let left = days == 1 ? "1 day" : "\(days) days"
        return ("until \(end.date) (\(left))", days <= expiryWarningDays ? .careful : .quiet)
    }
}
