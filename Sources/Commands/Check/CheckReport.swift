/// What a check found out, as a document for continuous integration.
enum CheckReport {
    /// - Returns: the whole document, its last line ended.
    static func write(_ run: CheckRun, as document: CheckDocument) -> [UInt8] {
        switch document {
        case .junit: Array(JUnitReport.text(of: run).utf8)
        case .sarif: SARIFReport.bytes(of: run)
        case .github: Array(GitHubReport.text(of: run).utf8)
        case .prometheus: Array(PrometheusReport.text(of: run).utf8)
        }
    }
}
