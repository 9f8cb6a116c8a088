internal import Encodings
internal import PinSetCodec
internal import PinSetMaintenance
internal import Pinning

/// Metrics in the Prometheus text format 0.0.4 (https://prometheus.io/docs/instrumenting/exposition_formats/), for the textfile
/// collector of a node exporter or for a push gateway.
package enum PrometheusReport {
    package static func text(of run: CheckRun) -> String {
        var success = Family("check_success", help: "1 if the check passed, 0 if it failed")
        var findings = Family("check_findings", help: "Number of findings of each code")
        var measured: [Family] = []
        for item in run.cases {
            let name =
                [("command", run.command), ("name", item.name)] + item.labels.map { ($0.name, $0.value) }
            // Two cases with the same name are one series, so the worse value is used.
            success.add(name, item.passes ? 1 : 0, combine: min)
            for finding in item.findings {
                let labels = [("code", finding.code), ("severity", finding.severity.rawValue)]
                findings.add(name + labels, Int64(finding.count)) { $0 + $1 }
            }
            for measurement in item.measurements {
                let index = measured.firstIndex { $0.name == measurement.name } ?? measured.endIndex
                if index == measured.endIndex { measured.append(Family(measurement.name, help: measurement.help)) }
                measured[index].add(
                    name + measurement.labels.map { ($0.name, $0.value) }, measurement.value, combine: min)
            }
        }
        var time = Family("check_timestamp_seconds", help: "Time of the check, in seconds since 1970")
        time.add([("command", run.command)], run.time.secondsSince1970, combine: max)
        return ([success, findings] + measured + [time]).map(\.text).joined()
    }

    /// The samples of one metric, each with different labels.
    private struct Family {
        let name: String
        private let help: String
        private var samples: [(labels: String, value: Int64)] = []
        private var indices: [String: Int] = [:]

        init(_ name: String, help: String) { (self.name, self.help) = (name, help) }

        mutating func add(_ labels: [(String, String)], _ value: Int64, combine: (Int64, Int64) -> Int64) {
            let labels = labels.map { "\($0.0)=\"\(Self.escaped($0.1, quotes: true))\"" }.joined(separator: ",")
            if let index = indices[labels] {
                samples[index].value = combine(samples[index].value, value)
            } else {
                indices[labels] = samples.count
                samples.append((labels, value))
            }
        }

        var text: String {
            guard !samples.isEmpty else { return "" }
            let head =
                "# HELP pinctl_\(name) \(Self.escaped(help, quotes: false))\n# TYPE pinctl_\(name) gauge\n"
            return head + samples.map { "pinctl_\(name){\($0.labels)} \($0.value)\n" }.joined()
        }

        private static func escaped(_ text: String, quotes: Bool) -> String {
            var output = ""
            // The format has no escape for invisible characters.
            let lines = text.split(separator: "\n", omittingEmptySubsequences: false).map { String($0).escaped }
            for scalar in lines.joined(separator: "\n").unicodeScalars {
                switch scalar {
                case "\\": output += "\\\\"
                case "\n": output += "\\n"
                case "\"" where quotes: output += "\\\""
                default: output.unicodeScalars.append(scalar)
                }
            }
            return output
        }
    }
}
