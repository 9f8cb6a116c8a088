/// Writes a ``CheckRun`` as a document for CI or monitoring.
package enum CheckReport {
    /// - Parameter version: The version of pinctl, which SARIF contains.
    /// - Returns: The whole document, ending with a line feed.
    package static func write(_ run: CheckRun, as document: CheckDocument, version: String) -> [UInt8] {
        switch document {
        case .junit: Array(JUnitReport.text(of: run).utf8)
        case .sarif: SARIFReport.bytes(of: run, version: version)
        case .github: Array(GitHubReport.text(of: run).utf8)
        case .prometheus: Array(PrometheusReport.text(of: run).utf8)
        }
    }
}
