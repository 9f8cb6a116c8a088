internal import Pinning

/// Metrics in Prometheus's text format 0.0.4 (https://prometheus.io/docs/instrumenting/exposition_formats/), for a node exporter's
/// folder of text files or a push gateway.
enum PrometheusReport {
    static func text(of run: CheckRun) -> String {
        var success = Family("check_success", help: "Whether nothing is wrong that makes the check fail: 1, or 0")
        var findings = Family("check_findings", help: "How many findings of each code there are")
        var measured: [Family] = []
        for item in run.cases {
            let name = [("command", run.command), ("name", item.name)]
            // What stands twice in the input is one series, and the worse of the two counts.
            success.add(name, item.passes ? 1 : 0, combine: min)
            for finding in item.findings {
                let labels = [("code", finding.code), ("severity", finding.severity.rawValue)]
                findings.add(name + labels, 1) { $0 + $1 }
            }
            for measurement in item.measurements {
                let place = measured.firstIndex { $0.name == measurement.name } ?? measured.endIndex
                if place == measured.endIndex { measured.append(Family(measurement.name, help: measurement.help)) }
                measured[place].add(
                    name + measurement.labels.map { ($0.name, $0.value) }, measurement.value, combine: min)
            }
        }
        var time = Family("check_timestamp_seconds", help: "When the check was made, in seconds since 1970")
        time.add([("command", run.command)], run.time.secondsSince1970, combine: max)
        return ([success, findings] + measured + [time]).map(\.text).joined()
    }

    /// The samples of one metric: they stand together, and no two have the same labels.
    private struct Family {
        let name: String
        private let help: String
        private var samples: [(labels: String, value: Int64)] = []
        private var places: [String: Int] = [:]

        init(_ name: String, help: String) { (self.name, self.help) = (name, help) }

        mutating func add(_ labels: [(String, String)], _ value: Int64, combine: (Int64, Int64) -> Int64) {
            let labels = labels.map { "\($0.0)=\"\(Self.escaped($0.1, quotes: true))\"" }.joined(separator: ",")
            if let place = places[labels] {
                samples[place].value = combine(samples[place].value, value)
            } else {
                places[labels] = samples.count
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
            for scalar in text.unicodeScalars {
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
