internal import Pinning

/// JSON for programs: one document (`json`), or one host a line as it finishes (`ndjson`).
final class VerifyJSONReport: HostReport {
    let isStreamed: Bool
    private let names: AuthorityNames
    private let cache: CertificateCache?

    init(_ plan: VerifyPlan) {
        isStreamed = plan.format == .ndjson
        cache = isStreamed ? CertificateCache() : nil
        names = AuthorityNames(plan.trust.sources)
    }

    var start: String { isStreamed ? "" : JSONList.start(schema: "pinctl/verify/1", list: "results") }
    var separator: String { isStreamed ? "" : JSONList.separator }
    var end: String { isStreamed ? "" : JSONList.end }

    func piece(for verification: Verification) throws(CommandError) -> HostPiece {
        let write = { (writer: inout JSONWriter) in
            writer.object { $0.fields(of: verification, self.names, cache: self.cache) }
        }
        return HostPiece(
            output: isStreamed ? JSONList.line(write) : JSONList.element(write), status: verification.status
        )
    }
}
