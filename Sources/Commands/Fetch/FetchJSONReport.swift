internal import CommandSupport
internal import Encodings
internal import Fetching
internal import Pinning

/// JSON: one document (`json`), or one line for each host as it finishes (`ndjson`).
final class FetchJSONReport: HostReport {
    let isStreamed: Bool
    private let plan: FetchPlan
    private let cache: CertificateJSONCache?

    init(_ plan: FetchPlan) {
        self.plan = plan
        isStreamed = plan.format == .ndjson
        cache = isStreamed ? CertificateJSONCache() : nil
    }

    var start: String { isStreamed ? "" : JSONList.start(schema: "pinctl/fetch/1", list: "hosts") }
    var separator: String { isStreamed ? "" : JSONList.separator }
    var end: String { isStreamed ? "" : JSONList.end }

    func fragment(for result: FetchResult) throws(CommandError) -> ReportFragment {
        let write = { (writer: inout JSONWriter) in
            writer.object { $0.fields(of: result, selects: self.plan.selects, cache: self.cache) }
        }
        var fragment = ReportFragment(
            output: isStreamed ? JSONList.line(write) : JSONList.element(write),
            status: result.status(acceptsUntrusted: plan.acceptsUntrusted)
        )
        if let chain = try? result.outcome.get().chain {
            fragment.noteMissingSelection(chain.entries.filter(plan.selects), of: result, chain)
        }
        return fragment
    }
}
