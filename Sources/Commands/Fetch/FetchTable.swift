internal import Arguments
internal import CheckReports
internal import CommandSupport
internal import Encodings
internal import Fetching
internal import PinSetMaintenance
internal import Pinning
internal import Reports

/// The order and the groups of a table.
struct FetchArrangement {
    enum Group: String, CaseIterable, Sendable {
        case issuer, root, key, expiry, reason
    }

    enum Sort: String, CaseIterable, Sendable {
        case target, expiry, issuer, root, key, status
    }

    static let groupBy = Option.optional(
        "group-by", takes: .choice(Group.self, "WHAT"),
        help:
            "one row for each issuer, root, type of key, month of expiry, or reason, with the number of hosts (table, csv, markdown)"
    )
    static let sort = Option.optional(
        "sort", takes: .choice(Sort.self, "COLUMN"), help: "sort the hosts by this column (table, csv, markdown)")

    static let declared: [any AnyOption] = [groupBy, sort]

    let group: Group?
    let order: Sort?

    init(_ values: Values) { (group, order) = (values[Self.groupBy], values[Self.sort]) }

    /// Whether all rows are needed before the first one can be written.
    var needsAllRows: Bool { group != nil || order != nil }

    /// The group of a row.
    func key(of row: FetchRow) -> String {
        switch group {
        case .issuer: row.issuer.isEmpty ? row.status : row.issuer
        case .root: row.root.isEmpty ? row.status : row.root
        case .key: row.key.isEmpty ? row.status : row.key
        case .expiry: String(row.notAfter?.date.prefix(7) ?? "unknown")
        case .reason: row.reason.isEmpty ? row.status : row.reason
        case nil: ""
        }
    }

    /// The column by which the rows of a table are sorted, if it is not the first or the second one.
    var sortedTitle: String? {
        switch order {
        case .target, .status, nil: nil
        case .expiry: "expires"
        case .issuer: "issuer"
        case .root: "root"
        case .key: "key"
        }
    }

    /// The text by which rows are sorted.
    func sortKey(of row: FetchRow) -> String {
        switch order {
        case .target, nil: row.target
        // Dates of four-digit years sort as text.
        case .expiry: row.notAfter?.description ?? "~"
        case .issuer: row.issuer
        case .root: row.root
        case .key: row.key
        case .status: row.status + row.reason
        }
    }
}

/// A table of hosts: aligned text, CSV or Markdown. Without groups and order, CSV and Markdown are written row by row.
final class FetchTableReport: HostReport {
    private let plan: FetchPlan
    private let arrangement: FetchArrangement
    private let width: Int?
    private var rows: [(sortKey: String, cells: [Cell])] = []
    private var groups: [String: Int] = [:]

    /// Maximum number of rows that are kept in memory for an order or an aligned table.
    static let maximumRows = 200_000

    private struct Cell {
        let text: String
        /// Whether the text is pinctl's own, such as a number, and never a formula.
        var isPlain = false
        /// Whether the text is a name that people copy.
        var isName = false
    }

    init(_ plan: FetchPlan, width: Int?) {
        (self.plan, self.width) = (plan, width)
        arrangement = plan.arrangement
    }

    private var isAligned: Bool { plan.format == .table }
    private var isKept: Bool { isAligned || arrangement.needsAllRows }

    /// The header of CSV; part of the interface.
    static let csvTitles = [
        "target", "address", "status", "reason", "message", "subject", "issuer", "root", "key", "signature", "protocol",
        "not_after", "days_left", "pin",
    ]
    /// The last title of CSV if handshakes end at the certificate message.
    static let provenTitle = "proven"
    private static let shortTitles = ["target", "status", "days", "expires", "key", "issuer", "root"]
    private var titles: [String] {
        let isProven = !plan.connection.readsCertificateOnly
        if let group = arrangement.group {
            return [group.rawValue, isProven ? "hosts" : "hosts \(HandshakeResult.unprovenMark)"]
        }
        guard plan.format == .csv else { return Self.shortTitles }
        return Self.csvTitles + (isProven ? [] : [Self.provenTitle])
    }

    var start: String { isAligned ? "" : heading }
    var end: String { isKept ? kept : "" }
    var hasOutputAtEnd: Bool { isKept }

    private var heading: String {
        plan.format == .csv ? CSVRecord.line(titles.map { .plain($0) }) : MarkdownRow.heading(titles)
    }

    func fragment(for result: FetchResult) throws(CommandError) -> ReportFragment {
        var fragment = ReportFragment(isLine: true, status: result.status(acceptsUntrusted: plan.acceptsUntrusted))
        fragment.messages = result.unfinishedWarning
        let row = FetchRow(result: result, now: plan.time ?? .now)
        if arrangement.group != nil {
            groups[arrangement.key(of: row), default: 0] += 1
            guard groups.count <= Self.maximumRows else { throw Self.limit }
            return fragment
        }
        let cells = cells(of: row)
        guard isKept else {
            fragment.output = Array(line(cells).utf8)
            return fragment
        }
        guard rows.count < Self.maximumRows else { throw Self.limit }
        rows.append((arrangement.order == nil ? "" : arrangement.sortKey(of: row), cells))
        return fragment
    }

    private static let limit = CommandError(
        "the report has more than \(maximumRows) rows in memory",
        hint: "use --format csv without --sort and --group-by, which writes each row at once", status: .undecided)

    private func cells(of row: FetchRow) -> [Cell] {
        let days = Cell(text: row.daysLeft.map(String.init) ?? "", isPlain: true)
        let expires = Cell(text: row.notAfter?.date ?? "", isPlain: true)
        guard plan.format == .csv else {
            let mark = row.isProven == false ? " \(HandshakeResult.unprovenMark)" : ""
            let status = row.status + mark + (row.reason.isEmpty ? "" : ": \(row.reason)")
            return [Cell(text: row.target, isName: true), Cell(text: status), days, expires, Cell(text: row.key)]
                + [Cell(text: row.issuer), Cell(text: row.root)]
        }
        // A pin can begin with a plus sign, so it has a prefix.
        let pin =
            row.chain?.isTrusted == true || plan.acceptsUntrusted ? row.pin.map { "sha256/\($0.base64)" } ?? "" : ""
        let proven = row.isProven.map(String.init) ?? ""
        return [
            row.target, row.address, row.status, row.reason, row.message, row.subject, row.issuer, row.root, row.key,
            row.signature, row.version,
        ].map { Cell(text: $0) } + [Cell(text: row.notAfter?.description ?? "", isPlain: true), days, Cell(text: pin)]
            + (plan.connection.readsCertificateOnly ? [Cell(text: proven, isPlain: true)] : [])
    }

    private func line(_ cells: [Cell]) -> String {
        plan.format == .csv
            ? CSVRecord.line(cells.map { $0.isPlain ? .plain($0.text) : .text($0.text.escaped) })
            : MarkdownRow.line(ofMarkdown: cells.map { MarkdownRow.cell($0.text, isName: $0.isName) })
    }

    /// The rows that were kept.
    private var kept: String {
        var cells = rows.map(\.cells)
        if arrangement.group != nil {
            // The largest group first; groups of equal size by name.
            let sorted = groups.sorted { ($1.value, $0.key) < ($0.value, $1.key) }
            cells = sorted.map { [Cell(text: $0.key), Cell(text: String($0.value), isPlain: true)] }
        } else if arrangement.order != nil {
            cells = rows.enumerated().sorted { ($0.element.sortKey, $0.offset) < ($1.element.sortKey, $1.offset) }
                .map(\.element.cells)
        }
        guard isAligned else { return cells.map(line).joined() }
        // The column of the order is one of those that a narrow terminal shows. Programs read the columns in their usual order.
        let sorted = width == nil ? nil : arrangement.sortedTitle.flatMap(titles.firstIndex)
        let order = [0, 1] + (sorted.map { [$0] } ?? []) + titles.indices.filter { $0 > 1 && $0 != sorted }
        func ordered(_ texts: [String]) -> [String] { arrangement.group == nil ? order.map { texts[$0] } : texts }
        // The mark that a server proved nothing is in the second column, or in its title.
        var table = TextTable(ordered(titles), whole: plan.connection.readsCertificateOnly ? 1 : nil)
        for row in cells { table.add(ordered(row.map(\.text))) }
        return table.isEmpty ? "" : table.text(width: width, essential: sorted == nil ? 2 : 3)
    }
}

/// Metrics about the expiry and the trust of each host, in the format of Prometheus.
final class FetchMetricsReport: HostReport {
    private let plan: FetchPlan
    private var cases: [CheckCase] = []
    private var gaps: [String] = []

    init(_ plan: FetchPlan) { self.plan = plan }

    var hasOutputAtEnd: Bool { true }

    /// The metrics of all hosts, because the samples of one metric must be adjacent.
    var end: String {
        let run = CheckRun(command: "fetch", time: .now, cases: cases, summary: "", gaps: gaps)
        return String(decoding: CheckReport.write(run, as: .prometheus, version: ToolVersion.current), as: UTF8.self)
    }

    func add(gap: String) { gaps.append(gap) }

    func fragment(for result: FetchResult) throws(CommandError) -> ReportFragment {
        let row = FetchRow(result: result, now: plan.time ?? .now)
        guard cases.count < FetchTableReport.maximumRows else {
            throw CommandError("metrics are limited to \(FetchTableReport.maximumRows) hosts", status: .undecided)
        }
        var findings: [CheckFinding] = []
        let status = result.status(acceptsUntrusted: plan.acceptsUntrusted)
        if row.status != "trusted" {
            let severity: CheckFinding.Severity = status == .success ? .warning : .error
            findings.append(
                CheckFinding(code: row.reason, severity: severity, host: row.target, message: row.message.escaped))
        }
        // The label is added only in this mode, so that the series of other runs keep their labels.
        let labels: [(name: String, value: String)] = row.isProven == false ? [("proven", "false")] : []
        let measurements = (row.chain?.entries ?? []).compactMap { entry -> CheckMeasurement? in
            guard let end = entry.certificate.notAfter else { return nil }
            return CheckMeasurement(
                name: "certificate_expiry_timestamp_seconds",
                help: "Expiry of the certificate, in seconds since 1970",
                labels: [("position", String(entry.position)), ("role", entry.role.rawValue)],
                value: end.secondsSince1970)
        }
        cases.append(CheckCase(name: row.target, findings: findings, measurements: measurements, labels: labels))
        var fragment = ReportFragment(status: status)
        fragment.messages = result.unfinishedWarning
        return fragment
    }
}
