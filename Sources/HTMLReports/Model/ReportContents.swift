package import Pinning

/// The hosts and findings of a report, collected in any order.
///
/// The result is the same for every order, because each limited list keeps the elements with the lowest index.
package struct ReportContents: Sendable {
    /// A host in the table of all hosts.
    struct Row: Sendable {
        let index: Int
        let name: String
        let verdict: String
        let tone: Tone
        let authority: String
        let expiry: Expiry?
    }

    /// The number of hosts with a verdict.
    struct Count: Sendable {
        let verdict: String
        let tone: Tone
        var hosts: Int
    }

    let limits: HTMLReport.Limits
    let now: Timestamp
    private(set) var total = 0
    private(set) var failing = 0
    private var failingSections: LimitedList<ReportedHost>
    private var otherSections: LimitedList<ReportedHost>
    private var failingRows: LimitedList<Row>
    private var otherRows: LimitedList<Row>
    private var soonest: LimitedList<Expiry>
    private var verdicts: [String: Count] = [:]
    /// The number of hosts of each trust anchor. The trust store limits the number of anchors.
    private(set) var authorities: [ReportedChain.Authority: Int] = [:]
    /// Hosts to which the command connected, and that have no trusted chain.
    private(set) var withoutAuthority = 0
    private(set) var expiryCounts: [ExpiryTimeline.Period: Int] = [:]
    private(set) var findings: [ReportedFinding.Severity: [ReportedFinding]] = [:]
    private(set) var findingCounts: [ReportedFinding.Severity: Int] = [:]
    /// Number of findings that no output of the command has.
    private(set) var omittedFindings: [ReportedFinding.Severity: Int] = [:]

    package init(limits: HTMLReport.Limits = .init(), at now: Timestamp) {
        self.limits = limits
        self.now = now
        failingSections = LimitedList(limits.failingSections)
        otherSections = LimitedList(limits.otherSections)
        failingRows = LimitedList(limits.rows)
        otherRows = LimitedList(limits.rows)
        soonest = LimitedList(limits.expiries)
    }

    /// Whether a host would get a section if it were added now. The pins and the survival of other hosts are not needed.
    package func keepsSection(of host: ReportedHost) -> Bool {
        let list = host.isFailing ? failingSections : otherSections
        return list.keeps((Int64(host.index), 0))
    }

    package mutating func add(_ host: ReportedHost) {
        let expiries = host.expiries(at: now)
        let authorities = host.authorities
        count(host.verdict, host.tone, isFailing: host.isFailing)
        for expiry in expiries {
            expiryCounts[ExpiryTimeline.Period(of: expiry.end, at: now), default: 0] += 1
            soonest.add(expiry, at: (expiry.end.secondsSince1970, expiry.host))
        }
        if authorities.isEmpty, host.isContacted { withoutAuthority += 1 }
        for authority in authorities { self.authorities[authority, default: 0] += 1 }
        let row = Row(
            index: host.index, name: host.name, verdict: host.verdict, tone: host.tone,
            authority: authorities.map(\.name).joined(separator: ", "), expiry: expiries.min { $0.end < $1.end })
        let order = (Int64(host.index), 0)
        if host.isFailing {
            failingSections.add(host, at: order)
            failingRows.add(row, at: order)
        } else {
            otherSections.add(host, at: order)
            otherRows.add(row, at: order)
        }
    }

    package mutating func add(_ finding: ReportedFinding) {
        findingCounts[finding.severity, default: 0] += 1
        guard findings[finding.severity, default: []].count < limits.findings else { return }
        findings[finding.severity, default: []].append(finding)
    }

    /// Counts findings that no output of the command has.
    package mutating func omit(_ count: Int, _ severity: ReportedFinding.Severity) {
        findingCounts[severity, default: 0] += count
        omittedFindings[severity, default: 0] += count
    }

    /// Counts a checked thing without a section.
    package mutating func count(_ verdict: String, _ tone: Tone, isFailing: Bool) {
        total += 1
        if isFailing { failing += 1 }
        verdicts[verdict, default: Count(verdict: verdict, tone: tone, hosts: 0)].hosts += 1
    }

    /// The hosts with a section, failing hosts first, each in the order of the input.
    var sections: [ReportedHost] { failingSections.elements + otherSections.elements }

    var failingHosts: [ReportedHost] { failingSections.elements }

    /// The rows of the table of all hosts, failing hosts first.
    var rows: [Row] { Array((failingRows.elements + otherRows.elements).prefix(limits.rows)) }

    /// What expires first.
    var expiries: [Expiry] { soonest.elements }

    var expiryCount: Int { expiryCounts.values.reduce(0, +) }

    /// The verdicts, the worst first.
    var counts: [Count] {
        verdicts.values.sorted { first, second in
            let ranks = [first, second].map { Tone.allCases.firstIndex(of: $0.tone) ?? 0 }
            return ranks[0] == ranks[1] ? first.verdict < second.verdict : ranks[0] < ranks[1]
        }
    }
}

/// A list of the elements that come first in an order, with a maximum length.
struct LimitedList<Element: Sendable>: Sendable {
    typealias Order = (Int64, Int)

    private let maximum: Int
    private var items: [(order: Order, element: Element)] = []

    init(_ maximum: Int) { self.maximum = maximum }

    var elements: [Element] { items.map(\.element) }

    /// Whether an element would be added.
    func keeps(_ order: Order) -> Bool {
        items.count < maximum || (items.last.map { order < $0.order } ?? false)
    }

    mutating func add(_ element: Element, at order: Order) {
        guard keeps(order) else { return }
        var low = 0
        var high = items.count
        while low < high {
            let middle = low + (high - low) / 2
            if items[middle].order <= order { low = middle + 1 } else { high = middle }
        }
        items.insert((order, element), at: low)
        if items.count > maximum { items.removeLast() }
    }
}
