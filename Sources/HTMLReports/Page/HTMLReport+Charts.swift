internal import Encodings
internal import Pinning

extension HTMLReport {
    /// What expires first, as a table with a time line in each row.
    func expiry(_ main: inout HTMLWriter) {
        let expiries = contents.expiries
        guard !expiries.isEmpty else { return }
        main.section("expiry", "What expires first") { section in
            if contents.expiryCount > expiries.count { periods(&section) }
            let scale = ExpiryTimeline.scale(for: expiries.map(\.end), at: contents.now)
            let columns = ["Host", "What", "Expires", "Time left", "Next \(scale) days"]
            section.table("Expiry timeline", class: "expiry", columns: columns) { table in
                table.element("tbody") { body in
                    for expiry in expiries { write(expiry, scale, to: &body) }
                }
                table.element("tfoot") { foot in
                    foot.element("tr", .init("aria-hidden", "true")) { row in
                        row.element("td", .init("colspan", "4")) { _ in }
                        row.element("td", .class("line")) { Self.axis(scale, to: &$0) }
                    }
                }
            }
            if contents.expiryCount > expiries.count {
                section.note("The first \(expiries.count) of \(contents.expiryCount). Trust anchors are left out.")
            }
        }
    }

    /// How many ends are in each period.
    private func periods(_ section: inout HTMLWriter) {
        let total = max(1, contents.expiryCounts.values.reduce(0, +))
        let columns = ["Expires", "Number", "Share", nil]
        section.table("Ends of validity by period", class: "chart", columns: columns) { table in
            table.element("tbody") { body in
                for period in ExpiryTimeline.Period.allCases {
                    let count = contents.expiryCounts[period, default: 0]
                    guard count > 0 else { continue }
                    body.element("tr") { row in
                        row.element("th", .init("scope", "row")) { $0.badge(period.title, period.tone) }
                        row.element("td", .class("number"), text: String(count))
                        row.share(Double(count) / Double(total) * 100, period.tone)
                    }
                    body.newLine()
                }
            }
        }
    }

    private func write(_ expiry: Expiry, _ scale: Int64, to body: inout HTMLWriter) {
        let days = contents.now.days(until: expiry.end)
        let tone: Tone = days < 0 ? .bad : days < ExpiryTimeline.warningDays ? .careful : .good
        let isPast = expiry.end < contents.now
        body.element("tr") { row in
            row.element("th", .init("scope", "row")) { host in
                if hasSection(expiry.host) {
                    host.element("a", .init("href", "#\(Self.id(of: expiry.host))")) { $0.isolated(expiry.name) }
                } else {
                    host.isolated(expiry.name)
                }
            }
            row.element("td", text: expiry.subject)
            row.element("td", .class("number")) { $0.element("time", text: expiry.end.date) }
            row.element("td") { $0.badge(isPast ? "expired" : Self.left(days), isPast ? .bad : tone) }
            row.element("td", .class("line")) { cell in
                // A screen reader reads this text under the header of the column.
                let text = isPast ? "expired" : days > scale ? "not in this time" : "after \(days) days"
                cell.element(
                    "svg", .init("width", "100%"), .init("height", "16"), .init("role", "img"),
                    .init("aria-label", text), .class(isPast ? "bad" : tone.rawValue)
                ) { svg in
                    for mark in ExpiryTimeline.marks(upTo: scale) {
                        svg.gridLine(at: ExpiryTimeline.position(of: mark, in: scale))
                    }
                    let end = ExpiryTimeline.position(of: days, in: scale)
                    svg.element(
                        "rect", .class("bar"), .init("x", "0"), .init("y", "6"), .init("height", "4"),
                        .init("width", Self.percent(end))
                    ) { _ in }
                    guard days <= scale else { return }
                    svg.element(
                        "rect", .class("end"), .init("x", Self.percent(min(end, 99))), .init("y", "2"),
                        .init("width", "4"),
                        .init("height", "12")
                    ) { _ in }
                }
            }
        }
        body.newLine()
    }

    private static func axis(_ scale: Int64, to cell: inout HTMLWriter) {
        cell.element("svg", .init("width", "100%"), .init("height", "18"), .init("aria-hidden", "true")) { svg in
            for mark in ExpiryTimeline.marks(upTo: scale) {
                let position = ExpiryTimeline.position(of: mark, in: scale)
                let anchor = mark == 0 ? "start" : position > 90 ? "end" : "middle"
                svg.element(
                    "text", .init("x", percent(position)), .init("y", "13"), .init("text-anchor", anchor),
                    text: mark == 0 ? "today" : "\(mark) d")
            }
        }
    }

    /// How many hosts each trust anchor has.
    func authorities(_ main: inout HTMLWriter) {
        let sorted = contents.authorities.sorted { first, second in
            first.value == second.value ? first.key.name < second.key.name : first.value > second.value
        }
        guard !sorted.isEmpty else { return }
        main.section("authorities", "Authorities") { section in
            let columns = ["Trust anchor", "Kind", "Hosts", "Share", nil]
            section.table("Hosts of each trust anchor", class: "chart", columns: columns) { table in
                table.element("tbody") { body in
                    for (authority, count) in sorted.prefix(contents.limits.authorities) {
                        body.element("tr") { row in
                            row.element("th", .init("scope", "row")) { $0.isolated(authority.name) }
                            row.element(
                                "td",
                                text: authority.isPublic ? "known public CA" : "not in pinctl's list of public CAs")
                            row.element("td", .class("number"), text: String(count))
                            row.share(Double(count) / Double(max(1, contents.total)) * 100, .neutral)
                        }
                        body.newLine()
                    }
                }
            }
            if sorted.count > contents.limits.authorities {
                section.note("\(sorted.count - contents.limits.authorities) more trust anchors with fewer hosts.")
            }
            if contents.withoutAuthority > 0 {
                let count = contents.withoutAuthority
                section.note("\(count) \(subject.name(count: count)) without a trusted chain.")
            }
        }
    }

    private func hasSection(_ index: Int) -> Bool { contents.sections.contains { $0.index == index } }

    static func left(_ days: Int64) -> String {
        days == 0 ? "less than a day" : days == 1 ? "1 day" : "\(days) days"
    }

    /// A percentage with one digit after the decimal point.
    static func percent(_ value: Double) -> String {
        let tenths = Int((min(max(0, value), 100) * 10).rounded())
        return "\(tenths / 10).\(tenths % 10)%"
    }
}

extension HTMLWriter {
    /// Two cells with a percentage: its number, and a horizontal bar.
    fileprivate mutating func share(_ share: Double, _ tone: Tone) {
        element("td", .class("number"), text: HTMLReport.percent(share))
        element("td", .class("line")) { $0.bar(share, tone) }
    }

    private mutating func bar(_ share: Double, _ tone: Tone) {
        element(
            "svg", .init("width", "100%"), .init("height", "16"), .init("aria-hidden", "true"), .class(tone.rawValue)
        ) { svg in
            svg.element(
                "rect", .class("bar"), .init("x", "0"), .init("y", "3"), .init("height", "10"),
                .init("width", HTMLReport.percent(max(1, share)))
            ) { _ in }
        }
    }

    fileprivate mutating func gridLine(at position: Double) {
        let x = HTMLReport.percent(position)
        element("line", .class("grid"), .init("x1", x), .init("x2", x), .init("y1", "0"), .init("y2", "16")) { _ in }
    }
}
