internal import Encodings
internal import Pinning

extension HTMLReport {
    /// The document.
    package var html: [UInt8] {
        var writer = HTMLWriter()
        writer.element("html", .init("lang", "en")) { html in
            head(&html)
            html.element("body") { body in
                header(&body)
                body.element("main") { main in
                    failures(&main)
                    findings(&main)
                    if contents.total > 0, subject == .hosts || !contents.sections.isEmpty {
                        survival(&main)
                        expiry(&main)
                        authorities(&main)
                        table(&main)
                        sections(&main)
                    }
                }
                footer(&body)
            }
            html.newLine()
        }
        writer.newLine()
        return Array(writer.output.utf8)
    }

    /// What the run found, in a few words.
    private var headline: String {
        let (total, failing) = (contents.total, contents.failing)
        let things = subject.name(count: total)
        if total == 0 { return "no \(things)" }
        if failing == 0, !gaps.isEmpty { return "\(total) \(things) \(total == 1 ? "passes" : "pass"), not complete" }
        if failing == 0 { return total == 1 ? "1 \(things) passes" : "all \(total) \(things) pass" }
        return total == 1 ? "1 \(things) fails" : "\(failing) of \(total) \(things) \(failing == 1 ? "fails" : "fail")"
    }

    private func head(_ html: inout HTMLWriter) {
        html.element("head") { head in
            head.void("meta", .init("charset", "utf-8"))
            // The document contains no script and refers to no other resource. If a text were not escaped, this would still load and
            // run nothing.
            head.void(
                "meta", .init("http-equiv", "Content-Security-Policy"),
                .init(
                    "content",
                    "default-src 'none'; style-src 'sha256-\(HTMLStyle.digest)'; base-uri 'none'; form-action 'none'"))
            head.void("meta", .init("name", "viewport"), .init("content", "width=device-width, initial-scale=1"))
            head.void("meta", .init("name", "color-scheme"), .init("content", "light dark"))
            head.void("meta", .init("name", "referrer"), .init("content", "no-referrer"))
            head.element("title", text: "pinctl \(command): \(headline)")
            head.newLine()
            head.style(HTMLStyle.sheet)
        }
        html.newLine()
    }

    private func header(_ body: inout HTMLWriter) {
        let tone: Tone =
            contents.failing > 0 ? .bad : !gaps.isEmpty ? .careful : contents.total == 0 ? .neutral : .good
        body.element("header") { header in
            header.element("p", .class("source")) { source in
                source.text("pinctl \(command)")
                if let input {
                    source.text(" · ")
                    source.isolated(input)
                }
                source.text(" · ")
                source.element("time", .init("datetime", time.description), text: Self.text(of: time))
            }
            header.element("h1", .class(tone.rawValue)) { heading in
                heading.element("span", .init("aria-hidden", "true"), text: tone.symbol)
                heading.text(" \(headline)")
            }
            if !summary.isEmpty { header.element("p", .class("summary")) { $0.isolated(summary) } }
            for gap in gaps { header.element("p", .class("gap")) { $0.text("! Not complete: \(gap).") } }
            for note in notes { header.element("p", .class("quiet")) { $0.isolated(note) } }
            if contents.counts.count > 1 {
                header.element("ul", .class("counts")) { list in
                    for count in contents.counts {
                        list.element("li") { item in
                            item.element("b", text: String(count.hosts))
                            item.text(" ")
                            item.badge(count.verdict, count.tone)
                        }
                    }
                }
            }
            navigation(&header)
        }
        body.newLine()
    }

    private func navigation(_ header: inout HTMLWriter) {
        let links = self.links
        guard links.count > 1 else { return }
        header.element("nav", .init("aria-label", "Sections")) { nav in
            for (id, title) in links {
                nav.element("a", .init("href", "#\(id)"), text: title)
                nav.text(" ")
            }
        }
    }

    /// The sections that the document has.
    private var links: [(id: String, title: String)] {
        var links: [(String, String)] = []
        if !contents.failingHosts.isEmpty { links.append(("failing", "Failing hosts")) }
        if !contents.findingCounts.isEmpty { links.append(("findings", "Findings")) }
        guard !contents.sections.isEmpty else { return links }
        if hasSurvival { links.append(("survival", "Survival")) }
        if !contents.expiries.isEmpty { links.append(("expiry", "Expiry")) }
        if !contents.authorities.isEmpty { links.append(("authorities", "Authorities")) }
        if hasTable { links.append(("all", "All hosts")) }
        links.append(("hosts", "Details"))
        return links
    }

    private func footer(_ body: inout HTMLWriter) {
        body.element("footer") { footer in
            footer.text(
                "Written by pinctl \(version). All times are in UTC. This file loads nothing and runs no script.")
        }
        body.newLine()
    }

    /// `2026-11-21 02:00:00 UTC`
    static func text(of time: Timestamp) -> String {
        let parts = time.components
        func two(_ number: Int) -> String { number < 10 ? "0\(number)" : "\(number)" }
        return "\(time.date) \(two(parts.hour)):\(two(parts.minute)):\(two(parts.second)) UTC"
    }
}

extension HTMLWriter {
    /// A word with its symbol and colour.
    mutating func badge(_ word: String, _ tone: Tone) {
        element("span", .class("badge \(tone.rawValue)")) { badge in
            badge.element("span", .init("aria-hidden", "true"), text: tone.symbol)
            badge.text(" \(word)")
        }
    }

    /// A next step.
    mutating func step(_ step: String) {
        element("p", .class("step")) { paragraph in
            paragraph.element("b", text: "Next:")
            paragraph.text(" ")
            paragraph.isolated(step)
        }
    }

    /// A section with a heading.
    mutating func section(_ id: String, _ title: String, contents: (inout HTMLWriter) -> Void) {
        element("section", .id(id), .init("aria-labelledby", "\(id)-title")) { section in
            section.element("h2", .id("\(id)-title"), text: title)
            section.newLine()
            contents(&section)
        }
        newLine()
    }

    /// A table that scrolls by itself on a narrow screen. A keyboard reaches the part that scrolls.
    ///
    /// - Parameter columns: the headers; nil for a column with the header of the one before it.
    mutating func table(_ label: String, class name: String, columns: [String?], rows: (inout HTMLWriter) -> Void) {
        element(
            "div", .class("scroll"), .init("role", "group"), .init("aria-label", label), .init("tabindex", "0")
        ) { box in
            box.element("table", .class(name)) { table in
                table.element("thead") { head in
                    head.element("tr") { row in
                        for (index, column) in columns.enumerated() {
                            guard let column else { continue }
                            if columns[(index + 1)...].first == .some(nil) {
                                row.element("th", .init("scope", "colgroup"), .init("colspan", "2"), text: column)
                            } else {
                                row.element("th", .init("scope", "col"), text: column)
                            }
                        }
                    }
                }
                table.newLine()
                rows(&table)
            }
        }
        newLine()
    }
}
