internal import Encodings
internal import Pinning

extension HTMLReport {
    /// Whether the report has a table of all hosts, which a few hosts do not need.
    var hasTable: Bool { contents.total > 3 }

    /// One row for each host.
    func table(_ main: inout HTMLWriter) {
        guard hasTable else { return }
        let sections = Set(contents.sections.map(\.index))
        let rows = contents.rows
        main.section("all", "All hosts") { section in
            let columns = ["Host", "Verdict", "Trust anchor", "Expires first"]
            section.table("All hosts", class: "hosts", columns: columns) { table in
                table.element("tbody") { body in
                    for row in rows {
                        body.element("tr") { line in
                            line.element("th", .init("scope", "row")) { host in
                                if sections.contains(row.index) {
                                    host.element("a", .init("href", "#\(Self.id(of: row.index))")) {
                                        $0.isolated(row.name)
                                    }
                                } else {
                                    host.isolated(row.name)
                                }
                            }
                            line.element("td") { $0.badge(row.verdict, row.tone) }
                            line.element("td") { $0.isolated(row.authority) }
                            line.element("td") { cell in
                                guard let expiry = row.expiry else { return }
                                cell.element("time", text: expiry.end.date)
                                cell.text(" (\(expiry.subject))")
                            }
                        }
                        body.newLine()
                    }
                }
            }
            let rest = contents.total - rows.count
            if rest > 0 {
                section.note(
                    "\(rest) more \(subject.name(count: rest)): this table has at most \(contents.limits.rows) rows, failing hosts"
                        + " first. The command's JSON output has all of them.")
            }
        }
    }

    /// One section for each host, failing hosts first.
    func sections(_ main: inout HTMLWriter) {
        let hosts = contents.sections
        guard !hosts.isEmpty else { return }
        main.section("hosts", "Details") { section in
            for host in hosts {
                let attributes: [HTMLWriter.Attribute] = [.class("detail"), .id(Self.id(of: host.index))]
                let isOpen = host.isFailing || hosts.count <= 3
                section.details(attributes, isOpen: isOpen) { details in
                    details.element("summary") { summary in
                        summary.element("h3") { $0.isolated(host.name) }
                        if let unicode = host.unicodeName {
                            summary.text(" ")
                            summary.isolated(unicode)
                        }
                        summary.text(" ")
                        summary.badge(host.verdict, host.tone)
                    }
                    write(host, to: &details)
                }
                section.newLine()
            }
            let rest = contents.total - hosts.count
            if rest > 0, subject == .hosts {
                section.note(
                    "\(rest) \(subject.name(count: rest)) without details: the report has at most"
                        + " \(contents.limits.failingSections) failing and \(contents.limits.otherSections) other hosts in full."
                )
            }
        }
    }

    private func write(_ host: ReportedHost, to details: inout HTMLWriter) {
        for reason in host.reasons { details.element("p") { $0.isolated(reason) } }
        if let step = host.nextStep { details.step(step) }
        if !host.details.isEmpty {
            details.element("ul", .class("facts")) { list in
                for text in host.details { list.element("li") { $0.isolated(text) } }
            }
        }
        for note in host.notes { details.element("p", .class("note")) { $0.isolated("! \(note)") } }
        for chain in host.chains { write(chain, of: host, to: &details) }
        guard !host.pins.isEmpty else { return }
        details.element("h4", text: "Pins of the set")
        let expires =
            host.pinsExpire.map { [$0 < contents.now ? "expired on \($0.date)" : "expire on \($0.date)"] } ?? []
        for text in expires { details.note("The pins \(text).") }
        details.table("Pins of \(host.name)", class: "pins", columns: ["Pin", "Role", "State", "In the chain"]) {
            table in
            table.element("tbody") { body in
                for pin in host.pins {
                    body.element("tr") { row in
                        row.element("th", .init("scope", "row")) { cell in
                            if !pin.name.isEmpty {
                                cell.isolated(pin.name)
                                cell.void("br")
                            }
                            cell.element("code", text: pin.pin)
                        }
                        row.element("td", text: pin.role)
                        row.element("td", text: pin.state)
                        row.element("td") { $0.badge(pin.status, pin.tone) }
                    }
                    body.newLine()
                }
            }
        }
    }

    private func write(_ chain: ReportedChain, of host: ReportedHost, to details: inout HTMLWriter) {
        if let title = chain.title { details.element("h4") { $0.isolated(title) } }
        if !chain.facts.isEmpty {
            details.element("dl") { list in
                for fact in chain.facts {
                    list.fact(fact.name) { $0.isolated(fact.value) }
                }
            }
        }
        for note in chain.notes { details.element("p", .class("note")) { $0.isolated(note) } }
        if let diagram = chain.diagram {
            details.element(
                "div", .class("scroll chain"), .init("role", "group"), .init("tabindex", "0"),
                .init("aria-label", "Chain of \(chain.title.map { "\(host.name), \($0)" } ?? host.name)")
            ) { $0.diagram(diagram) }
        }
        guard !chain.certificates.isEmpty else { return }
        details.element("ol", .class("certificates")) { list in
            for certificate in chain.certificates { list.element("li") { write(certificate, to: &$0) } }
        }
        details.newLine()
    }

    private func write(_ certificate: ReportedCertificate, to item: inout HTMLWriter) {
        item.element("p", .class("certificate")) { line in
            line.element("b") { $0.isolated(certificate.subject.isEmpty ? "(without a name)" : certificate.subject) }
            line.text(" \(certificate.role), \(certificate.source) ")
            validity(of: certificate, to: &line)
            for match in certificate.matches {
                line.text(" ")
                line.badge(match, .good)
            }
        }
        item.element("dl") { list in
            list.fact("Pin", class: "pin") { value in
                value.element("code", text: certificate.pin)
                if !certificate.isVerified {
                    value.text(" ")
                    value.badge("unverified: the chain is not trusted", .bad)
                } else if !certificate.isProven {
                    value.text(" ")
                    value.badge("not proven: the server did not show that it has the key", .careful)
                }
                if let authority = certificate.authority {
                    value.element("small") { $0.isolated("known as \(authority)") }
                }
            }
            if let start = certificate.notBefore, let end = certificate.notAfter {
                list.fact("Valid") { $0.element("span", .class("number"), text: "\(start.date) to \(end.date)") }
            }
            list.fact("Key") { $0.text(certificate.key) }
            if !certificate.signature.isEmpty { list.fact("Signature") { $0.isolated(certificate.signature) } }
            if !certificate.names.isEmpty {
                let rest = certificate.furtherNames > 0 ? " and \(certificate.furtherNames) more" : ""
                list.fact("Names") { $0.isolated(certificate.names.joined(separator: ", ") + rest) }
            }
            list.fact("Serial number") { $0.element("code", text: certificate.serial) }
        }
        item.newLine()
    }

    private func validity(of certificate: ReportedCertificate, to line: inout HTMLWriter) {
        guard let start = certificate.notBefore, let end = certificate.notAfter else {
            line.badge("no readable dates", .bad)
            return
        }
        let days = contents.now.days(until: end)
        if contents.now < start {
            line.badge("not yet valid", .bad)
        } else if contents.now > end {
            line.badge("expired", .bad)
        } else {
            line.badge("\(Self.left(days)) left", days < ExpiryTimeline.warningDays ? .careful : .good)
        }
    }
}

extension HTMLWriter {
    /// A name with its value.
    fileprivate mutating func fact(_ name: String, class group: String? = nil, value: (inout HTMLWriter) -> Void) {
        element("div", group.map { [.class($0)] } ?? []) { pair in
            pair.element("dt", text: name)
            pair.element("dd", contents: value)
        }
    }

    fileprivate mutating func details(
        _ attributes: [Attribute], isOpen: Bool, contents: (inout HTMLWriter) -> Void
    ) {
        element("details", attributes + (isOpen ? [Attribute("open")] : []), contents: contents)
    }
}
