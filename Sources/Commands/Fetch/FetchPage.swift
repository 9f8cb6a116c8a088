internal import Arguments
internal import CommandSupport
internal import Encodings
internal import Fetching
internal import HTMLReports
internal import Pinning

/// The HTML page of `fetch`. It forwards each result to the report of `--format`.
final class FetchPage: HostReport {
    private let plan: FetchPlan
    private let report: any HostReport<FetchResult>
    private let now: Timestamp
    private var contents: ReportContents
    /// The number of hosts for each outcome.
    private var counts: [String: Int] = [:]
    /// The results of the host that is being reported.
    private var results: [FetchResult] = []
    private var gaps: [String] = []

    init(_ plan: FetchPlan, _ report: any HostReport<FetchResult>) {
        (self.plan, self.report) = (plan, report)
        now = plan.time ?? .now
        contents = ReportContents(at: now)
    }

    var isStreamed: Bool { report.isStreamed }
    var start: String { report.start }
    var separator: String { report.separator }
    var end: String { report.end }
    var hasOutputAtEnd: Bool { report.hasOutputAtEnd }

    func add(gap: String) {
        gaps.append(gap)
        report.add(gap: gap)
    }

    func fragment(for result: FetchResult) throws(CommandError) -> ReportFragment {
        // The results of a host follow each other. A filter may leave out some of them.
        if results.last.map({ $0.index != result.index }) ?? false { endHost() }
        results.append(result)
        return try report.fragment(for: result)
    }

    private func endHost() {
        guard let shown = results.first(where: isFailing) ?? results.first else { return }
        let fails = isFailing(shown)
        let chain = (try? shown.outcome.get())?.chain
        // With --insecure, a chain that is not trusted does not fail.
        let tone: Tone = fails && chain != nil ? .bad : chain?.isTrusted == true ? .good : .careful
        counts[shown.outcomeName, default: 0] += 1
        var host = ReportedHost(
            index: shown.index, name: shown.target.description, verdict: shown.outcomeName, tone: tone, isFailing: fails
        )
        host.unicodeName = DomainName.unicode(of: shown.target.hostText)
        for result in results { add(result, to: &host) }
        contents.add(host)
        results = []
    }

    private func isFailing(_ result: FetchResult) -> Bool {
        result.status(acceptsUntrusted: plan.acceptsUntrusted) != .success
    }

    private func add(_ result: FetchResult, to host: inout ReportedHost) {
        let title = results.count > 1 ? title(of: result) : nil
        let prefix = title.map { "\($0): " } ?? ""
        let endpoint = [result.part?.endpoint].compactMap(\.self)
        switch result.outcome {
        case .failure(let error):
            host.reasons.append(prefix + error.message)
            if host.nextStep == nil { host.nextStep = error.hint }
            host.chains.append(ReportedChain(nil, nil, host: host.name, title: title, at: endpoint, now: now))
        case .success(let handshake):
            let chain = handshake.chain
            host.reasons += chain.failures.map { prefix + $0.reason }
            if host.nextStep == nil { host.nextStep = UntrustedChainStep(plan.trust).text(for: chain) }
            if let authority = UnlistedAuthority(of: chain, plan.trust) {
                host.notes.append("\(prefix)\(authority.message): \(UnlistedAuthority.step)")
            }
            host.chains.append(
                ReportedChain(chain, handshake, host: host.name, title: title, at: endpoint, now: now))
        }
    }

    /// What distinguishes one result of a host from the others.
    private func title(of result: FetchResult) -> String {
        let key = (try? result.outcome.get())?.chain.entries.first?.certificate.key.type
        let address = result.part?.endpoint.description ?? result.target.description
        return (result.chainPart?.count ?? 1) > 1 ? "\(address), \(key ?? "other") key" : address
    }

    /// The whole page.
    func page(_ console: Console) -> HTMLReport {
        endHost()
        var page = HTMLReport(
            FetchCommand.command, input: nil, time: now, contents: contents, gaps: gaps, console)
        let names = FetchResult.outcomeNames + counts.keys.filter { !FetchResult.outcomeNames.contains($0) }.sorted()
        let total = counts.values.reduce(0, +)
        let parts = names.compactMap { name in counts[name].map { "\($0) \(name)" } }
        page.summary =
            "\(total) \(total == 1 ? "host" : "hosts")" + (parts.isEmpty ? "" : ": \(parts.joined(separator: ", "))")
        if !plan.filter.isEmpty { page.notes.append("only the hosts of --only and --within are in this report") }
        return page
    }
}
