internal import CommandSupport
internal import Encodings
internal import Pinning

/// JSON: one document (`json`), or one line for each host as it finishes (`ndjson`).
final class VerifyJSONReport: HostReport {
    let isStreamed: Bool
    private let names: AuthorityNames
    private let cache: CertificateJSONCache?

    init(_ plan: VerifyPlan) {
        isStreamed = plan.format == .ndjson
        cache = isStreamed ? CertificateJSONCache() : nil
        names = AuthorityNames(plan.trust.sources)
    }

    var start: String { isStreamed ? "" : JSONList.start(schema: "pinctl/verify/1", list: "results") }
    var separator: String { isStreamed ? "" : JSONList.separator }
    var end: String { isStreamed ? "" : JSONList.end }

    func fragment(for verification: Verification) throws(CommandError) -> ReportFragment {
        let write = { (writer: inout JSONWriter) in
            writer.object { $0.fields(of: verification, self.names, cache: self.cache) }
        }
        return ReportFragment(
            output: isStreamed ? JSONList.line(write) : JSONList.element(write), status: verification.status
        )
    }
}
